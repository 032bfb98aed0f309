"""Sentences on the data of a comparison, notes most of them: items, runs, seeds and datasets."""

from typing import Any

from tellapart.answers.comparison import Comparison
from tellapart.answers.parts import NextPlan, SeedsResult
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import (
    amount,
    confidence,
    exact,
    first_of,
    one_line,
    percent,
    signed_short,
    significant,
    thousands,
)
from tellapart.foundation.formatting import pvalue as pvalue_in_words
from tellapart.foundation.surfaces import option

ITEMS: NoteTexts[Comparison] = NoteTexts()

MOST_NAMED = 8
"""Datasets that a note names one by one."""


@ITEMS
def datasets_pooled(answer: Comparison, datasets: int) -> str:
    return (
        f"items of {datasets} datasets were pooled: effect, test and interval weigh all {thousands(answer.items)} "
        f"items alike; the table of datasets tests each alone, and {option('dataset')} picks one"
    )


@ITEMS
def datasets_left_out(_: Comparison, datasets: list[str]) -> str:
    shown = first_of(datasets, MOST_NAMED, one_line)
    return f"datasets with too few items, or too little spread, to be judged alone: {shown}"


@ITEMS
def items_dropped(_: Comparison, lost: list[dict[str, Any]], unscored: int) -> str:
    dropped = [
        f"{amount(one['items'], 'item')} of {one_line(one['system'])} that the other has no score on (first: {one['first']!r})"
        for one in lost
    ]
    blank = [f"{amount(unscored, 'item')} that no system has a score on"] if unscored else []
    return f"dropped: {', '.join([*dropped, *blank])}"


@ITEMS
def no_shared_items(answer: Comparison, items_a: int, items_b: int) -> str:
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    return f"the systems share no item ({items_a} of {a}, {items_b} of {b}): an unpaired test needs many more items than a paired one"


@ITEMS
def runs_averaged(answer: Comparison) -> str:
    found, names = answer.repeats, (one_line(answer.a.name), one_line(answer.b.name))
    assert found is not None, "runs were averaged, so there are repeats"
    variances = zip((found.within_item_variance_a, found.within_item_variance_b), names, strict=True)
    noun = "run" if answer.groups is None else "score"
    counts = (counted(found.fewest_a, found.runs_a, noun), counted(found.fewest_b, found.runs_b, noun))
    averaged = " and ".join(f"{count} of {name}" for count, name in zip(counts, names, strict=True))
    spread = " and ".join(f"{significant(v)} of {name}" for v, name in variances if v is not None)
    varied = f"; variance between {noun}s of the same item: {spread}" if spread else ""
    over = "" if answer.groups is None else "over groups and runs, "
    return f"{over}{averaged} were averaged within each item, and items are the sample{varied}"


@ITEMS
def identical_runs(_: Comparison, systems: list[dict[str, Any]]) -> str:
    found = " and ".join(
        f"of {one['runs']} runs of {one_line(one['system'])} only {one['different']} {'is' if one['different'] == 1 else 'are'} different on any item"
        for one in systems
    )
    return (
        f"{found}: copies, or answers without randomness, show nothing about variation between runs, but count as runs"
    )


@ITEMS
def trained_once(_: Comparison, systems: list[str]) -> str:
    return (
        f"one seed of {' and '.join(map(one_line, systems))}: the difference may be training luck; the answer is "
        "about these trainings, with seeds averaged within each item"
    )


@ITEMS
def seeds_averaged(answer: Comparison, *, asked: bool) -> str:
    why = "" if asked else f" ({answer.tested.label} averages them)"
    return f"the answer is about these trainings only{why}: {_seeds(answer)} were averaged within each item, and other seeds may differ otherwise"


@ITEMS
def seeds_random(answer: Comparison, seeds: list[int]) -> str:  # noqa: ARG001  (for those who read values)
    return f"the answer is about other trainings too: {_seeds(answer)}, taken as random; pass {option('seeds_as', 'fixed')} for these trainings only"


def _seeds(answer: Comparison) -> str:
    found = answer.seeds
    assert found is not None, "there are seeds"
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    return f"{amount(found.seeds_a, 'seed')} of {a} and {amount(found.seeds_b, 'seed')} of {b}"


@ITEMS
def few_seeds(_: Comparison, seeds: int, below: int) -> str:
    return f"only {seeds} seeds of a system (fewer than {below}): their spread is poorly known, which costs much of the power"


@ITEMS
def mostly_seeds(_: Comparison, share: float) -> str:
    return f"{percent(share, 2)} of the uncertainty comes from seeds: more seeds would help, more items hardly"


@ITEMS
def runs_shift(_: Comparison, pvalue: float) -> str:
    return (
        f"whole runs differ by more than chance on items explains ({pvalue_in_words(pvalue)}), as trainings with different seeds do: if they are such, pass "
        f"{option('seeds_as', 'random')} with {option('column', 'seed=run')}"
    )


@ITEMS
def runs_share_without_clusters(_: Comparison) -> str:
    return "the share of runs takes items as independent: what items of a cluster share is not in it"


@ITEMS
def metric_is_zero(answer: Comparison, systems: list[str]) -> str:
    return f"{answer.metric} of {' and '.join(map(one_line, systems))} is 0, or undefined and counted as 0"


@ITEMS
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


@ITEMS
def few_items_carry(answer: Comparison, items: list[dict[str, Any]], of: int, effect_without: float) -> str:
    named = ", ".join(f"{one['item']!r} ({signed_short(one['difference'])})" for one in items)
    return (
        f"{len(items)} of {amount(of, 'item')} {'lies' if len(items) == 1 else 'lie'} far out: {named}. Without {'it' if len(items) == 1 else 'them'} "
        f"the effect is {signed_short(effect_without)} instead of {signed_short(answer.effect)}; such items are rare, and another sample may hold none"
    )


@ITEMS
def nearly_ties(_: Comparison, items: int, differing: int, most: float) -> str:
    size, one = significant(most), items == 1
    do, count, tie = ("does", "counts", "it is a tie") if one else ("do", "count", "they are ties")
    return (
        f"of {amount(differing, 'item')} that differ, {thousands(items)} {do} so by less than a millionth of the score "
        f"({size if one else f'at most {size}'}) and {count} like the others; where that is rounding, {tie}: round the scores to say so"
    )


@ITEMS
def rounded_to_ties(_: Comparison, items: int) -> str:
    differ, count = ("differs", "counts as a tie") if items == 1 else ("differ", "count as ties")
    return (
        f"{amount(items, 'item')} {differ} by no more than rounding (the 14th digit of the largest score) and {count}"
    )


# The notes on what items detect, and on how many it takes.

BY_PLAN: NoteTexts[Comparison] = NoteTexts()


@BY_PLAN
def untold_by_test(_answer: Comparison, label: str, instead: str) -> str:
    return (
        f"detectable effects and items needed are not computed for the {label}: {option('test', instead)} gives them "
        "at once, nearly the same unless differences are skewed"
    )


@BY_PLAN
def none_detectable(_answer: Comparison, test: str, items: int, effect: float, power: float) -> str:
    return (
        f"{thousands(items)} items find no effect between 0 and {effect:.4g}, the largest that such items can have, with {percent(power)} "
        f"power by {test}"
    )


@BY_PLAN
def detectable_by_side(answer: Comparison, b_higher: float | None, b_lower: float | None, power: float) -> str:
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    sides = (b_higher, f"{b} scores higher than {a}"), (b_lower, f"{b} scores lower")
    found = "; ".join(f"if {side}, {_comparison_found(effect, power)}" for effect, side in sides)
    both = "" if b_higher is None or b_lower is None else ". The larger is found either way"
    return f"what is detectable depends on the side: {found}{both}"


def _comparison_found(effect: float | None, power: float) -> str:
    if effect is None:
        return f"none that such items can have is found with {percent(power)} power"
    return f"an effect of {significant(effect)}" if effect > 0.0 else "an effect of any size"


@BY_PLAN
def no_items_find_effect(_answer: Comparison, test: str, effect: float, power: float) -> str:
    return (
        f"no realistic number of items finds an effect of {effect:g} with {percent(power)} power by {test}: it is "
        "impossible on such items, or too small"
    )


@BY_PLAN
def seeds_limit_power(answer: Comparison, size: float, power: float, ceiling: float) -> str:
    return (
        f"no number of items shows {answer.unit.as_given(size)} with {percent(power)} power with so few seeds: "
        f"unlimited items would show it with {percent(ceiling, 2)}. Train with more seeds"
    )


@BY_PLAN
def resamples_tell_no_items(answer: Comparison, effect: float | None, margin: float | None) -> str:
    size = answer.unit.as_given(margin or 0.0 if effect is None else effect)
    sought = f"find an effect of {size}" if effect is not None else f"exclude a difference of {size}"
    return f"how many items would {sought} is unknown: too few items, or too few that differ, to resample"


@BY_PLAN
def items_do_not_vary(_answer: Comparison, test: str, effect: float) -> str:
    return f"how many items find an effect of {exact(effect)} is unknown: nothing varies that {test} could use"


# Runs and seeds behind the scores: their number, and the plan that follows.


def over_repeats(answer: Comparison) -> str:
    """The number of runs, or of seeds, that stands behind each score."""
    if answer.seeds is not None:
        return _of_both("seed", answer.seeds.seeds_a, answer.seeds.seeds_a, answer.seeds.seeds_b, answer.seeds.seeds_b)
    found = answer.repeats
    if found is None or answer.groups is not None:
        return ""
    return _of_both("run", found.fewest_a, found.runs_a, found.fewest_b, found.runs_b)


def _of_both(noun: str, fewest_a: int, most_a: int, fewest_b: int, most_b: int) -> str:
    a, b = (counted(fewest, most, noun) for fewest, most in ((fewest_a, most_a), (fewest_b, most_b)))
    return f"{a} each" if a == b else f"{a} of A and {b} of B"


def counted(fewest: int, most: int, noun: str) -> str:
    """`5 runs`, or `2 to 6 runs`."""
    return amount(most, noun) if fewest == most else f"{fewest} to {amount(most, noun)}"


def seeds_fact(found: SeedsResult) -> str:
    """How many seeds there are, what they have of the uncertainty, and how they spread."""
    counted = f"{found.seeds_a} of A, {found.seeds_b} of B"
    if found.sds is None or found.shares is None:
        return f"{counted}, averaged: about these trainings only"
    spread = " and ".join(significant(found.sds[name], 2) for name in ("seed_a", "seed_b"))
    share = percent(found.shares["seeds"], 2)
    return f"{counted}: {share} of the variance of B − A is seeds; means of trainings spread with sd {spread}"


def next_plan(plan: NextPlan) -> str:
    """What to type to plan runs, or seeds, with the numbers seen here."""
    numbers = " ".join(f"--{name.replace('_', '-')} {number:.4g}" for name, number in plan.numbers.items())
    sizes = " ".join(f"--{name} {','.join(map(str, some))}" for name, some in plan.sizes.items())
    return f"to plan {plan.population} and items: tellapart plan {plan.population} {numbers} {sizes} --effect {plan.effect:g}"
