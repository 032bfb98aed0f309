"""Plans for right-or-wrong systems whose overlap nobody gave: past pairs of systems say what it is likely to be."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tellapart.doors import verb
from tellapart.errors import UsageError
from tellapart.evidence import Overlap, others_at
from tellapart.populations import PairedBinary, Population
from tellapart.populations.from_evidence import HIGH, LOW, FromEvidence
from tellapart.populations.paired_binary import OVERLAPS
from tellapart.populations.wrapper import Wrapper
from tellapart.results.note import Note
from tellapart.results.plan import PlanRow, SolvedFor
from tellapart.verbs.beliefs import Beliefs

if TYPE_CHECKING:
    from tellapart.verbs.plan.ask import Ask


def complete(population: Population, beliefs: Beliefs) -> Population:
    """The population with evidence in place of an overlap that was not given; others pass unchanged."""
    if isinstance(population, Wrapper):
        return population.replace(population=complete(population.population, beliefs))
    if beliefs.named is not None and beliefs.named_overlap is None:
        raise UsageError(
            f"{beliefs.named} is about gains; a plan needs evidence on overlap: {verb('evidence')} lists it"
        )
    if isinstance(population, PairedBinary) and population.accuracy is not None and not population.complete:
        evidence = beliefs.overlap(population.accuracy)
        return FromEvidence(effect=population.effect, accuracy=population.accuracy, evidence=evidence)
    if beliefs.named is not None:
        raise UsageError(
            f"evidence is for paired_binary with accuracy=… and none of {', '.join(OVERLAPS)}; {population} needs none"
        )
    return population


def with_band(ask: "Ask", row_of: "Callable[[Ask], PlanRow]") -> PlanRow:
    """The row at the evidence's expectation, its solved number bounded by those at the ends of the band."""
    row = row_of(ask)
    ends = [end for place in (LOW, HIGH) if (end := _end(ask, place, row_of)) is not None]
    return _bounded(_settled(ask, row), ask.solved_for, ends)


def _end(ask: "Ask", place: float, row_of: "Callable[[Ask], PlanRow]") -> PlanRow | None:
    """The row at one end of the band; None where nothing can be solved there."""
    try:
        return row_of(replace(ask, population=_moved(ask.population, place)))
    except UsageError:
        return None


def _moved(population: Population, place: float) -> Population:
    if isinstance(population, Wrapper):
        return population.replace(population=_moved(population.population, place))
    return population.replace(place=place)


def _bounded(row: PlanRow, solved_for: SolvedFor, ends: list[PlanRow]) -> PlanRow:
    if solved_for == "power":
        low = min([row.power_low, *(end.power_low for end in ends)])
        return replace(
            row, power_low=low, power_high=max([row.power_high, *(end.power_high for end in ends)])
        )
    values = [float(getattr(end, solved_for)) for end in (row, *ends)]
    if len(ends) < 2:
        return row
    return replace(row, solved_low=min(values), solved_high=max(values))


def _settled(ask: "Ask", row: PlanRow) -> PlanRow:
    """The row with the discordance at its effect as a number, and the name of the evidence it came from."""
    if not isinstance(ask.population, FromEvidence):
        return row
    supposed = ask.population.with_effect(row.effect)
    settled = supposed.settled
    options = {
        "accuracy": settled.accuracy,
        "discordance": settled.discordance,
        "evidence": supposed.evidence.label,
    }
    return replace(row, population=str(settled), options=options)


def notes(population: Population, row: PlanRow) -> Iterator[Note]:
    """Which evidence spoke for the first row, what it said, and where it was seen."""
    supposed = population.supposed
    if supposed is None:
        return
    evidence, band = supposed.evidence, supposed.with_effect(row.effect).band()
    said = {"expected": band.expected, "low": band.low, "high": band.high, "band": evidence.band}
    yield Note("overlap_from_evidence", {"evidence": evidence.label, "among": evidence.among, **said})
    origin = {"source": evidence.source, "uncertainty": evidence.uncertainty, "caution": evidence.caution}
    yield Note("evidence_source", {"evidence": evidence.label, **origin})
    accuracy, (low, high) = supposed.accuracy or 0.0, evidence.accuracies
    if not evidence.covers(accuracy):
        seen = {"accuracy": accuracy, "low": low, "high": high}
        yield Note("outside_evidence", {"evidence": evidence.label, **seen})
    a, b = supposed.with_effect(row.effect).accuracies
    if others := [_said(one, a, b) for one in others_at(evidence, a, b)]:
        yield Note("other_boards_differ", {"others": others})


def _said(evidence: Overlap, a: float, b: float) -> dict[str, object]:
    """What another board says of these accuracies, and where it was seen."""
    band, (low, high) = evidence.discordance(a, b), evidence.accuracies
    numbers = {"expected": band.expected, "low": band.low, "high": band.high}
    return {"evidence": evidence.label, **numbers, "seen_from": low, "seen_to": high}
