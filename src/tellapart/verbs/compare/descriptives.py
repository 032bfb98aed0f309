"""Descriptive statistics of a comparison: effect sizes, the other tests, 2×2 tables and histograms."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tellapart.answers.comparison import Counts, TestResult
from tellapart.answers.parts import DifferenceBins, ScoreBins
from tellapart.data.summaries import Discordance, Summary
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.methods.effects import EFFECTS
from tellapart.methods.significance import TESTS, Procedure
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.changed import changed_items


def effect_sizes(analysis: Analysis) -> dict[str, float | None]:
    """Every standardised effect size that suits the scores; None where it is undefined."""
    every = [EFFECTS.parse(name) for name in EFFECTS]
    pair, metric = analysis.pair, analysis.metric
    kinds = {size.needs for size in every if size.needs.paired == analysis.paired}
    suiting = [needs for needs in kinds if needs.suits(pair, metric)]
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
    known = [test for test in every if test.claim == "difference" and not test.ordered]
    suiting = _suiting({test.needs for test in known}, analysis)
    tests = [
        test for test in known if test.needs in suiting and not (test.needs_clusters and analysis.clusters is None)
    ]
    return tuple(result for test in tests for result in _run(test, analysis))


def _run(test: Procedure, analysis: Analysis) -> Iterator[TestResult]:
    """The outcome of a test, or None where the items are too few for it."""
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


# How the scores of two systems lie: items counted by their difference, and by both scores.

MOST_DIFFERENCES = 40
"""Bins of differences: as many as a column of a page shows apart."""
MOST_SCORES = 16
"""Bins of the scores of each system: there are their square."""
GLANCED_AT = 1000
"""Values among which a step is sought that all may be multiples of."""
BLOCK = 1 << 20
"""Items that are looked at together: what is made of them on the way takes no memory worth a word beside millions of items."""

TINIEST, LARGEST = 1e-290, 1e290
"""Beyond these the edges of bins run into the ends of what a float can hold."""


def shapes(analysis: Analysis, *, lower_is_better: bool) -> dict[str, Any]:
    """Items won and lost, and both tables of counts, by their fields; none of separate items or where the metric is no plain mean.

    Of right or wrong there are no such tables.
    """
    if not (analysis.paired and analysis.metric.linear):
        return {}
    scores, differences = analysis.values, analysis.differences.snapped
    gains = -differences if lower_is_better else differences
    changed = {"changed": changed_items(analysis.pair, scores, gains)}
    return changed if analysis.binary else changed | _tables_of_counts(*scores, differences)


def _tables_of_counts(a: FloatArray, b: FloatArray, differences: FloatArray) -> dict[str, Any]:
    """Items counted by their difference and by both scores."""
    ends = [float(end) for values in (a, b) for end in (values.min(), values.max())]
    if not TINIEST < max(map(abs, ends)) < LARGEST:
        return {}
    by_scores = score_bins(a, b) if min(ends) < max(ends) else None
    return {"difference_bins": difference_bins(differences), "score_bins": by_scores}


def difference_bins(differences: FloatArray) -> DifferenceBins:
    higher, lower = (int(np.count_nonzero(side)) for side in (differences > 0.0, differences < 0.0))
    signs = (differences.size - higher - lower, higher, lower)
    if higher + lower == 0:
        return DifferenceBins((), (), *signs)
    step = _common_step(lambda: _differing(differences), MOST_DIFFERENCES)
    if step is not None and all(np.all(np.abs(some) > 0.5 * step) for some in _differing(differences)):
        places = (np.rint(some / step).astype(np.int64) for some in _differing(differences))
        return DifferenceBins(*_counted(places, step, -0.5), *signs)
    step = _round_step(*_range(_differing(differences)), MOST_DIFFERENCES - 2)
    places = (_off_zero(some, step) for some in _differing(differences))
    return DifferenceBins(*_counted(places, step, 0.0), *signs)


def _blocks(values: FloatArray) -> Iterator[FloatArray]:
    return (values[start : start + BLOCK] for start in range(0, len(values), BLOCK))


def _differing(differences: FloatArray) -> Iterator[FloatArray]:
    """Those that are not zero, some at a time."""
    return (some for block in _blocks(differences) if (some := block[block != 0.0]).size)


def _off_zero(differing: FloatArray, step: float) -> IntArray:
    """The bin of each difference, where zero is an edge: one that lies on another edge is in the bin that is nearer to zero."""
    parts = np.round(differing / step, 9)
    above, below = np.maximum(np.ceil(parts) - 1.0, 0.0), np.minimum(np.floor(parts), -1.0)
    return np.where(differing > 0.0, above, below).astype(np.int64)


def score_bins(a: FloatArray, b: FloatArray) -> ScoreBins:
    low, high = _range((a, b))
    common = _common_step(lambda: (block - low for values in (a, b) for block in _blocks(values)), MOST_SCORES - 1)
    step = common or _round_step(low, high, MOST_SCORES - 2)
    # Bins around the scores there are, or from one round number to the next.
    first = low - step / 2.0 if common else np.floor(np.round(low / step, 9)) * step
    bins = max(1, int(np.ceil(np.round((high - first) / step, 9))))
    counts = np.zeros(bins * bins, dtype=np.int64)
    for pair in zip(_blocks(a), _blocks(b), strict=True):
        place_a, place_b = (
            np.minimum(np.floor(np.round((block - first) / step, 9)).astype(np.int64), bins - 1) for block in pair
        )
        counts += np.bincount(place_a * bins + place_b, minlength=bins * bins)
    edges = tuple(_short(first + step * i) for i in range(bins + 1))
    return ScoreBins(edges, tuple(tuple(row) for row in counts.reshape(bins, bins).tolist()))


def _range(blocks: Iterable[FloatArray]) -> tuple[float, float]:
    lows, highs = zip(*((float(block.min()), float(block.max())) for block in blocks), strict=True)
    return min(lows), max(highs)


def _counted(places: Iterable[IntArray], step: float, offset: float) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Edges, and how many lie between them; a place is that of a bin's lower edge, in steps from the offset."""
    counts: Counter[int] = Counter()
    for block in places:
        lowest = int(block.min())
        counts.update(dict(enumerate(np.bincount(block - lowest).tolist(), lowest)))
    low, high = min(counts), max(counts)
    edges = tuple(_short((place + offset) * step) for place in range(low, high + 2))
    return edges, tuple(counts[place] for place in range(low, high + 1))


def _short(edge: float) -> float:
    """An edge without the noise of its computation."""
    return float(f"{edge:.12g}") + 0.0


def _common_step(blocks: Callable[[], Iterator[FloatArray]], most: int) -> float | None:
    """The step of which all values are multiples, if the range has at most this many; None without one."""
    sizes = np.unique(np.abs(_first(blocks())))
    gaps = np.diff(np.concatenate([[0.0], sizes]))
    gaps = gaps[gaps > 1e-9 * sizes[-1]]
    if gaps.size == 0:
        return None
    step = float(gaps.min())
    low, high = _range(blocks())
    if high / step - low / step > most - 0.5:
        return None
    apart = (np.abs(steps - np.rint(steps)) for steps in (block / step for block in blocks()))
    return None if any(np.any(each > 1e-6) for each in apart) else step


def _first(blocks: Iterable[FloatArray]) -> FloatArray:
    """As many values as are glanced at."""
    found = np.empty(0)
    for block in blocks:
        found = np.concatenate([found, block[: GLANCED_AT - len(found)]])
        if len(found) == GLANCED_AT:
            break
    return found


def _round_step(low: float, high: float, most: int) -> float:
    """The smallest of 1, 2 or 5 times a power of ten of which at most this many cover the range."""
    least = max(high - low, 1e-9 * max(abs(low), abs(high)), 1e-300) / most
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-9)))
