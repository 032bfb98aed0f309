"""Sentences about the scores of single systems: headline, result sentence and notes."""

from dataclasses import replace

from tellapart.answers.parts import IntervalResult
from tellapart.answers.reading_texts import READING
from tellapart.answers.score import ScoreReport, SystemScore
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, one_line, percent, thousands
from tellapart.foundation.formatting.units import Unit
from tellapart.foundation.surfaces import verb

NOTES: NoteTexts[ScoreReport] = NoteTexts(READING)


def with_texts(answer: ScoreReport) -> ScoreReport:
    return replace(
        answer, headline=_headline(answer), sentence=_sentence(answer), notes=NOTES.with_texts(answer, answer.notes)
    )


def measured(answer: ScoreReport) -> str:
    """The name of the number: the measure of a mean, else the metric."""
    return one_line(answer.measure if answer.metric == "mean" else answer.metric)


def _headline(answer: ScoreReport) -> str:
    if len(answer.systems) > 1:
        return f"{thousands(len(answer.systems))} systems, each by itself"
    one = answer.systems[0]
    return f"{one_line(one.name)}: {measured(answer)} {_bounded(answer.unit, one.mean, one.interval)}"


def _bounded(unit: Unit, mean: float, found: IntervalResult) -> str:
    places = unit.places(found.low, found.high)
    return f"{unit.score(mean, places)}, {percent(found.level)} interval {unit.score_interval(found.low, found.high, places)}"


def _sentence(answer: ScoreReport) -> str:
    told = [_told_alone(one, answer) for one in answer.systems[:3]]
    more = len(answer.systems) - len(told)
    others = [f"{amount(more, 'more system')} in the table."] if more > 0 else []
    return " ".join([*told, *others, *_to_be_reached(answer)])


def _told_alone(one: SystemScore, answer: ScoreReport) -> str:
    right = "" if one.right is None else f" ({thousands(one.right)} right)"
    clusters = "" if one.clusters is None else f" in {amount(one.clusters, 'cluster')}"
    return (
        f"{one_line(one.name)} has {measured(answer)} {_bounded(answer.unit, one.mean, one.interval)} ({one.interval.shown_method}), on "
        f"{amount(one.items, 'item')}{clusters}{right}."
    )


def _to_be_reached(answer: ScoreReport) -> list[str]:
    """The scores that another system would have to reach, from the least alike to the most."""
    possible = [one for one in answer.further if one.score is not None]
    if not answer.further:
        return []
    if not possible:
        return ["These items cannot tell a better system from it with 80 % power, however good that is."]
    found = answer.systems[0].interval
    places = answer.unit.places(found.low, found.high)
    said = [f"{answer.unit.score(one.score or 0.0, places)} at correlation {one.correlation:g}" for one in possible]
    power = percent(possible[0].power)
    return [
        f"To be told apart on these items with {power} power, another system would have to reach {_in_words(said)} of their scores."
    ]


def _in_words(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


@NOTES
def items_without_score(_: ScoreReport, system: str, items: int) -> str:
    return f"{one_line(system)} has no score on {amount(items, 'item')} of these files: its mean leaves them out"


@NOTES
def scores_do_not_vary(_: ScoreReport, system: str) -> str:
    return f"every score of {one_line(system)} is the same number, so its interval has no width: other items might vary"


NOTES.plain(
    seeds_averaged="seeds were averaged within each item: the interval is about these trainings only, and others may score otherwise",
    each_by_itself=(
        "each interval is about one system; two systems whose intervals overlap may still differ, because they were scored on the same items: "
        f"{verb('compare')} tests two of them, {verb('rank')} all"
    ),
)


@NOTES
def datasets_pooled(_: ScoreReport, datasets: int) -> str:
    return (
        f"the items of {thousands(datasets)} datasets are pooled with equal weight; the table also shows each dataset"
    )
