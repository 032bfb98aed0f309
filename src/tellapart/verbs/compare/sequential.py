"""Evidence and notes of a sequential comparison, which is valid at any stopping time."""

from collections.abc import Iterator

import numpy as np

from tellapart.answers.comparison import Sequential, SequentialPoint, SystemResult
from tellapart.answers.parts import IntervalResult, Note
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import EstablishedClaims, verdict
from tellapart.methods.significance.betting import Betting, OrderedDifferences
from tellapart.numerics.betting import CERTAIN, confidence_bounds
from tellapart.verbs.anytime import AtAnyTime, score_limits
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.compare.question import CompareQuestion


def sequential_result(analysis: Analysis, shown: EstablishedClaims, waiting: int) -> Sequential:
    test, sample = _bets(analysis), analysis.sample(analysis.test)
    above, below = (float(one) for one in test.evidence(sample, 0.0))
    certain = max(above, below) >= CERTAIN or analysis.items == test.benchmark
    return Sequential(
        kind="anytime",
        about="items like these" if test.benchmark is None else "benchmark",
        stop=certain or verdict(shown) != "undetermined",
        certain=certain,
        items=analysis.items,
        waiting=waiting,
        evidence_above=None if above >= CERTAIN else above,
        evidence_below=None if below >= CERTAIN else below,
        benchmark_items=test.benchmark,
        path=tuple(_moments(test, sample, 1.0 - analysis.alpha)),
    )


def _moments(test: Betting, sample: OrderedDifferences, level: float) -> Iterator[SequentialPoint]:
    means = np.cumsum(sample.values) / np.arange(1, sample.items + 1)
    for items, low, high in zip(*(part.tolist() for part in test.path(sample, level)), strict=True):
        yield SequentialPoint(items, effect=float(means[items - 1]), low=low, high=high)


def anytime_systems(
    analysis: Analysis, names: tuple[str, str], question: CompareQuestion
) -> tuple[SystemResult, SystemResult]:
    """Each system's mean with a confidence sequence of its own, which holds at all moments too."""
    test, level, (low, high) = _bets(analysis), 1.0 - analysis.alpha, score_limits(question.range)
    order = slice(None) if analysis.pair.arrival is None else np.argsort(analysis.pair.arrival, kind="stable")
    a, b = (
        SystemResult(
            name, mean, IntervalResult(*bounds, level, str(analysis.interval), "mean", analysis.interval.label)
        )
        for name, mean, bounds in zip(
            names,
            analysis.means,
            (_mean_bounds(values[order], low, high, level, test.benchmark) for values in analysis.values),
            strict=True,
        )
    )
    return a, b


def _mean_bounds(
    values: FloatArray, low: float, high: float, level: float, benchmark: int | None
) -> tuple[float, float]:
    scaled = np.clip(2.0 * (values - low) / (high - low) - 1.0, -1.0, 1.0)
    least, most = confidence_bounds(scaled, float(np.log(2.0 / (1.0 - level))), benchmark)
    if least > most:  # in an order that looks sorted: no mean fits, so that none is excluded
        return low, high
    return low + 0.5 * (high - low) * (float(least) + 1.0), low + 0.5 * (high - low) * (float(most) + 1.0)


def sequential_notes(
    analysis: Analysis, question: CompareQuestion, shown: EstablishedClaims, moment: AtAnyTime | None
) -> Iterator[Note]:
    """On the order of items, the bets, the benchmark, and estimates after an early stop."""
    test = _bets(analysis)
    complete = analysis.items == test.benchmark
    if moment is not None and moment.waiting:
        yield Note("items_waiting", {"items": moment.waiting})
    if moment is not None and moment.untuned:
        yield Note("bets_untuned")
    if moment is not None and moment.sorted_by and not complete:
        yield Note("order_looks_sorted", {"by": moment.sorted_by})
    elif question.item_order is None and not complete:
        yield Note("order_taken_as_random")
    if test.benchmark is not None:
        yield Note("claims_about_benchmark", {"items": test.benchmark})
    if verdict(shown) != "undetermined" and not complete:
        yield Note("early_estimate")


def _bets(analysis: Analysis) -> Betting:
    test = difference_test(analysis.test)
    assert isinstance(test, Betting), "bets alone hold at any moment"
    return test
