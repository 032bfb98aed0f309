"""Everything that limits the audit of a claim, as codes and values."""

from collections.abc import Iterator

from tellapart.decision import rejects
from tellapart.evidence import Evidence, Overlap
from tellapart.results.note import Note
from tellapart.verbs.audit.findings import Findings


def notes(found: Findings) -> tuple[Note, ...]:
    return (
        *_evidence_elsewhere(found),
        *_plausible(found),
        *_rounding(found),
        *found.remarks,
        *_selection(found),
        *_reported_p(found),
        *_supposed_accuracies(found),
    )


def citation(evidence: Evidence) -> Note:
    """Where a piece of evidence comes from, how far results lie from it, and what to beware of."""
    said = {"source": evidence.source, "uncertainty": evidence.uncertainty, "caution": evidence.caution}
    return Note("evidence_cited", {"evidence": evidence.name, **said})


def _supposed_accuracies(found: Findings) -> Iterator[Note]:
    """A fraction may be the mean of any scores between 0 and 1, and nothing else in the claim says that it is a share of right answers."""
    claim = found.claim
    said = claim.of_means or claim.of_counts or claim.number_of_runs > 1
    said = said or any(x is not None for x in (claim.unit, claim.discordance, claim.agreement))
    if said or found.impossible is not None:
        return
    a, b = claim.number("a"), claim.number("b")
    if not (a.percent or b.percent) and max(a.value, b.value) <= 1:
        yield Note("taken_as_accuracies")


def _evidence_elsewhere(found: Findings) -> Iterator[Note]:
    """Evidence on other scores, or on other accuracies, than those of the claim."""
    if found.claim.of_means:
        if isinstance(found.overlap, Overlap):
            yield Note("correlation_of_right_or_wrong")
        return
    worse = min(found.a, found.b)
    for evidence in found.evidence:
        if not evidence.covers(worse):
            low, high = evidence.accuracies
            seen = {"accuracy": worse, "low": low, "high": high}
            yield Note("evidence_out_of_range", {"evidence": evidence.label, **seen})


def _plausible(found: Findings) -> Iterator[Note]:
    """Why there is no power."""
    expected = found.expectation
    if not found.evaluation.known:
        return
    if expected.effect is None:
        yield Note("no_plausible_effect")
    elif expected.rates is None and expected.effect > 0.0:
        yield Note("plausible_effect_impossible")
    elif expected.rates is None:
        yield Note("no_gain_expected")


def _rounding(found: Findings) -> Iterator[Note]:
    p, alpha = found.pvalues, found.criterion.alpha
    if p is not None and found.verdict != "certain" and rejects(p.high, alpha):
        yield Note("certain_without_rounding")


def _selection(found: Findings) -> Iterator[Note]:
    systems, seeds = found.context.systems, found.context.seeds
    if systems is not None and systems > 2 and found.evaluation.known:
        yield Note("among_many")
    # Without a difference there is nothing that chance could explain, unless the spread of runs is known.
    if seeds is not None and seeds > 1 and (found.effect or found.context.seed_sd is not None):
        yield Note("best_seed")


def _reported_p(found: Findings) -> Iterator[Note]:
    said, p = found.context.reported_p, found.pvalues
    if said is None or p is None:
        return
    reported = {"reported": said.text}
    if said.low > p.high_rounded or said.high < p.low_rounded:
        yield Note("reported_p_impossible", reported)
    elif found.implied is None:
        yield Note("reported_p_possible", reported)
    else:
        yield Note("reported_p_implies_discordance", {**reported, "discordance": found.implied})
