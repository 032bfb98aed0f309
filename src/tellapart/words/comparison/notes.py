"""The notes of a comparison, in words."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

from tellapart.doors import option
from tellapart.results.comparison import Comparison
from tellapart.wording import (
    amount,
    confidence,
    confidence_interval,
    one_line,
    percent,
    signed_short,
    significant,
    thousands,
)
from tellapart.wording import pvalue as pvalue_in_words
from tellapart.words.comparison.people_notes import PEOPLE
from tellapart.words.reading import READING
from tellapart.words.sayings import Sayings
from tellapart.words.workers import STOPPED

NOTES: Sayings[Comparison] = Sayings(READING, PEOPLE, STOPPED)

MOST_NAMED = 8
"""Datasets that a note names one by one."""

USUAL_ALPHA = 0.05
"""At which `plan` plans unless told otherwise."""


@NOTES
def interrupted(_: Comparison, resamples: int | None, asked_resamples: int | None) -> str:
    return f"interrupted: {_drawn(resamples, asked_resamples)}"


@NOTES
def time_limit(_: Comparison, resamples: int | None, asked_resamples: int | None) -> str:
    return f"stopped when the time was up: {_drawn(resamples, asked_resamples)}"


def _drawn(resamples: int | None, asked: int | None) -> str:
    if resamples is None or asked is None:
        return "what could be detected here comes from fewer simulated evaluations than usual"
    return f"p-value and interval come from as few as {thousands(resamples)} of {thousands(asked)} resamples, and are known less well for it"


@NOTES
def datasets_pooled(answer: Comparison, datasets: int) -> str:
    return (
        f"items of {datasets} datasets were pooled: effect, test and interval are about all {thousands(answer.items)} items alike, so a "
        f"dataset weighs as much as it has items; the table of datasets judges each alone, and {option('dataset')} picks one"
    )


@NOTES
def datasets_left_out(_: Comparison, datasets: list[str]) -> str:
    shown = ", ".join(map(one_line, datasets[:MOST_NAMED])) + (
        f" and {thousands(len(datasets) - MOST_NAMED)} more" if len(datasets) > MOST_NAMED else ""
    )
    return f"datasets with too few items, or too little spread, to be judged alone: {shown}"


@NOTES
def items_dropped(_: Comparison, lost: list[dict[str, Any]], unscored: int) -> str:
    dropped = [
        f"{amount(one['items'], 'item')} of {one_line(one['system'])} that the other lacks (first: {one['first']!r})"
        for one in lost
    ]
    blank = [f"{amount(unscored, 'item')} that no system has a score on"] if unscored else []
    return f"dropped: {', '.join([*dropped, *blank])}"


@NOTES
def no_shared_items(answer: Comparison, items_a: int, items_b: int) -> str:
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    return f"the systems share no item ({items_a} of {a}, {items_b} of {b}): an unpaired test needs many more items than a paired one"


@NOTES
def runs_averaged(answer: Comparison) -> str:
    found, names = answer.repeats, (one_line(answer.a.name), one_line(answer.b.name))
    assert found is not None, "runs were averaged, so there are repeats"
    runs = zip((found.runs_a, found.runs_b), names, strict=True)
    variances = zip((found.within_item_variance_a, found.within_item_variance_b), names, strict=True)
    noun = "run" if answer.groups is None else "score"
    counts = " and ".join(f"{amount(n, noun)} of {name}" for n, name in runs)
    spread = " and ".join(f"{significant(v)} of {name}" for v, name in variances if v is not None)
    varied = f"; variance between {noun}s of the same item: {spread}" if spread else ""
    most = "" if answer.groups is None else "over groups and runs, up to "
    return f"{most}{counts} were averaged within each item, and items are the sample{varied}"


@NOTES
def metric_is_zero(answer: Comparison, systems: list[str]) -> str:
    return f"{answer.metric} of {' and '.join(map(one_line, systems))} is 0, or undefined and counted as 0"


@NOTES
def test_and_interval_disagree(
    answer: Comparison, low: float, high: float, level: float, *, interval_excludes_zero: bool
) -> str:
    tells = "excludes" if interval_excludes_zero else "includes"
    p, bounds = pvalue_in_words(answer.pvalue, answer.alpha), confidence_interval(level, low, high)
    return f"test and interval disagree ({p}, while the {bounds} {tells} 0); the test decides"


@NOTES
def margin_interval_disagrees(answer: Comparison, low: float, high: float, level: float) -> str:
    bounds = _at_margin(answer, low, high, level)
    return f"the {bounds} disagrees with the two one-sided tests; the tests decide"


@NOTES
def equivalence_by_interval(
    answer: Comparison, low: float, high: float, level: float, *, inside: bool
) -> str:
    lies = "lies inside" if inside else "does not lie inside"
    return f"equivalence goes by the {_at_margin(answer, low, high, level)}, which {lies} ±{answer.margin:g}"


def _at_margin(answer: Comparison, low: float, high: float, level: float) -> str:
    """The interval, rounded so that its bounds stay on their sides of the margin."""
    margin = answer.margin or 0.0
    return confidence_interval(level, low, high, -margin, margin)


@NOTES
def other_test_at_margin(answer: Comparison, test: str) -> str:
    return f"{answer.test} of {answer.metric} cannot be moved to a margin: the two one-sided tests are {test}"


@NOTES
def test_ignores_clusters(answer: Comparison) -> str:
    return f"{answer.test} ignores the {_clusters(answer)}: its p-value is too small if items in a cluster resemble each other"


@NOTES
def interval_ignores_clusters(answer: Comparison) -> str:
    return f"{answer.interval.method} ignores the {_clusters(answer)}: it is too short if items in a cluster resemble each other"


@NOTES
def other_tests_ignore_clusters(answer: Comparison) -> str:
    return (
        f"of all tests, only those that speak of clusters and the bootstrap allow for the {_clusters(answer)}"
    )


def _clusters(answer: Comparison) -> str:
    return amount(answer.clusters or 0, "cluster")


@NOTES
def too_few_clusters(answer: Comparison, least_pvalue: float) -> str:  # noqa: ARG001  (for those who read values)
    return f"so few clusters cannot reach {confidence(answer.alpha)} confidence, whichever system is better"


@NOTES
def too_few_items_differ(answer: Comparison, differing: int, least_pvalue: float) -> str:
    how_many = f"only {amount(differing, 'item')}" if differing else "no item"
    return (
        f"the systems differ on {how_many}: no p-value below {least_pvalue:.3g} "
        f"can come out of {answer.test}, so {confidence(answer.alpha)} confidence cannot be reached"
    )


@NOTES
def no_width_although_items_vary(answer: Comparison, unit: str) -> str:
    return (
        f"the interval has no width although {unit}s vary: so many differ by the same that both bounds of {answer.interval.method} "
        "are that number; that is no certainty about the mean"
    )


@NOTES
def no_width(answer: Comparison, unit: str, units: int, share: float) -> str:
    alike = (
        f"every {unit} differs by the same"
        if answer.metric == "mean"
        else f"every {unit} has the same influence on both {answer.metric}"
    )
    return (
        f"{alike}, so the interval has no width; that is no certainty: {amount(units, unit)} like these "
        f"still allow that up to {percent(share, 2)} of all {unit}s differ otherwise"
    )


@NOTES
def rare_sign(  # noqa: PLR0913  (one argument per value)
    answer: Comparison, *, system: str, seen: int, unit: str, units: int, share: float
) -> str:
    other = answer.b.name if system == answer.a.name else answer.a.name
    found = f"only {amount(seen, unit)}" if seen else f"no {unit}"
    return (
        f"{one_line(system)} scores higher than {one_line(other)} on {found} of {units}; {amount(units, unit)} like these still "
        f"allow that it does on up to {percent(share, 2)} of all {unit}s ({confidence(answer.alpha)} bound), and by how much there "
        "p-value and interval cannot know"
    )


@NOTES
def rare_failures(  # noqa: PLR0913  (one argument per value)
    answer: Comparison, *, seen: int, items: int, difference: float, farther: float, share: float
) -> str:
    pair = f"{one_line(answer.b.name)} − {one_line(answer.a.name)}"
    each = (
        f"{pair} is {signed_short(difference)}"
        if seen == 1
        else f"{pair} is {signed_short(difference)} on average"
    )
    return (
        f"on {amount(seen, 'item')} of {thousands(items)} {each}, more than {farther:g} times as far out as any item on the other side; "
        f"{amount(items, 'item')} like these still allow such differences on up to {percent(share, 2)} of all items "
        f"({confidence(answer.alpha)} bound)"
    )


@NOTES
def one_item_carries(answer: Comparison, item: str, difference: float, effect_without: float) -> str:
    return (
        f"one item, {item!r}, carries most of the effect: it differs by {signed_short(difference)}, and without it the "
        f"effect is {signed_short(effect_without)} instead of {signed_short(answer.effect)}"
    )


@NOTES
def rounded_to_ties(_: Comparison, items: int) -> str:
    differ, count = ("differs", "counts as a tie") if items == 1 else ("differ", "count as ties")
    return (
        f"{amount(items, 'item')} {differ} by less than rounding can tell from nothing (the 14th digit "
        f"of the largest score) and {count}"
    )


@NOTES
def not_about_means(answer: Comparison, estimand: str) -> str:
    return f"{answer.test} tests the {estimand}: its p-value is no claim about means"


@NOTES
def pvalue_method(_: Comparison, method: str, error: float) -> str:
    return f"p-value by {method}" + (f", off by at most about {error:.1g}" if error > 0.0 else "")


@NOTES
def opposite_directions(answer: Comparison) -> str:
    return f"{answer.test} and the mean difference point in opposite directions; the verdict follows the test"


@NOTES
def detectable_by_plan(answer: Comparison, test: str, items: int, power: float, **of_texts: Any) -> str:
    asked = {"items": str(items), "power": f"{power:g}", "test": test}
    return f"what {thousands(items)} items detect with {test} takes a longer simulation: {_of_pilot(answer, asked, **of_texts)}"


@NOTES
def items_by_plan(
    answer: Comparison, test: str, effect: float | None, margin: float | None, power: float, **of_texts: Any
) -> str:
    size = {} if effect is None else {"effect": f"{effect:g}"}
    claim = f"show the margin of {margin:g}" if effect is None else f"find an effect of {effect:g}"
    asked = {**size, "power": f"{power:g}", "test": test}
    return f"how many items {claim} with {test} takes a longer simulation: {_of_pilot(answer, asked, **of_texts)}"


def _of_pilot(
    answer: Comparison,
    asked: dict[str, str],
    files: Sequence[str] = ("FILE",),
    beside: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> str:
    """The plan from these scores as a pilot, as it is typed at the command line."""
    flags = [(name, value) for name, values in beside.items() for value in values]
    flags += [("metric", answer.metric)] * (answer.metric != "mean") + list(asked.items())
    flags += [("alpha", f"{answer.alpha:g}")] * (answer.alpha != USUAL_ALPHA)
    said = chain.from_iterable((f"--{name}", shlex.quote(value)) for name, value in flags)
    return " ".join(["tellapart plan pilot", *map(shlex.quote, files), *said])
