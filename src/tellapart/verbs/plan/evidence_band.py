"""Plans for systems of which something is not given that past systems can tell: an overlap, a spread, a correlation, a gain."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tellapart.doors import option, verb
from tellapart.errors import UsageError
from tellapart.evidence import Evidence, Gain, Overlap, others_at
from tellapart.populations import PairedBinary, Population
from tellapart.populations.from_evidence import HIGH, LOW, FromEvidence
from tellapart.populations.open_gaussian import OpenGaussian
from tellapart.populations.supposed_gaussian import SupposedGaussian
from tellapart.populations.wrapper import Wrapper
from tellapart.results.note import Note
from tellapart.results.plan import PlanRow, SolvedFor
from tellapart.spelling import options
from tellapart.verbs.beliefs import Beliefs

if TYPE_CHECKING:
    from tellapart.verbs.plan.ask import Ask


def complete(population: Population, beliefs: Beliefs, *, solves_effect: bool) -> Population:
    """The population with evidence in place of what was not given; others pass unchanged where no evidence was named.

    `solves_effect` says that the effect is what the plan is asked for, so that no evidence on gains has to say it.
    """
    if isinstance(population, Wrapper):
        inner = population.population.with_effect(population.effect)
        filled = complete(inner, beliefs, solves_effect=solves_effect)
        return population.replace(population=filled.with_effect(None), effect=filled.effect)
    if population.by_raters:
        return _ratings(population, beliefs)
    if beliefs.named_ratings is not None:
        raise UsageError(
            f"{beliefs.named_ratings} is about ratings by several raters, and {population.name} has none; leave it out, or plan ratings"
        )
    if isinstance(population, OpenGaussian):
        return _spread(population, beliefs)
    if isinstance(population, PairedBinary) and population.accuracy is not None:
        return _right_or_wrong(population, beliefs, solves_effect=solves_effect)
    if beliefs.named is not None:
        raise UsageError(
            f"{population} needs no evidence, and {beliefs.named} is named; evidence speaks for paired_binary with an accuracy, for "
            "gaussian without sd or correlation, and for ratings without their sds"
        )
    return population


def _spread(population: OpenGaussian, beliefs: Beliefs) -> SupposedGaussian:
    if beliefs.named_overlap is not None or beliefs.named_gain is not None:
        raise UsageError(
            f"{beliefs.named} is about right and wrong answers; scores of a gaussian need evidence on spread: {verb('evidence')} lists it"
        )
    sd_from = beliefs.sd_source if population.sd is None else None
    correlation_from = beliefs.correlation_source if population.correlation is None else None
    unused = {beliefs.named_sd, beliefs.named_correlation} - {None, sd_from, correlation_from}
    if unused:
        raise UsageError(
            f"{', '.join(map(str, unused))} has nothing to say here, as what it is about is given; leave it out"
        )
    if sd_from is not None:
        _check_scale(population, sd_from)
    return SupposedGaussian.of(population, sd_from, correlation_from)


def _ratings(population: Population, beliefs: Beliefs) -> Population:
    """Ratings with the spreads that evidence says, if nobody gave them."""
    from tellapart.populations.supposed_ratings import OpenRatings  # noqa: PLC0415  (only ratings need it)

    if not (isinstance(population, OpenRatings) and population.lacks_spreads):
        if beliefs.named is not None:
            raise UsageError(
                f"{population.name} says its own spreads, and {beliefs.named} is named; leave one of them out"
            )
        return population
    if beliefs.named is not None and beliefs.named_ratings is None:
        raise UsageError(f"{beliefs.named} says nothing of ratings; {verb('evidence')} lists what does")
    if population.effect is not None and abs(population.effect) > 1.0:
        raise UsageError(
            f"evidence says how ratings between 0 and 1 vary, and effect is {population.effect:g}; give the spreads in the unit of your ratings"
        )
    return population.spread_as(beliefs.named_ratings)


def _check_scale(population: OpenGaussian, evidence: Evidence) -> None:
    """A standard deviation means something on its own scale only; one's own is in the unit of one's own scores."""
    if not evidence.published:
        return
    given = {name: getattr(population, name) for name in ("effect", "mean", "sd_b")}
    given["clip"] = None if population.clip is None else max(map(abs, population.clip))
    for name, value in given.items():
        if value is not None and abs(value) > 1.0:
            raise UsageError(
                f"{evidence} says how scores between 0 and 1 vary, and {name} is {value:g}; give {option('sd')} in the unit of your scores"
            )


def _right_or_wrong(population: PairedBinary, beliefs: Beliefs, *, solves_effect: bool) -> PairedBinary:
    if beliefs.named_sd is not None or beliefs.named_correlation is not None:
        raise UsageError(
            f"{beliefs.named_sd or beliefs.named_correlation} is about scores that are numbers; right and wrong answers need evidence on overlap: {verb('evidence')} lists it"
        )
    if population.complete and beliefs.named_overlap is not None:
        raise UsageError(
            f"evidence is for paired_binary with accuracy=… and no overlap, and {population} says its own; leave one of them out"
        )
    accuracy = population.accuracy or 0.0
    open_effect = population.effect is None and not solves_effect
    if beliefs.named_gain is not None and beliefs.named_overlap is None and not open_effect:
        raise UsageError(
            f"{beliefs.named_gain} says which effect to plan for, and the effect is {'solved for' if solves_effect else 'given'}; "
            "leave one of them out"
        )
    effect = (
        _gain(accuracy, beliefs.named_gain)
        if beliefs.named_gain is not None and open_effect
        else population.effect
    )
    if population.complete:
        return population.with_effect(effect)
    return FromEvidence(effect=effect, accuracy=accuracy, evidence=beliefs.overlap(accuracy))


def _gain(accuracy: float, evidence: Gain) -> float:
    """The effect that evidence on gains expects over this accuracy."""
    gain = evidence.gain(accuracy)
    if gain.expected <= 0.0:
        raise UsageError(
            f"{evidence} expects no gain over an accuracy of {accuracy:g}; give the smallest effect that matters: {option('effect')}"
        )
    return gain.expected


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
    supposed = population.supposed
    assert supposed is not None, "only what stands on evidence is moved"
    return supposed.moved(place)


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
    """The row with what was supposed at its effect as numbers, and the name of the evidence they came from."""
    if isinstance(ask.population, Wrapper) or ask.population.supposed is None:
        return row
    supposed = ask.population.supposed.with_effect(row.effect)
    settled = supposed.settled
    told = [o.name for o in options(type(settled)) if o.name != "effect"]
    if isinstance(supposed, FromEvidence):
        told = ["accuracy", "discordance"]
        sources = supposed.evidence.label
    elif not isinstance(supposed, SupposedGaussian):
        sources = supposed.spreads_from.label
    else:
        sources = " and ".join(dict.fromkeys(one.label for one in supposed.sources.values()))
    numbers = {name: getattr(settled, name) for name in told}
    return replace(row, population=str(settled), options={**numbers, "evidence": sources})


def gain_note(evidence: object, population: Population) -> Iterator[Note]:
    """What evidence on gains said, where it was named and so set the effect."""
    gain = Beliefs.of(evidence).named_gain  # type: ignore[arg-type]  # as the question has it
    inner = population.inside[-1] if isinstance(population, Wrapper) else population
    if gain is None or not isinstance(inner, PairedBinary):
        return
    accuracy = inner.accuracy or 0.0
    band, (low, high) = gain.gain(accuracy), gain.accuracies
    if population.effect != band.expected:
        return
    said = {"expected": band.expected, "low": band.low, "high": band.high, "band": gain.band}
    yield Note("effect_from_evidence", {"evidence": gain.label, "accuracy": accuracy, **said})
    yield _cited(gain)
    if not gain.covers(accuracy):
        yield Note(
            "outside_evidence", {"evidence": gain.label, "accuracy": accuracy, "low": low, "high": high}
        )


def notes(population: Population, row: PlanRow) -> Iterator[Note]:
    """Which evidence spoke for the first row, what it said, and where it was seen."""
    supposed = population.supposed
    if isinstance(supposed, SupposedGaussian):
        yield from _spread_notes(supposed)
    elif isinstance(supposed, FromEvidence):
        yield from _overlap_notes(supposed, row)
    elif supposed is not None:
        said = {
            name: {"expected": b.expected, "low": b.low, "high": b.high}
            for name, b in supposed.bands().items()
        }
        yield Note("ratings_from_evidence", {"evidence": supposed.spreads_from.label, "spreads": said})
        yield _cited(supposed.spreads_from)


def _spread_notes(supposed: SupposedGaussian) -> Iterator[Note]:
    said = [
        {
            "name": name,
            "evidence": supposed.sources[name].label,
            "among": supposed.sources[name].among,
            "expected": band.expected,
            "low": band.low,
            "high": band.high,
            "band": supposed.sources[name].band,
            "scale": "scores between 0 and 1" if supposed.sources[name].published else "",
        }
        for name, band in supposed.bands().items()
    ]
    yield Note("spread_from_evidence", {"supposed": said})
    yield from map(_cited, dict.fromkeys(supposed.sources.values()))


def _cited(evidence: Evidence) -> Note:
    origin = {"source": evidence.source, "uncertainty": evidence.uncertainty, "caution": evidence.caution}
    return Note("evidence_source", {"evidence": evidence.label, **origin})


def _overlap_notes(supposed: FromEvidence, row: PlanRow) -> Iterator[Note]:
    evidence, band = supposed.evidence, supposed.with_effect(row.effect).band()
    said = {"expected": band.expected, "low": band.low, "high": band.high, "band": evidence.band}
    yield Note("overlap_from_evidence", {"evidence": evidence.label, "among": evidence.among, **said})
    yield _cited(evidence)
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
