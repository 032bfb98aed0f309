"""Sentences about a leaderboard: headline, result sentence, and one sentence per dataset."""

from dataclasses import replace
from typing import TypeVar

from tellapart.answers.leaderboard import Leaderboard, MoreItems
from tellapart.answers.leaderboard.notes import NOTES, first_names
from tellapart.answers.leaderboard.parts import Datasets, DatasetStanding, Separation, Standing
from tellapart.answers.plan.check_texts import checked
from tellapart.answers.reading_texts import cut_short
from tellapart.foundation.formatting import amount, one_line, percent, thousands
from tellapart.foundation.surfaces import option

Alone = TypeVar("Alone", bound=DatasetStanding)
"""A part of the items that is ranked by itself."""

# The notes of a leaderboard about its datasets and slices, in words.


@NOTES
def datasets_pooled(answer: Leaderboard, datasets: int) -> str:
    return (
        f"items of {datasets} datasets were pooled: means, ranks and tests weigh all {thousands(answer.items)} items "
        f"alike; {option('datasets')} ranks each alone too, and {option('dataset')} picks one"
    )


@NOTES
def datasets_left_out(answer: Leaderboard, datasets: list[str]) -> str:
    unit = "items" if answer.clusters is None else "items and two clusters"
    return (
        f"datasets on which not all pairs share two {unit}, left out of the answers by dataset: {first_names(datasets)}"
    )


@NOTES
def slices_ranked(answer: Leaderboard) -> str:
    """At which level each slice is ranked, and the systems that are placed differently there."""
    family, slices = answer.slice_family, answer.slices or ()
    assert family is not None
    together = {"holm": "Holm's step", "bonferroni": "its share of alpha"}.get(family.correction)
    held = (
        "each at alpha, uncorrected"
        if together is None
        else f"each at {together} over {amount(family.slices, 'slice')}"
    )
    moved = [
        f"{one_line(one.column)} {one_line(one.name)}: {first_names(one.elsewhere)}" for one in slices if one.elsewhere
    ]
    apart = f"possible ranks other than over all items: {'; '.join(moved)}" if moved else ""
    return f"every slice is a board of its own, {held}" + (f"; {apart}" if apart else "")


@NOTES
def too_few_datasets(_: Leaderboard, datasets: int) -> str:
    counted = "there is one dataset" if datasets else "there is no dataset"
    return f"{counted} to compare on: nothing can be said across datasets"


@NOTES
def across_datasets(answer: Leaderboard) -> str:
    counts = {
        "family-wise": "over pairs and, by Bonferroni, over datasets",
        "false discovery rate": f"over pairs by {answer.corrected.label}, a screen, and over datasets by Bonferroni",
        "none": "over datasets by Bonferroni, and not over pairs",
    }[answer.corrected.controls]
    return (
        "across datasets: the effect on this suite counts every dataset alike (equal_weight in the JSON), by items every item "
        "(item_weight). The mean of such datasets and a new dataset (new_dataset) are about datasets like these: the interval of "
        "their mean, and the wider one for the effect on one new dataset, each for a pair alone. Adjusted p-values are Holm's "
        f"over the pairs. Counts of significant datasets are corrected {counts}. 'At least' counts datasets on which a system is "
        "shown to win or lose without saying which these are (partial conjunction, corrected over pairs and directions)"
    )


@NOTES
def no_prediction(_: Leaderboard) -> str:
    return (
        "two datasets are too few to predict the effect on a new one: one degree of freedom goes into their mean, the "
        "other into the scatter about it"
    )


@NOTES
def narrow_predictions(_: Leaderboard, pairs: int, below: float) -> str:
    return (
        f"for {amount(pairs, 'pair')} datasets differ little more than by chance (I² below {percent(below)}): the spread "
        "of true effects is then poorly known, and the 95 % interval for a new dataset holds in 85 to 95 of 100 cases"
    )


@NOTES
def clusters_span_datasets(_: Leaderboard) -> str:
    return "clusters span several datasets, which answers across datasets take as independent: those are too certain"


MOST_NAMES = 3
"""Systems named in the headline."""

TIER_SIZES = (1, 2, 3, 5, 10, 20, 50)
"""Sizes of a top tier that the items for are told, as many of them as there are smaller than the tier."""


def with_texts(answer: Leaderboard) -> Leaderboard:
    promised = replace(answer, guarantee=guarantee(answer))
    notes = NOTES.with_texts(answer, answer.notes)
    return replace(
        promised,
        headline=("partial, " if answer.partial else "") + headline(promised),
        sentence=sentence(promised, answer.separation, answer.systems) + cut_short(notes),
        more_items=None if answer.more_items is None else _more_items(answer, answer.more_items),
        datasets=None if answer.datasets is None else _board_datasets(promised, answer.datasets),
        slices=None if answer.slices is None else _with_sentences(promised, answer.slices),
        notes=notes,
        plan=None if answer.plan is None else checked(answer.plan),
    )


def _board_datasets(answer: Leaderboard, datasets: Datasets) -> Datasets:
    return replace(datasets, within=_with_sentences(answer, datasets.within))


def _with_sentences(answer: Leaderboard, parts: tuple[Alone, ...]) -> tuple[Alone, ...]:
    return tuple(replace(one, sentence=sentence(answer, one.separation, one.systems)) for one in parts)


def guarantee(answer: Leaderboard) -> str:
    """The guarantee for all significant pairs together."""
    return {
        "family-wise": f"{percent(answer.interval.joint_level)} family-wise",
        "false discovery rate": f"{percent(answer.alpha)} false discovery rate",
        "none": f"each pair at {percent(answer.alpha)}, uncorrected",
    }[answer.corrected.controls]


def headline(answer: Leaderboard) -> str:
    """Who may be the best, but only where every pair was judged and the whole family is guaranteed."""
    found = answer.separation
    if answer.baseline is not None:
        return f"{counts_against(answer.baseline, found)}{_headline_margin(answer)}"
    if not answer.family_wise:
        return f"{thousands(found.told_apart)} of {amount(found.pairs, 'pair')} of systems differ ({answer.guarantee})"
    best = _unbeaten(answer.systems)
    if len(best) == 1:
        return f"{best[0]} is the best of {thousands(found.systems)} systems"
    if not found.told_apart:
        return f"undetermined: these items do not tell the {thousands(found.systems)} systems apart"
    more = f" and {thousands(len(best) - MOST_NAMES)} more" if len(best) > MOST_NAMES else ""
    named = ", ".join(best[:MOST_NAMES]) + more
    return f"{thousands(found.may_be_best)} of {thousands(found.systems)} systems may be the best: {named or 'none is unbeaten'}"


def counts_against(baseline: str, found: Separation) -> str:
    counts = {"better": found.better, "worse": found.worse, "not told apart": found.not_told_apart}
    return f"against {baseline}: {', '.join(f'{thousands(count or 0)} {word}' for word, count in counts.items())}"


def _headline_margin(answer: Leaderboard) -> str:
    found = answer.separation
    if answer.margin is None:
        return ""
    return f"; within {answer.printed_unit.as_given(answer.margin)}: {thousands(found.not_worse or 0)} not worse, {thousands(found.equivalent or 0)} equivalent"


def _unbeaten(systems: tuple[Standing, ...]) -> list[str]:
    return [standing.name for standing in systems if standing.may_be_best]


def sentence(answer: Leaderboard, found: Separation, systems: tuple[Standing, ...]) -> str:
    """How many tiers, and how many systems may be the best; with a baseline how many are better and worse than it.

    `found` and `systems` are the whole board's, or those of one dataset.
    """
    if answer.baseline is not None:
        return _against_baseline(answer, found, systems)
    if not answer.family_wise:
        return _board_screen(answer, found)
    if found.tiers == 1 and found.may_be_best == found.systems:
        return f"The evaluation does not separate the {thousands(found.systems)} systems: any may be the best ({answer.guarantee})."
    return (
        f"The evaluation separates {thousands(found.systems)} systems into {amount(found.tiers, 'tier')}; "
        f"{_may_be_best(found, systems)} ({answer.guarantee})."
    )


def _may_be_best(found: Separation, systems: tuple[Standing, ...]) -> str:
    if found.may_be_best == 0:
        return "none is unbeaten, as pairs judged on different items contradict each other"
    if found.may_be_best > 1:
        return f"{thousands(found.may_be_best)} systems may be the best"
    (best,) = _unbeaten(systems)
    return f"{best} is the best"


def _board_screen(answer: Leaderboard, found: Separation) -> str:
    return (
        f"{thousands(found.told_apart)} of {amount(found.pairs, 'pair')} of {thousands(found.systems)} systems "
        f"{'differs' if found.told_apart == 1 else 'differ'} ({answer.guarantee}): a screen, not a ranking."
    )


def _against_baseline(answer: Leaderboard, found: Separation, systems: tuple[Standing, ...]) -> str:
    others = [standing.name for standing in systems if standing.name != answer.baseline]
    if len(others) == 1:
        verdict = "better than" if found.better else "worse than" if found.worse else "not told apart from"
        return f"{others[0]} is {verdict} {answer.baseline}{_one_within(answer, found)} ({answer.guarantee})."
    return (
        f"Against {answer.baseline}, {thousands(found.better or 0)} of {thousands(len(others))} systems are better, "
        f"{thousands(found.worse or 0)} worse, and {thousands(found.not_told_apart or 0)} not told apart from it"
        f"{_board_within(answer, found)} ({_promise(answer)})."
    )


def _one_within(answer: Leaderboard, found: Separation) -> str:
    """The claim about the only other system within the margin."""
    if answer.margin is None:
        return ""
    within = answer.printed_unit.as_given(answer.margin)
    if found.equivalent:
        return f", and equivalent to it within {within}"
    return f", and {'' if found.not_worse else 'not '}shown to be no worse than it by more than {within}"


def _board_within(answer: Leaderboard, found: Separation) -> str:
    if answer.margin is None:
        return ""
    not_worse, equivalent = found.not_worse or 0, found.equivalent or 0
    are = "is" if not_worse == 1 else "are"
    return (
        f"; {thousands(not_worse)} {are} shown to be no worse than it by more than {answer.printed_unit.as_given(answer.margin)}, and "
        f"{thousands(equivalent)} equivalent to it"
    )


def _promise(answer: Leaderboard) -> str:
    """Differences and claims about a margin are corrected each by themselves."""
    return answer.guarantee if answer.margin is None else f"{answer.guarantee} for each kind of claim"


def _more_items(answer: Leaderboard, more: MoreItems) -> MoreItems:
    whom = f"{answer.baseline} and the best of the others" if answer.baseline else "the top two"
    unit = answer.printed_unit
    said = (
        f"these items can detect a true gap of {unit.size(more.separable)} between {whom} ({percent(more.power)} power); a gap of "
        f"{unit.size(more.gap)} takes {thousands(more.top_two)} items"
    )
    sizes = [
        f"narrowing the top tier to {size.systems} takes {thousands(size.items)}"
        for size in more.top_tier
        if size.systems in TIER_SIZES
    ]
    return replace(
        more, text=f"{said}; if every other system trails the best by that gap, {', '.join(sizes)}" if sizes else said
    )
