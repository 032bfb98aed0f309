"""What a leaderboard says in words: the sentence to paste, and the notes a careful reader needs."""

import math
from dataclasses import dataclass

import numpy as np

from tellapart.multiplicity.item_bootstrap import FEWEST_DIFFERING
from tellapart.multiplicity.rank_sets import tiers
from tellapart.results.leaderboard import Datasets
from tellapart.verbs import rank_limits
from tellapart.verbs.ranking import Question, Ranking
from tellapart.wording import percent, thousands

_COUNTED = ("there is no dataset", "there is one dataset")


@dataclass(frozen=True, eq=False)
class Told:
    """A leaderboard about to be put into words."""

    ranking: Ranking
    gaps: tuple[str, ...]
    unit: str
    datasets: Datasets | None


def sentence(ranking: Ranking) -> str:
    """How many tiers, and how many systems may be the best; with a baseline how many are better and worse than it."""
    question, count = ranking.question, len(ranking.order)
    if question.baseline is not None:
        return _baseline_sentence(ranking)
    if question.correction.guarantee != "family-wise":
        return _screen_sentence(ranking)
    depth, best = int(tiers(ranking.better).max()), int((~ranking.better.any(axis=0)).sum())
    if depth == 1 and best == count:
        return f"The evaluation does not separate the {thousands(count)} systems: any may be the best ({guarantee(question)})."
    return (
        f"The evaluation separates {thousands(count)} systems into {'1 tier' if depth == 1 else f'{thousands(depth)} tiers'}; {_may_be_best(ranking, best)} "
        f"({guarantee(question)})."
    )


def _screen_sentence(ranking: Ranking) -> str:
    found = int(ranking.significant.sum())
    return (
        f"{thousands(found)} of {_pairs(len(ranking.adjusted))} of {thousands(len(ranking.order))} systems "
        f"{'differs' if found == 1 else 'differ'} ({guarantee(ranking.question)}): a screen, not a ranking."
    )


def _may_be_best(ranking: Ranking, count: int) -> str:
    if count == 0:
        return "none is unbeaten, as pairs judged on different items contradict each other"
    if count > 1:
        return f"{thousands(count)} systems may be the best"
    (best,) = (i for i in ranking.order if not ranking.better[:, i].any())
    return f"only {ranking.board.systems[best]} may be the best"


def _baseline_sentence(ranking: Ranking) -> str:
    assert ranking.question.baseline is not None
    baseline, others = ranking.question.baseline, len(ranking.order) - 1
    place = ranking.board.systems.index(baseline)
    above, below = int(ranking.better[:, place].sum()), int(ranking.better[place].sum())
    if others == 1:
        (other,) = (name for name in ranking.names if name != baseline)
        verdict = "better than" if above else "worse than" if below else "not told apart from"
        return f"{other} is {verdict} {baseline} ({guarantee(ranking.question)})."
    return (
        f"Against {baseline}, {thousands(above)} of {thousands(others)} systems are better, {thousands(below)} worse, and "
        f"{thousands(others - above - below)} not told apart from it ({guarantee(ranking.question)})."
    )


def guarantee(question: Question) -> str:
    """What may be said of all significant pairs together."""
    alpha, kind = question.alpha, question.correction.guarantee
    return {
        "family-wise": f"{percent(1.0 - alpha)} family-wise",
        "false discovery rate": f"{percent(alpha)} false discovery rate",
        "none": f"each pair at {percent(alpha)}, uncorrected",
    }[kind]


def notes(told: Told) -> tuple[str, ...]:
    """Everything that limits the answer or was done to the scores."""
    ranking = told.ranking
    found = (
        *told.gaps,
        _unit(told),
        _runs(ranking),
        _method(ranking),
        rank_limits.out_of_reach(ranking),
        rank_limits.floor(ranking),
        _weak_guarantee(ranking),
        rank_limits.edge(ranking),
        _skewed(ranking),
        _unjudged(ranking),
        _baseline(ranking),
        _intervals(ranking),
        _no_width(ranking),
        _left_out(told),
        _datasets(told),
        _spanning(told),
    )
    return tuple(filter(None, found))


def _unit(told: Told) -> str:
    if told.unit == "raw":
        return ""
    return (
        "datasets are on different scales: each one's scores were divided by the typical standard deviation of a difference on it, "
        "and means and effects are in that unit"
    )


def _runs(ranking: Ranking) -> str:
    runs = ranking.board.scores.values.shape[2]
    return f"up to {runs} runs were averaged within each item, and items are the sample" if runs > 1 else ""


def _method(ranking: Ranking) -> str:
    evidence, correction = ranking.evidence, ranking.question.correction
    unit = "an item" if ranking.board.clusters is None else "a cluster"
    if correction.draws == "bootstrap":
        drawn = f"p-values by {thousands(evidence.resamples)} bootstrap resamples of {unit.split()[1]}s"
    elif evidence.exhaustive:
        drawn = f"p-values exact: all {thousands(evidence.resamples + 1)} patterns of signs, one sign {unit} for all pairs"
    else:
        drawn = f"p-values by {thousands(evidence.resamples)} sign flips, one sign {unit} for all pairs"
    return f"{drawn}; correction over {_pairs(len(ranking.adjusted))}: {correction.label}"


def _pairs(count: int) -> str:
    return "1 pair" if count == 1 else f"{thousands(count)} pairs"


def _weak_guarantee(ranking: Ranking) -> str:
    kind = ranking.question.correction.guarantee
    if kind == "family-wise":
        return ""
    return (
        f"{ranking.question.correction.label} is a screen: rank intervals, tiers and 'may be the best' do not hold together for all "
        "systems; max_t does that"
    )


def _skewed(ranking: Ranking) -> str:
    question = ranking.question
    if question.correction.draws != "flips" or not ranking.significant.any():
        return ""
    found = ranking.leaning_error
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


def _unjudged(ranking: Ranking) -> str:
    if ranking.question.correction.draws != "bootstrap":
        return ""
    found = int((~ranking.bootstrap.judged).sum())
    if not found:
        return ""
    unit = "items" if ranking.board.clusters is None else "clusters"
    return f"{_pairs(found)} differ on fewer than {FEWEST_DIFFERING} {unit}, which drawing {unit} again cannot judge: not told apart"


def _baseline(ranking: Ranking) -> str:
    baseline = ranking.question.baseline
    return (
        f"only pairs with {baseline} were judged: other systems are not told from each other"
        if baseline
        else ""
    )


def _intervals(ranking: Ranking) -> str:
    left = 1.0 - ranking.interval_level
    decimals = 5 if left <= 0.0 else max(5, 1 - math.floor(math.log10(left)))
    return (
        f"intervals of means hold for all systems together at {percent(1.0 - ranking.question.alpha)}: each is a "
        f"{ranking.interval_method} interval at {percent(round(ranking.interval_level, decimals), digits=15)}"
    )


def _no_width(ranking: Ranking) -> str:
    low, high = ranking.bounds
    flat = [ranking.board.systems[i] for i in ranking.order if low[i] == high[i]]
    if not flat:
        return ""
    return f"{', '.join(flat[:5])}{', …' if len(flat) > 5 else ''}: the same score on every item, so the interval has no width"


def _left_out(told: Told) -> str:
    left_out = () if told.datasets is None else told.datasets.left_out
    if not left_out:
        return ""
    shown = f"{', '.join(left_out[:5])}{', …' if len(left_out) > 5 else ''}"
    unit = "items" if told.ranking.board.clusters is None else "items and two clusters"
    return f"datasets on which not all pairs share two {unit}, left out of the answers by dataset: {shown}"


def _datasets(told: Told) -> str:
    if told.datasets is None:
        return ""
    if len(told.datasets.within) < 2:
        return f"{_COUNTED[len(told.datasets.within)]} to compare on: nothing can be said across datasets"
    return (
        "across datasets: equal_weight and item_weight are about this suite, new_dataset about datasets like these; their adjusted "
        f"p-values are Holm's over the pairs; counts of significant datasets are corrected {_counted(told.ranking.question)}"
    )


def _counted(question: Question) -> str:
    """What claims were corrected for before they are counted."""
    return {
        "family-wise": "over pairs and, by Bonferroni, over datasets",
        "false discovery rate": f"over pairs by {question.correction.label}, a screen, and over datasets by Bonferroni",
        "none": "over datasets by Bonferroni, and not over pairs",
    }[question.correction.guarantee]


def _spanning(told: Told) -> str:
    scores = told.ranking.board.scores
    if told.datasets is None or not told.datasets.across or scores.clusters is None:
        return ""
    homes = {(int(code), home) for code, (home, _) in zip(scores.clusters, scores.items, strict=True)}
    if len(homes) == len(np.unique(scores.clusters)):
        return ""
    return "clusters reach over several datasets, which the answers across datasets take for independent: these are too sure"
