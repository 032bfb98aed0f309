"""What describes the scores beside the answer: effect sizes, the tests that were not chosen, and how runs vary."""

import contextlib
from collections.abc import Iterator

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.effects import EFFECTS
from tellapart.errors import Unsuitable
from tellapart.results.comparison import Counts, Repeats, TestResult
from tellapart.scores import Pair
from tellapart.significance import TESTS, Procedure
from tellapart.summaries import Discordance, Summary
from tellapart.verbs.compare.analysis import Analysis


def effect_sizes(analysis: Analysis) -> dict[str, float | None]:
    """Every standardised effect size that suits the scores; None where it is undefined."""
    every = [EFFECTS.parse(name) for name in EFFECTS]
    suiting = _suiting({size.needs for size in every}, analysis)
    samples = {needs: analysis.summary(needs) for needs in suiting}
    values = {size.name: float(size.value(samples[size.needs])) for size in every if size.needs in suiting}
    return {name: value if np.isfinite(value) else None for name, value in values.items()}


def _suiting(kinds: set[type[Summary]], analysis: Analysis) -> list[type[Summary]]:
    """Summaries that can be had of the scores, and are about the same kind of items as the test."""
    pair, metric, paired = analysis.pair, analysis.metric, analysis.paired
    return [needs for needs in kinds if needs.paired == paired and needs.suits(pair, metric)]


def every_test(analysis: Analysis) -> tuple[TestResult, ...]:
    """All tests that suit the scores: the chosen one as it was chosen, the others at their default options."""
    every = [analysis.test if name == analysis.test.name else TESTS.parse(name) for name in TESTS]
    known = [test for test in every if test.claim == "difference"]
    suiting = _suiting({test.needs for test in known}, analysis)
    tests = [
        test
        for test in known
        if test.needs in suiting and not (test.needs_clusters and analysis.clusters is None)
    ]
    return tuple(result for test in tests for result in _run(test, analysis))


def _run(test: Procedure, analysis: Analysis) -> Iterator[TestResult]:
    """What a test finds, or nothing where the items are too few for it."""
    with contextlib.suppress(Unsuitable):
        outcome = analysis.run(test)
        yield TestResult(str(test), test.label, float(outcome.pvalue), float(outcome.statistic))


def counts(analysis: Analysis, *, lower_is_better: bool) -> Counts | None:
    """The 2×2 table of right-or-wrong scores; where lower is better, the lower score is the right one."""
    if not (analysis.binary and analysis.paired):
        return None
    found: Discordance = analysis.summary(Discordance)
    high, only_a, only_b, low = (int(n) for n in (found.both, found.losses, found.wins, found.neither))
    return Counts(low, only_b, only_a, high) if lower_is_better else Counts(high, only_a, only_b, low)


def repeats(pair: Pair) -> Repeats | None:
    """How many runs there are, and how much scores vary between runs of the same item; None without repeats."""
    a, b = pair.a, pair.b
    if max(a.shape[-2], b.shape[-2]) == 1:
        return None
    return Repeats(a.shape[-2], b.shape[-2], _within_item_variance(a), _within_item_variance(b))


def _within_item_variance(scores: FloatArray) -> float | None:
    """The mean over items of the variance between runs, of the items run at least twice."""
    runs = scores[..., 0]
    repeated = (~np.isnan(runs)).sum(axis=-1) >= 2
    return float(np.nanvar(runs[repeated], axis=-1, ddof=1).mean()) if repeated.any() else None
