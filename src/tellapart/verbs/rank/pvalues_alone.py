"""Between which bounds the p-values lie that `compare` would give pairs of a board, found for many at once and without drawing items again."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.pair import Pair
from tellapart.seeds import stream
from tellapart.significance import Procedure
from tellapart.summaries import coding
from tellapart.verbs.rank.ranked_board import RankedBoard

if TYPE_CHECKING:
    from tellapart.verbs.sampled import Sampled

HELD = 1 << 20
"""Scores of A, and of B, held at once."""

AT_LEAST = 50
"""Samples of a batch, repeated where there are fewer: the law of all flips of so many is quick, and says how far it is off.

That of one sample of forty items is without error, and takes a seventh of a second.
"""

MOST_SINGLE = 1_000
"""Pairs that are looked at one by one, where each has items of its own: half a second of them."""


class Bounds(NamedTuple):
    """The smallest and the largest p-value that `compare` can give, `(pair,)` each."""

    low: FloatArray
    high: FloatArray


def pvalues_alone(ranked: RankedBoard, pairs: IntArray) -> Bounds:
    """The bounds of these pairs: the same number twice where the test has no chance in it, 0 and 1 where nothing is known."""
    found = Bounds(np.zeros(len(pairs)), np.ones(len(pairs)))
    for places, sampled in _samples(ranked, pairs):
        for some, test in _chosen(sampled):
            samples = max(len(some), min(AT_LEAST, _at_once(ranked)))
            repeated = sampled.entries(np.resize(some, samples).tolist())
            each = [_bounds(one, repeated, len(some)) for one in _tests_in(test)]
            found.low[places[some]] = np.max([one.low for one in each], axis=0)
            found.high[places[some]] = np.max([one.high for one in each], axis=0)
    return found


def _tests_in(test: Procedure) -> list[Procedure]:
    """The tests of which the largest p-value counts."""
    from tellapart.significance.cautious import Cautious  # noqa: PLC0415  (not for right or wrong)

    return [test.test, *_tests_in(test.inverted)] if isinstance(test, Cautious) else [test]


def _bounds(test: Procedure, sampled: "Sampled", samples: int) -> Bounds:
    """Of the first samples of a batch."""
    if test.resampling:
        return Bounds(np.zeros(samples), np.ones(samples))
    found = test.apply(sampled.sample(test), stream(0))
    low, high = (found.pvalue + sign * found.error for sign in (-1.0, 1.0))
    # It has no answer where nothing varies: what `compare` makes of that is seen when it is run.
    known = ~np.isnan(found.pvalue)
    return Bounds(np.where(known, low, 0.0)[:samples], np.where(known, high, 1.0)[:samples])


def _chosen(sampled: "Sampled") -> Iterator[tuple[IntArray, Procedure]]:
    """The samples of a batch by the test that `compare` chooses for them."""
    from tellapart.verbs.choose import choose  # noqa: PLC0415  (not for right or wrong)
    from tellapart.verbs.shape import Shape  # noqa: PLC0415

    tests = [choose(shape).test for shape in Shape.each(sampled)]
    for test in dict.fromkeys(tests):
        yield np.flatnonzero([one == test for one in tests]), test


def _samples(ranked: RankedBoard, pairs: IntArray) -> Iterator[tuple[IntArray, "Sampled"]]:
    """Batches of pairs on the same items, with their places among `pairs`; of those with items of their own no more than a thousand."""
    from tellapart.verbs.sampled import Sampled  # noqa: PLC0415

    board, metric = ranked.board, ranked.question.aggregation(ranked.board.scores)
    a, b = ranked.judged.a[pairs], ranked.judged.b[pairs]
    single = _looked_at_singly(ranked, a, b)
    for place in np.flatnonzero(single)[:MOST_SINGLE]:
        found = board.scores.pair(board.systems[a[place]], board.systems[b[place]], "drop")
        yield np.array([place]), Sampled(replace(found, a=found.a[np.newaxis], b=found.b[np.newaxis]), metric)
    for places in _alike(ranked, pairs, np.flatnonzero(~single)):
        first, second = (board.values[side[places]][..., np.newaxis, np.newaxis] for side in (a, b))
        yield places, Sampled(Pair(first, second, board.clusters), metric)


def _looked_at_singly(ranked: RankedBoard, a: IntArray, b: IntArray) -> BoolArray:
    """Pairs with items of their own, and those whose averaged runs would look like right or wrong ones."""
    board = ranked.board
    if not board.complete:
        return np.ones(len(a), dtype=np.bool_)
    if board.scores.values.shape[-2:] == (1, 1):
        return np.zeros(len(a), dtype=np.bool_)
    coded = np.array([coding(row) is not None for row in board.values])
    return np.asarray(coded[a] & coded[b])


def _alike(ranked: RankedBoard, pairs: IntArray, places: IntArray) -> Iterator[IntArray]:
    """Places of pairs whose scores are of one order of size, for float noise is judged beside the largest of a batch; not too many at once."""
    sizes, judged = ranked.board.sizes, ranked.judged
    largest = np.maximum(sizes[judged.a[pairs]], sizes[judged.b[pairs]])
    groups = defaultdict(list)
    for place in places.tolist():
        groups[_decade(largest[place])].append(place)
    step = _at_once(ranked)
    for group in groups.values():
        for start in range(0, len(group), step):
            yield np.array(group[start : start + step])


def _at_once(ranked: RankedBoard) -> int:
    """Pairs whose scores are held at once."""
    return max(1, HELD // int(ranked.board.values.shape[1]))


def _decade(size: float) -> int:
    return int(np.floor(np.log10(size))) if size > 0.0 else 0
