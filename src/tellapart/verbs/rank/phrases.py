"""What a leaderboard says in words: the sentence to paste, and the notes a careful reader needs."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tellapart.multiplicity.gaps import ClosedGaps
from tellapart.multiplicity.joint_bootstrap import FEWEST_DIFFERING
from tellapart.multiplicity.skewness import error_under_skewness
from tellapart.results.leaderboard import Datasets
from tellapart.seeds import stream
from tellapart.verbs.rank import limits
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.wording import percent, thousands

_COUNTED = ("there is no dataset", "there is one dataset")


@dataclass(frozen=True, eq=False)
class Told:
    """A leaderboard about to be put into words."""

    ranked: RankedBoard
    gaps: ClosedGaps
    unit: str
    datasets: Datasets | None


def sentence(ranked: RankedBoard) -> str:
    """How many tiers, and how many systems may be the best; with a baseline how many are better and worse than it."""
    question, count = ranked.question, len(ranked.standings.places.order)
    if question.baseline is not None:
        return _baseline_sentence(ranked)
    if question.correction.guarantee != "family-wise":
        return _screen_sentence(ranked)
    depth, best = int(ranked.standings.tiers.max()), int(ranked.standings.unbeaten.sum())
    if depth == 1 and best == count:
        return f"The evaluation does not separate the {thousands(count)} systems: any may be the best ({guarantee(question)})."
    return (
        f"The evaluation separates {thousands(count)} systems into {'1 tier' if depth == 1 else f'{thousands(depth)} tiers'}; {_may_be_best(ranked, best)} "
        f"({guarantee(question)})."
    )


def _screen_sentence(ranked: RankedBoard) -> str:
    found = int(ranked.judged.significant.sum())
    return (
        f"{thousands(found)} of {_pairs(len(ranked.judged.adjusted))} of {thousands(len(ranked.standings.places.order))} systems "
        f"{'differs' if found == 1 else 'differ'} ({guarantee(ranked.question)}): a screen, not a ranking."
    )


def _may_be_best(ranked: RankedBoard, count: int) -> str:
    if count == 0:
        return "none is unbeaten, as pairs judged on different items contradict each other"
    if count > 1:
        return f"{thousands(count)} systems may be the best"
    (best,) = (i for i in ranked.standings.places.order if not ranked.standings.better[:, i].any())
    return f"only {ranked.board.systems[best]} may be the best"


def _baseline_sentence(ranked: RankedBoard) -> str:
    assert ranked.question.baseline is not None
    baseline, others = ranked.question.baseline, len(ranked.standings.places.order) - 1
    place = ranked.board.systems.index(baseline)
    above, below = int(ranked.standings.better[:, place].sum()), int(ranked.standings.better[place].sum())
    if others == 1:
        (other,) = (name for name in ranked.names if name != baseline)
        verdict = "better than" if above else "worse than" if below else "not told apart from"
        return f"{other} is {verdict} {baseline} ({guarantee(ranked.question)})."
    return (
        f"Against {baseline}, {thousands(above)} of {thousands(others)} systems are better, {thousands(below)} worse, and "
        f"{thousands(others - above - below)} not told apart from it ({guarantee(ranked.question)})."
    )


def guarantee(question: RankQuestion) -> str:
    """What may be said of all significant pairs together."""
    alpha, kind = question.alpha, question.correction.guarantee
    return {
        "family-wise": f"{percent(1.0 - alpha)} family-wise",
        "false discovery rate": f"{percent(alpha)} false discovery rate",
        "none": f"each pair at {percent(alpha)}, uncorrected",
    }[kind]


def notes(told: Told) -> tuple[str, ...]:
    """Everything that limits the answer or was done to the scores."""
    ranked = told.ranked
    found = (
        *_gaps(told.gaps),
        _unit(told),
        _runs(ranked),
        _method(ranked),
        limits.out_of_reach(ranked),
        limits.floor(ranked),
        _weak_guarantee(ranked),
        limits.edge(ranked),
        _skewed(ranked),
        _unjudged(ranked),
        _baseline(ranked),
        _intervals(ranked),
        _no_width(ranked),
        _left_out(told),
        _datasets(told),
        _spanning(told),
    )
    return tuple(filter(None, found))


def _gaps(gaps: ClosedGaps) -> Iterator[str]:
    if gaps.blank_items:
        are, were = ("item is", "was") if gaps.blank_items == 1 else ("items are", "were")
        yield f"{thousands(gaps.blank_items)} {are} scored for no system and {were} left out"
    for name, lacking in gaps.left_out:
        yield f"{name} left out: it lacks {percent(round(lacking, 3))} of the items"
    if gaps.dropped_items:
        yield (
            f"{thousands(gaps.dropped_items)} of {thousands(gaps.of_items)} items left out: not scored for all systems"
        )
    if gaps.gappy_systems:
        lack = "1 system lacks" if gaps.gappy_systems == 1 else f"{gaps.gappy_systems} systems lack"
        yield (
            f"{lack} items: each pair is compared on the items it shares, and a rank counts the systems that are "
            "better so; means are over each system's own items"
        )


def _unit(told: Told) -> str:
    if told.unit == "raw":
        return ""
    return (
        "datasets are on different scales: each one's scores were divided by the typical standard deviation of a difference on it, "
        "and means and effects are in that unit"
    )


def _runs(ranked: RankedBoard) -> str:
    runs = ranked.board.scores.values.shape[2]
    return f"up to {runs} runs were averaged within each item, and items are the sample" if runs > 1 else ""


def _method(ranked: RankedBoard) -> str:
    joint, correction = ranked.judged.joint, ranked.question.correction
    unit = "an item" if ranked.board.clusters is None else "a cluster"
    if correction.resampled_by == "bootstrap":
        drawn = f"p-values by {thousands(joint.resamples)} bootstrap resamples of {unit.split()[1]}s"
    elif joint.exhaustive:
        drawn = f"p-values exact: all {thousands(joint.resamples + 1)} patterns of signs, one sign {unit} for all pairs"
    else:
        drawn = f"p-values by {thousands(joint.resamples)} sign flips, one sign {unit} for all pairs"
    return f"{drawn}; correction over {_pairs(len(ranked.judged.adjusted))}: {correction.label}"


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{thousands(count)} pairs"


def _weak_guarantee(ranked: RankedBoard) -> str:
    kind = ranked.question.correction.guarantee
    if kind == "family-wise":
        return ""
    return (
        f"{ranked.question.correction.label} is a screen: rank intervals, tiers and 'may be the best' do not hold together for all "
        "systems; max_t does that"
    )


def _error_under_skewness(ranked: RankedBoard) -> float | None:
    """The family-wise error that random signs really have, where the skewness of the differences makes it worrying."""
    alpha, chance = ranked.question.alpha, stream(ranked.question.seed, 2)
    pairs, critical = (ranked.judged.a, ranked.judged.b), ranked.judged.joint.critical(alpha)
    return error_under_skewness(ranked.board, pairs, critical, alpha, chance)


def _skewed(ranked: RankedBoard) -> str:
    question = ranked.question
    if question.correction.resampled_by != "flips" or not ranked.judged.significant.any():
        return ""
    found = _error_under_skewness(ranked)
    if found is None:
        return ""
    shown = percent(round(found, 2 if found >= 0.05 else 3))
    error = f"of {percent(question.alpha)} is really at least about {shown}"
    promise = (
        "a family-wise error"
        if question.correction.guarantee == "family-wise"
        else "max_t's family-wise error"
    )
    return (
        "differences lean to one side, and random signs assume that they do not: on leaderboards like this "
        f'{promise} {error}; check with --correction "max_t(resampling=bootstrap)"'
    )


def _unjudged(ranked: RankedBoard) -> str:
    if ranked.question.correction.resampled_by != "bootstrap":
        return ""
    found = ranked.judged.unjudged
    if not found:
        return ""
    unit = "items" if ranked.board.clusters is None else "clusters"
    return f"{_pairs(found)} differ on fewer than {FEWEST_DIFFERING} {unit}, which drawing {unit} again cannot judge: not told apart"


def _baseline(ranked: RankedBoard) -> str:
    baseline = ranked.question.baseline
    return (
        f"only pairs with {baseline} were judged: other systems are not told from each other"
        if baseline
        else ""
    )


def _intervals(ranked: RankedBoard) -> str:
    left = 1.0 - ranked.intervals.level
    decimals = 5 if left <= 0.0 else max(5, 1 - math.floor(math.log10(left)))
    return (
        f"intervals of means hold for all systems together at {percent(1.0 - ranked.question.alpha)}: each is a "
        f"{ranked.intervals.method} interval at {percent(round(ranked.intervals.level, decimals), digits=15)}"
    )


def _no_width(ranked: RankedBoard) -> str:
    low, high = ranked.intervals.low, ranked.intervals.high
    flat = [ranked.board.systems[i] for i in ranked.standings.places.order if low[i] == high[i]]
    if not flat:
        return ""
    return f"{', '.join(flat[:5])}{', …' if len(flat) > 5 else ''}: the same score on every item, so the interval has no width"


def _left_out(told: Told) -> str:
    left_out = () if told.datasets is None else told.datasets.left_out
    if not left_out:
        return ""
    shown = f"{', '.join(left_out[:5])}{', …' if len(left_out) > 5 else ''}"
    unit = "items" if told.ranked.board.clusters is None else "items and two clusters"
    return f"datasets on which not all pairs share two {unit}, left out of the answers by dataset: {shown}"


def _datasets(told: Told) -> str:
    if told.datasets is None:
        return ""
    if len(told.datasets.within) < 2:
        return f"{_COUNTED[len(told.datasets.within)]} to compare on: nothing can be said across datasets"
    return (
        "across datasets: equal_weight and item_weight are about this suite, new_dataset about datasets like these; their adjusted "
        f"p-values are Holm's over the pairs; counts of significant datasets are corrected {_counted(told.ranked.question)}"
    )


def _counted(question: RankQuestion) -> str:
    """What claims were corrected for before they are counted."""
    return {
        "family-wise": "over pairs and, by Bonferroni, over datasets",
        "false discovery rate": f"over pairs by {question.correction.label}, a screen, and over datasets by Bonferroni",
        "none": "over datasets by Bonferroni, and not over pairs",
    }[question.correction.guarantee]


def _spanning(told: Told) -> str:
    scores = told.ranked.board.scores
    if told.datasets is None or not told.datasets.across or scores.clusters is None:
        return ""
    homes = {(int(code), home) for code, (home, _) in zip(scores.clusters, scores.items, strict=True)}
    if len(homes) == len(np.unique(scores.clusters)):
        return ""
    return "clusters reach over several datasets, which the answers across datasets take for independent: these are too sure"
