"""Plans based on evidence: the solved number at the expectation and at both ends of the band, with notes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tellapart.answers.parts import Note
from tellapart.answers.plan import PlanRow, SolvedFor
from tellapart.foundation.errors import UsageError
from tellapart.populations import Population
from tellapart.populations.evidence import EXPECTED, HIGH, LOW, Boards, Evidence, Overlap, others_at
from tellapart.populations.from_evidence import FromEvidence, Incomplete, RunsFromEvidence
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.rating_designs import SPREADS
from tellapart.populations.wrapper import Wrapper
from tellapart.verbs.evidence.priors import Named, Priors

if TYPE_CHECKING:
    from tellapart.verbs.plan.case import PlanCase


def solve_with_band(
    case: "PlanCase", row_of: "Callable[[PlanCase], PlanRow]", roughly: "Callable[[PlanCase, PlanRow], PlanRow]"
) -> PlanRow:
    """The row at the evidence's expectation, its solved number bounded by those at the ends of the band, known roughly."""
    row = row_of(case)
    low, high = (_row_at_end(case, place, lambda end: roughly(end, row)) for place in (LOW, HIGH))
    return _with_band_bounds(_with_evidence_numbers(case, row), case.solved_for, low, high)


def _row_at_end(case: "PlanCase", place: float, row_of: "Callable[[PlanCase], PlanRow]") -> PlanRow | None:
    """The row at one end of the band; None where nothing can be solved there."""
    try:
        end = _prior_of(case.prior, case.population).at_place(place)
        return row_of(replace(case, population=end))
    except UsageError:
        return None


def _prior_of(prior: Population | None, population: Population) -> Population:
    assert prior is not None, "only what rests on evidence has a band"
    return prior.with_effect(population.effect)


def _with_band_bounds(row: PlanRow, solved_for: SolvedFor, low: PlanRow | None, high: PlanRow | None) -> PlanRow:
    """The row with the numbers at the ends; its pessimistic end is open where no number has the power there."""
    ends = [end for end in (low, high) if end is not None]
    if solved_for == "power":
        lowest = min([row.power_low, *(end.power_low for end in ends)])
        return replace(row, power_low=lowest, power_high=max([row.power_high, *(end.power_high for end in ends)]))
    if low is None:
        return row
    values = [float(getattr(end, solved_for)) for end in (row, *ends)]
    return replace(row, solved_low=min(values), solved_high=None if high is None else max(values))


def _with_evidence_numbers(case: "PlanCase", row: PlanRow) -> PlanRow:
    """The row with what evidence says at its effect as numbers, and the name of the evidence."""
    if isinstance(case.prior, FromEvidence):
        settled = case.prior.with_effect(row.effect).settled
        numbers = {"accuracy": settled.accuracy, "discordance": settled.discordance}
        named = {**numbers, "evidence": case.prior.evidence.label}
        return replace(row, population=str(settled), options=named)
    if isinstance(case.prior, RunsFromEvidence):
        of_runs = case.prior.with_effect(row.effect).settled
        own = {"discordance": of_runs.discordance, "evidence": case.prior.evidence.label}
        shown = {name: value for name, value in row.options.items() if name != "place"}
        return replace(row, population=str(of_runs), options={**shown, **own})
    prior = case.prior.inside[-1] if isinstance(case.prior, Wrapper) else case.prior
    if isinstance(prior, FromEvidence) and isinstance(case.prior, Wrapper):
        settled = prior.with_effect(row.effect).settled.with_effect(None)
        inner = settled if case.prior.population == prior else case.prior.population
        whole = case.prior.with_effect(row.effect).replace(population=inner)
        options = {**row.options, "population": str(inner), "evidence": prior.evidence.label}
        return replace(row, population=str(whole), options=options)
    if isinstance(prior, Incomplete):
        sources = dict.fromkeys(one.label for one in prior.sources.values())
        return replace(row, options={**row.options, "evidence": " and ".join(sources)})
    return row


def effect_note(evidence: Named, population: Population) -> Iterator[Note]:
    """The note on evidence on gains, where it was named and so set the effect."""
    gain = Priors.of(evidence).named_gain
    inner = population.inside[-1] if isinstance(population, Wrapper) else population
    if gain is None or not isinstance(inner, PairedBinary):
        return
    accuracy = inner.accuracy or 0.0
    band, (low, high) = gain.gain(accuracy), gain.accuracies
    if population.effect != band.expected:
        return
    said = {"expected": band.expected, "low": band.low, "high": band.high, "band": gain.band}
    yield Note("effect_from_evidence", {"evidence": gain.label, "accuracy": accuracy, **said})
    yield _source_note(gain)
    if not gain.covers(accuracy):
        yield Note("outside_evidence", {"evidence": gain.label, "accuracy": accuracy, "low": low, "high": high})


def evidence_notes(case: "PlanCase", row: PlanRow) -> Iterator[Note]:
    """Which evidence spoke for the first row, what it said, and where it was seen."""
    prior = case.prior
    while isinstance(prior, Wrapper):
        prior = prior.population
    if isinstance(prior, FromEvidence | RunsFromEvidence):
        yield from _overlap_notes(prior, row)
    elif isinstance(prior, Incomplete):
        yield _ratings_note(prior) if prior.by_raters else _spread_note(prior)
        yield from map(_source_note, dict.fromkeys(prior.sources.values()))


def _ratings_note(prior: Incomplete) -> Note:
    (source,) = prior.sources.values()
    found = [prior.kind.numbers_from(prior.given, prior.evidence, place) for place in (EXPECTED, LOW, HIGH)]
    bands = {
        name: {
            "expected": found[0][name],
            "low": min(said[name] for said in found),
            "high": max(said[name] for said in found),
        }
        for name in SPREADS
    }
    return Note("ratings_from_evidence", {"evidence": source.label, "spreads": bands, "range": prior.given["range"]})


def _spread_note(prior: Incomplete) -> Note:
    said = [
        {
            "name": name,
            "evidence": evidence.label,
            "among": evidence.among,
            "expected": band.expected,
            "low": band.low,
            "high": band.high,
            "band": evidence.band,
            "measured": evidence.measured,
            "scale": "scores between 0 and 1" if _scaled_to_one(evidence) else "",
        }
        for name, evidence in prior.evidence.items()
        if (band := getattr(evidence, name))
    ]
    return Note("spread_from_evidence", {"supposed": said})


def _scaled_to_one(evidence: Evidence) -> bool:
    """Whether its numbers are of scores between 0 and 1 alone."""
    return evidence.published and evidence.kind == "spread"


def _source_note(evidence: Evidence) -> Note:
    origin = {"source": evidence.source, "uncertainty": evidence.uncertainty, "caution": evidence.caution}
    return Note("evidence_source", {"evidence": evidence.label, **origin})


def _overlap_notes(supposed: FromEvidence | RunsFromEvidence, row: PlanRow) -> Iterator[Note]:
    a, b = supposed.with_effect(row.effect).accuracies
    boards = supposed.evidence.covered(a, b) if isinstance(supposed.evidence, Boards) else ()
    evidence = boards[0] if boards else supposed.evidence
    band = evidence.discordance(a, b)
    said = {"expected": band.expected, "low": band.low, "high": band.high, "band": evidence.band}
    whose = {"evidence": evidence.label, "among": evidence.among, "measured": evidence.measured}
    yield Note("overlap_from_evidence", {**whose, **said, "boards": [one.label for one in boards]})
    yield _source_note(evidence)
    accuracy, (low, high) = supposed.accuracy or 0.0, evidence.accuracies
    if not evidence.covers(accuracy):
        seen = {"accuracy": accuracy, "low": low, "high": high}
        yield Note("outside_evidence", {"evidence": evidence.label, **seen})
    others = [one for one in boards if one != evidence] or others_at(evidence, a, b)
    if others:
        yield Note("other_boards_differ", {"others": [_board_numbers(one, a, b) for one in others]})


def _board_numbers(evidence: Overlap, a: float, b: float) -> dict[str, object]:
    """The numbers of another board at these accuracies, and where they were seen."""
    band, (low, high) = evidence.discordance(a, b), evidence.accuracies
    numbers = {"expected": band.expected, "low": band.low, "high": band.high}
    return {"evidence": evidence.label, **numbers, "seen_from": low, "seen_to": high}
