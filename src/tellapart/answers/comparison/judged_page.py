"""Tables and facts on the page of a comparison by a judge and a few human labels."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.judged import Bounds, by_labels, judged_estimates
from tellapart.answers.comparison.parts import BoundedValue, JudgedResult
from tellapart.answers.page import Cell, Column, Grid, Row
from tellapart.foundation.formatting import amount, number, one_line, percent, thousands


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
