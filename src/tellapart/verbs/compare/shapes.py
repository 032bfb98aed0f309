"""How the scores of two systems lie: items counted by their difference, and by both scores."""

from typing import Any

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.results.shapes import DifferenceBins, ScoreBins
from tellapart.verbs.compare.analysis import Analysis

MOST_DIFFERENCES = 40
"""Bins of differences: as many as a column of a page shows apart."""
MOST_SCORES = 16
"""Bins of the scores of each system: there are their square."""
GLANCED_AT = 1000
"""Values among which a step is sought that all may be multiples of."""

TINIEST, LARGEST = 1e-290, 1e290
"""Beyond these the edges of bins run into the ends of what a float can hold."""


def shapes(analysis: Analysis) -> dict[str, Any]:
    """Both tables of counts by their fields; none where scores are right or wrong, of separate items, or no plain mean."""
    if analysis.binary or not (analysis.paired and analysis.metric.linear):
        return {}
    a, b = analysis.values
    ends = [float(end) for values in (a, b) for end in (values.min(), values.max())]
    if not TINIEST < max(map(abs, ends)) < LARGEST:
        return {}
    by_scores = score_bins(a, b) if min(ends) < max(ends) else None
    return {"difference_bins": difference_bins(analysis.differences.snapped), "score_bins": by_scores}


def difference_bins(differences: FloatArray) -> DifferenceBins:
    differing = differences[differences != 0.0]
    higher = int(np.count_nonzero(differing > 0.0))
    signs = (differences.size - differing.size, higher, differing.size - higher)
    if differing.size == 0:
        return DifferenceBins((), (), *signs)
    step = _common_step(differing, MOST_DIFFERENCES)
    if step is not None and np.all(np.abs(differing) > 0.5 * step):
        places = np.rint(differing / step).astype(np.int64)
        return DifferenceBins(*_counted(places, step, -0.5), *signs)
    step = _round_step(float(differing.min()), float(differing.max()), MOST_DIFFERENCES - 2)
    parts = np.round(differing / step, 9)
    above, below = np.maximum(np.ceil(parts) - 1.0, 0.0), np.minimum(np.floor(parts), -1.0)
    places = np.where(differing > 0.0, above, below).astype(np.int64)
    return DifferenceBins(*_counted(places, step, 0.0), *signs)


def score_bins(a: FloatArray, b: FloatArray) -> ScoreBins:
    both = np.concatenate([a, b])
    low, high = float(both.min()), float(both.max())
    common = _common_step(both - low, MOST_SCORES - 1)
    step = common or _round_step(low, high, MOST_SCORES - 2)
    # Bins around the scores there are, or from one round number to the next.
    first = low - step / 2.0 if common else np.floor(np.round(low / step, 9)) * step
    places = np.floor(np.round((both - first) / step, 9)).astype(np.int64)
    bins = max(1, int(np.ceil(np.round((high - first) / step, 9))))
    place_a, place_b = np.split(np.minimum(places, bins - 1), 2)
    counts = np.bincount(place_a * bins + place_b, minlength=bins * bins).reshape(bins, bins)
    edges = tuple(_short(first + step * i) for i in range(bins + 1))
    return ScoreBins(edges, tuple(tuple(row) for row in counts.tolist()))


def _counted(places: IntArray, step: float, offset: float) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Edges, and how many lie between them; a place is that of a bin's lower edge, in steps from the offset."""
    low, high = int(places.min()), int(places.max())
    edges = tuple(_short((place + offset) * step) for place in range(low, high + 2))
    return edges, tuple(np.bincount(places - low).tolist())


def _short(edge: float) -> float:
    """An edge without the noise of its computation."""
    return float(f"{edge:.12g}") + 0.0


def _common_step(values: FloatArray, most: int) -> float | None:
    """What all values are multiples of, at most so many of it apart; None where there is no such step."""
    sizes = np.unique(np.abs(values[:GLANCED_AT]))
    gaps = np.diff(np.concatenate([[0.0], sizes]))
    gaps = gaps[gaps > 1e-9 * sizes[-1]]
    if gaps.size == 0:
        return None
    step = float(gaps.min())
    steps = values / step
    if np.ptp(steps) > most - 0.5 or np.any(np.abs(steps - np.rint(steps)) > 1e-6):
        return None
    return step


def _round_step(low: float, high: float, most: int) -> float:
    """The smallest of 1, 2 or 5 times a power of ten that at most so many of cover the range."""
    least = max(high - low, 1e-9 * max(abs(low), abs(high)), 1e-300) / most
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(step * power for step in (1.0, 2.0, 5.0, 10.0) if step * power >= least * (1 - 1e-9)))
