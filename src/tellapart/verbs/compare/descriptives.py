"""What describes the scores beside the answer: effect sizes, the tests that were not chosen, and how runs vary."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.effects import EFFECTS
from tellapart.results.comparison import Repeats, TestResult
from tellapart.scores import Pair
from tellapart.significance import TESTS
from tellapart.spelling import options
from tellapart.summaries import Summary
from tellapart.verbs.compare.analysis import Analysis


def effect_sizes(analysis: Analysis) -> dict[str, float | None]:
    """Every standardised effect size that suits the scores; None where it is undefined."""
    every = [EFFECTS.parse(name) for name in EFFECTS]
    suiting = [size for size in every if _summarised(size.needs, analysis)]
    values = [float(size.value(analysis.sampled.summary(size.needs))) for size in suiting]
    return {
        size.name: value if np.isfinite(value) else None for size, value in zip(suiting, values, strict=True)
    }


def every_test(analysis: Analysis) -> tuple[TestResult, ...]:
    """All tests that suit the scores: the chosen one as it was chosen, the others at their default options."""
    chosen = {analysis.test.name: analysis.test}
    suiting = [chosen.get(name) or TESTS.parse(name) for name in TESTS if _suits(name, analysis)]
    found = [analysis.run(test) for test in suiting]
    return tuple(
        TestResult(str(test), float(outcome.pvalue), float(outcome.statistic))
        for test, outcome in zip(suiting, found, strict=True)
    )


def _suits(name: str, analysis: Analysis) -> bool:
    if any(o.required for o in options(TESTS[name])):
        return False
    test = TESTS.parse(name)
    if test.needs_clusters and analysis.clusters is None:
        return False
    return _summarised(test.needs, analysis)


def _summarised(needs: type[Summary], analysis: Analysis) -> bool:
    """Whether such a summary can be had of the scores, and is about the same kind of items as the test."""
    return needs.paired == analysis.paired and needs.suits(analysis.pair, analysis.metric)


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
