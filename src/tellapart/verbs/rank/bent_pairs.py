"""Pairs of a board on which the metric is not straight, so that influence, by which the board is judged, misleads."""

from collections.abc import Iterator

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.straightness import STRAIGHT, correlated, joint_swaps, straightness
from tellapart.results.note import Note
from tellapart.summaries import Parts, average_runs
from tellapart.verbs.rank.ranked_board import RankedBoard

MOST_NAMED = 5
"""Pairs that a note names; it counts the others."""

HELD = 1 << 20
"""Swapped numbers held at once."""

FEW = 200
"""Below so many items a single swap is no small step, and each is made."""


def bent_pairs(ranked: RankedBoard) -> Iterator[Note]:
    """A note that names the pairs whose joint swaps are not the sums of single ones."""
    board, judged = ranked.board, ranked.judged
    if board.metric.linear or not board.complete or judged.jointly is None:
        return
    rows = [board.scores.system(name) for name in board.systems]
    parts = average_runs(board.scores.values[rows][:, board.places])
    pairs = list(zip(judged.a.tolist(), judged.b.tolist(), strict=True))
    found = [
        pair
        for pair, straight in zip(pairs, _straightness(ranked, parts, pairs), strict=True)
        if straight < STRAIGHT
    ]
    if found:
        named = [[board.systems[a], board.systems[b]] for a, b in found[:MOST_NAMED]]
        yield Note("pairs_not_straight", {"pairs": len(found), "named": named, "below": STRAIGHT})


def _straightness(ranked: RankedBoard, parts: FloatArray, pairs: list[tuple[int, int]]) -> list[float]:
    """Of each pair how well joint swaps follow the gradients of both systems, which are what single swaps of many items change."""
    board, items = ranked.board, parts.shape[1]
    if items < FEW:
        return [
            float(straightness(Parts(parts[a], parts[b], board.metric, board.clusters))) for a, b in pairs
        ]
    units = parts if board.clusters is None else np.moveaxis(board.summed(np.moveaxis(parts, 1, 2)), 2, 1)
    # Swaps of all systems at once: those of a pair are differences of these.
    systems, count, width = units.shape
    flat = joint_swaps(board.units) @ np.moveaxis(units, 0, 1).reshape(count, -1)
    sums = np.moveaxis(flat.reshape(-1, systems, width), 1, 0)
    means = parts.mean(axis=1)
    slopes = board.metric.gradient(means, items)
    step = max(1, HELD // sums[0].size)
    found: list[float] = []
    for start in range(0, len(pairs), step):
        a, b = np.array(pairs[start : start + step]).T
        moved = (sums[b] - sums[a]) / items
        joint = board.metric.value(means[b, np.newaxis] - moved, items)
        joint -= board.metric.value(means[a, np.newaxis] + moved, items)
        alone = -np.matmul(moved, (slopes[a] + slopes[b])[..., np.newaxis])[..., 0]
        found.extend(correlated(*each) for each in zip(alone, joint, strict=True))
    return found
