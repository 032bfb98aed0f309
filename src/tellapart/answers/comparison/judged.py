"""Sentences, notes, tables and facts of a comparison by a judge and a few human labels."""

from collections.abc import Iterator

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.judged_parts import BoundedValue, JudgedResult
from tellapart.answers.page import Cell, Column, Grid, Row
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, number, one_line, percent, significant, thousands
from tellapart.foundation.formatting import pvalue as pvalue_in_words
from tellapart.foundation.surfaces import option

JUDGED: NoteTexts[Comparison] = NoteTexts()


def labels_and_judge(found: JudgedResult) -> str:
    """The sample, in a sentence to quote."""
    return f"{amount(found.labels, 'label')}, {amount(found.judged, 'item')} judged by {one_line(found.judge)}"


def labels_alone(answer: Comparison) -> str:
    """What the labels say without the judge, for the sentence to quote."""
    found = None if answer.judged is None else answer.judged.labels_alone
    if found is None or answer.judged is None or answer.judged.labels == answer.judged.judged:
        return ""
    bounds = found.interval
    return f"Labels alone: {answer.unit.confidence_interval(bounds.level, bounds.low, bounds.high)}."


def by_labels(answer: Comparison) -> bool:
    """Whether the answer is the corrected one, and not that of items all of which people labelled."""
    return answer.judged is not None and answer.judged.labels < answer.judged.judged


def judged_to_settle(answer: Comparison) -> str:
    """The plan that says what these labels find; with an effect in their place, how many find it."""
    found = answer.judged
    seen = None if found is None else found.correlation["differences"]
    if found is None or seen is None or answer.verdict != "undetermined" or not answer.sd_difference:
        return ""
    command = (
        f"tellapart plan judged --sd-difference {significant(answer.sd_difference)} --judge-correlation {significant(seen.value)} "
        f"--labels {found.labels} --items {found.judged}"
    )
    return f"what so many labels find, or with --effect in place of --labels how many find it: {command}"


@JUDGED
def few_differ(_: Comparison, differ: int, below: int) -> str:
    return (
        f"people see a difference on {amount(differ, 'labelled item')} (fewer than {below}): two labels were added, one for each system, without which "
        "such intervals are too short"
    )


@JUDGED
def judge_adds_little(_: Comparison, labels: int, worth: float) -> str:
    return (
        f"the judge adds little: {amount(labels, 'label')} with it tell as much as {thousands(round(worth))} alone. That is no reason to switch to labels "
        "alone here: choosing by the look of the result would not cover"
    )


@JUDGED
def judge_sees_none(_: Comparison) -> str:
    return "the judge sees too little on the labelled items to learn from: labels alone decide"


@JUDGED
def judge_favours(answer: Comparison, by: float) -> str:
    name = one_line(answer.b.name if by > 0.0 else answer.a.name)
    return f"the judge favours {name}: by {answer.unit.size(abs(by))} more than people do on labelled items. The difference above is corrected for it"


@JUDGED
def labels_not_random(_: Comparison, labelled: float, unlabelled: float, pvalue: float) -> str:
    return (
        f"labelled items are unlike the others: the judge's mean difference is {significant(labelled)} on them and {significant(unlabelled)} elsewhere "
        f"({pvalue_in_words(pvalue)}). Labels have to be a random sample; where they were drawn stratum by stratum, name {option('strata')}. Items that are alike "
        "here would not prove it either"
    )


@JUDGED
def labels_miss_tails(_: Comparison, labelled: float, everywhere: float) -> str:
    return (
        f"the judge's differences spread more over all items (sd {significant(everywhere)}) than over labelled ones ({significant(labelled)}): rare large "
        "failures may be missing among the labels, and the interval then covers too seldom"
    )


@JUDGED
def labels_dropped(_: Comparison, labels: int) -> str:
    return f"{amount(labels, 'labelled item')} without a judge's score {'was' if labels == 1 else 'were'} left out"


@JUDGED
def judge_not_needed(_: Comparison) -> str:
    return "people labelled every item: the answer is theirs, and the judge is only reported on"


@JUDGED
def people_averaged(_: Comparison, people: int) -> str:
    return f"scores of up to {thousands(people)} people were averaged within items: the answer is about these people"


@JUDGED
def other_scale(_: Comparison) -> str:
    return "people and judge use other scales: the slope takes care of that, and a difference by the judge alone, or a bias, has no meaning"


@JUDGED
def means_apart(answer: Comparison, difference: float) -> str:
    return (
        f"the corrected means of the systems differ by {answer.unit.size(difference)}, each being corrected by itself; the claim is the difference "
        "above"
    )


# Tables and facts of its page.


def judged_grids(answer: Comparison) -> tuple[Grid, ...]:
    """The corrected difference, that of labels alone, and that of the judge, which has no interval."""
    found = answer.judged
    if found is None or not by_labels(answer):
        return ()
    rows = tuple(_judged_row(answer, *one) for one in judged_estimates(answer))
    columns = (
        Column("", "name"),
        Column("B − A", "number"),
        Column(f"{percent(answer.interval.level)} CI", "interval"),
    )
    return (Grid(columns, rows, "the difference by labels, judge and both"), *_strata_grid(answer, found))


Bounds = tuple[float, float] | tuple[None, None]


def judged_estimates(answer: Comparison) -> Iterator[tuple[str, float, Bounds]]:
    """The difference by labels and judge, by labels, and by the judge, with bounds where there is an interval."""
    found = answer.judged
    yield "labels and judge", answer.effect, (answer.interval.low, answer.interval.high)
    if found is not None and (alone := found.labels_alone) is not None:
        yield "labels alone", alone.effect, (alone.interval.low, alone.interval.high)
    if found is not None and found.judge_alone is not None:
        yield "judge alone", found.judge_alone, (None, None)


def _judged_row(answer: Comparison, name: str, effect: float, bounds: Bounds) -> Row:
    unit = answer.unit
    places = unit.places(answer.interval.low, answer.interval.high)
    interval = (
        Cell("no interval: it would leave out the judge's bias", (None, None))
        if bounds[0] is None
        else Cell(unit.bare_interval(*bounds, places), unit.printed(*bounds))
    )
    return Cell(name), Cell(unit.bare_difference(effect, places), unit.printed(effect)), interval


def _strata_grid(answer: Comparison, found: JudgedResult) -> tuple[Grid, ...]:
    if found.strata is None:
        return ()
    columns = (
        Column("stratum", "name"),
        Column("judged", "number"),
        Column("labels", "number"),
        Column("B − A", "number"),
    )
    places = answer.unit.places(answer.interval.low, answer.interval.high)
    rows = tuple(
        (
            Cell(one_line(one.name)),
            Cell(thousands(one.judged), (one.judged,)),
            Cell(thousands(one.labels), (one.labels,)),
            Cell(answer.unit.bare_difference(one.effect, places), answer.unit.printed(one.effect)),
        )
        for one in found.strata
    )
    return (Grid(columns, rows, "strata that labels were drawn from"),)


def judged_facts(answer: Comparison) -> list[tuple[str, str]]:
    """Labels, the judge, and what the judge is worth."""
    found = answer.judged
    if found is None:
        return []
    seen = f"people see a difference on {thousands(found.differ)}"
    facts = [("labels", f"{thousands(found.labels)} of {thousands(found.judged)} judged items; {seen}")]
    facts.append(("the judge", "; ".join(filter(None, [_judge_correlates(found), _judge_leans(answer, found)]))))
    facts.append(("bias", _biases_by_system(answer, found)))
    facts.append(("right, wrong", _shares_called_right(answer, found)))
    if by_labels(answer):
        tell = f"these {amount(found.labels, 'label')} with the judge tell as much as {amount(round(found.worth), 'label')} alone"
        facts.append(("worth", tell))
    return facts


def _judge_correlates(found: JudgedResult) -> str:
    seen = found.correlation["differences"]
    return "" if seen is None else f"its differences correlate with people's by {_with_bounds(seen)}"


def _with_bounds(one: BoundedValue, digits: int = 2) -> str:
    return f"{number(one.value, digits)} [{number(one.low, digits)}, {number(one.high, digits)}]"


def _bias_in_words(answer: Comparison, one: BoundedValue) -> str:
    unit = answer.unit
    places = unit.places(one.low, one.high)
    return f"{unit.difference(one.value, places)} {unit.bare_interval(one.low, one.high, places)}"


def _judge_leans(answer: Comparison, found: JudgedResult) -> str:
    if found.bias is None:
        return ""
    one = found.bias["difference"]
    name = one_line(answer.b.name if one.value >= 0.0 else answer.a.name)
    if one.value < 0.0:
        one = BoundedValue(-one.value, -one.high, -one.low)
    return f"it favours {name} by {_bias_in_words(answer, one)} on labelled items"


def _biases_by_system(answer: Comparison, found: JudgedResult) -> str:
    """Of each system by itself."""
    if found.bias is None:
        return ""
    both = ((answer.a.name, found.bias["a"]), (answer.b.name, found.bias["b"]))
    return "judge less people: " + ", ".join(f"{one_line(name)} {_bias_in_words(answer, one)}" for name, one in both)


def _shares_called_right(answer: Comparison, found: JudgedResult) -> str:
    if found.sensitivity is None or found.specificity is None:
        return ""
    said = []
    for key, system in (("a", answer.a), ("b", answer.b)):
        right, wrong = (
            "none" if one is None else f"{percent(one.value, 2)} [{percent(one.low, 2)}, {percent(one.high, 2)}]"
            for one in (found.sensitivity[key], found.specificity[key])
        )
        said.append(f"of {one_line(system.name)} it calls right {right} of what people do, wrong {wrong}")
    kappa = "" if found.kappa is None else f"; Cohen's kappa {number(found.kappa, 2)}"
    return "; ".join(said) + kappa
