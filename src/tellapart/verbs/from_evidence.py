"""Plans for right-or-wrong systems whose overlap nobody gave: past pairs of systems say what it is likely to be."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from tellapart.errors import UsageError
from tellapart.populations import PairedBinary, Population
from tellapart.populations.from_evidence import HIGH, LOW, FromEvidence
from tellapart.populations.paired_binary import OVERLAPS
from tellapart.populations.wrapper import Wrapper
from tellapart.results.plan import PlanRow, SolvedFor
from tellapart.verbs.beliefs import Beliefs
from tellapart.wording import percent, significant, thousands

if TYPE_CHECKING:
    from tellapart.verbs.plan import Ask


def complete(population: Population, beliefs: Beliefs) -> Population:
    """The population with evidence in place of an overlap that was not given; others pass unchanged."""
    if isinstance(population, Wrapper):
        return population.replace(population=complete(population.population, beliefs))
    if beliefs.named is not None and beliefs.named_overlap is None:
        raise UsageError(
            f"{beliefs.named} is about gains; a plan needs evidence on overlap: `tellapart evidence` lists it"
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


def notes(population: Population, row: PlanRow, solved_for: SolvedFor) -> tuple[str, ...]:
    """Which evidence spoke for the first row, what it said, and what the answer is over its band."""
    supposed = population.supposed
    if supposed is None:
        return ()
    evidence, band = supposed.evidence, supposed.with_effect(row.effect).band()
    a = supposed.accuracy or 0.0
    said = (
        f"no discordance was given: {evidence.label} says {significant(band.expected, 3)} ({evidence.band} between "
        f"{significant(band.low)} and {significant(band.high)}). {_answer(row, solved_for)}"
    )
    where = f"{evidence.label}: {evidence.source}; {evidence.uncertainty}" + (
        f"; {evidence.caution}" if evidence.caution else ""
    )
    outside = (
        ""
        if evidence.covers(a)
        else f"accuracy {a:g} lies outside what {evidence.label} was seen at ({evidence.accuracies[0]:g} to {evidence.accuracies[1]:g})"
    )
    return tuple(n for n in (said, where, outside) if n)


def _answer(row: PlanRow, solved_for: SolvedFor) -> str:
    if solved_for == "power":
        low, high = (percent(round(x, 3)) for x in (row.power_low, row.power_high))
        return f"Over that band the power is {low} to {high}"
    if row.solved_low is None or row.solved_high is None:
        return "At the end of that band nothing can be solved"
    if solved_for == "items":
        return f"Over that band it takes {thousands(round(row.solved_low))} to {thousands(round(row.solved_high))} items"
    return (
        f"Over that band the effect is {significant(row.solved_low, 3)} to {significant(row.solved_high, 3)}"
    )
