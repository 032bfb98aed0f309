"""Findings of an audit on one claim, as numbers, notes and citations."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tellapart.answers.audit import ClaimKind, ClaimSize, ClaimVerdict, ExpectationBasis, Supposed
from tellapart.answers.parts import Note
from tellapart.claims.claim import Claim, Context
from tellapart.claims.tables import PValues
from tellapart.foundation.decision import rejects
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning.tally import ErrorRates
from tellapart.populations.evidence import Evidence, Gain, Overlap
from tellapart.verbs.audit.evaluations import Evaluation
from tellapart.verbs.audit.question import Criterion

FAR = 5.0
"""Times the level from which a p-value is far above it."""
BORDERLINE = 1.5
"""Times what is detectable up to which a claim is borderline."""


@dataclass(frozen=True)
class Expectation:
    """A plausible effect, its source, and how it would fare."""

    effect: float | None = None
    basis: ExpectationBasis | None = None
    evidence: Gain | None = None
    rates: ErrorRates | None = None

    @property
    def source(self) -> str | None:
        return self.basis if self.evidence is None else str(self.evidence)


@dataclass(frozen=True)
class Findings:
    """Everything an audit computed about one claim; `pvalues` is None where no result fits, and `impossible` says why.

    `overlap` is the evidence behind what was supposed, None where the claim itself says it. `implied` is the discordance that
    the reported p-value takes.
    """

    claim: Claim
    context: Context
    criterion: Criterion
    evaluation: Evaluation
    a: float
    b: float
    effect: float
    pvalues: PValues | None
    impossible: Note | None
    supposed: Supposed
    overlap: Evidence | None
    expectation: Expectation
    remarks: tuple[Note, ...] = ()
    implied: float | None = None
    line: int | None = None
    runs: int = 1

    @property
    def items(self) -> int:
        return self.evaluation.items

    @property
    def kind(self) -> ClaimKind:
        return "mean" if self.claim.of_means else "accuracy"

    @property
    def test(self) -> str:
        return PairedT.name if self.by_paired_t else str(self.criterion.test)

    @property
    def test_label(self) -> str:
        return PairedT.label if self.by_paired_t else self.criterion.test.label

    @property
    def by_paired_t(self) -> bool:
        """Whether items have numbers as scores: means, or shares of right runs."""
        return self.claim.of_means or self.runs > 1

    @cached_property
    def detectable(self) -> float | None:
        return self.evaluation.detectable(self.criterion)

    @cached_property
    def verdict(self) -> ClaimVerdict:
        return self.verdict_at(self.criterion.alpha)

    def verdict_at(self, alpha: float) -> ClaimVerdict:
        """The verdict of the least, the greatest and the expected p-value at a level; without any the numbers are impossible."""
        p = self.pvalues
        if p is None:
            return "impossible"
        if not rejects(p.low_rounded, alpha):
            return "not significant"
        if rejects(p.high_rounded, alpha):
            return "certain"
        if self.supposed.basis == "nothing known":
            return "undecidable"
        if rejects(p.expected, alpha):
            return "likely"
        return "unlikely" if self._is_far_from(alpha, p) else "undecidable"

    def _is_far_from(self, alpha: float, p: PValues) -> bool:
        """Whether past pairs leave little hope: p far above the level, and above it everywhere in their band.

        Several runs of an item may scatter less than the single runs of past pairs, so these say nothing against them.
        """
        return (
            self.supposed.basis == "evidence"
            and self.supposed.measured
            and self.runs == 1
            and p.expected > FAR * alpha
            and not rejects(p.usual_low, alpha)
        )

    @property
    def ratio(self) -> float | None:
        """The claimed difference as a multiple of what its items detect; None where they detect none, or every one."""
        return abs(self.effect) / self.detectable if self.detectable else None

    @property
    def size(self) -> ClaimSize | None:
        """Below what its items detect, at most half as much again (borderline), or above; None where nothing tells what they do.

        Boyi (2026), section 6.
        """
        if not self.evaluation.known:
            return None
        if self.detectable is None:
            return "below"
        if self.ratio is None:
            return "above" if self.effect else "below"
        if self.ratio < 1.0:
            return "below"
        return "borderline" if self.ratio <= BORDERLINE else "above"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence that spoke for a claim: on its overlap and on a plausible difference."""
        spoke = (self.overlap, self.expectation.evidence)
        return tuple(evidence for evidence in spoke if evidence is not None)


# Everything that limits the audit of a claim, as codes and values.


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
