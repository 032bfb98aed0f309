"""Counts from texts and their references, each distinct pair once, and edit distances."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from tellapart.foundation.arrays import FloatArray

Segment: TypeAlias = tuple[str, tuple[str, ...]]
"""A system's text and its references."""

Counter: TypeAlias = Callable[[Sequence[Segment]], FloatArray]
"""Counts of segments, `(segment, part)`."""


Mapper: TypeAlias = Callable[[Counter, Sequence[Sequence[Segment]]], Iterable[FloatArray]]
"""The `map` that spreads counting over pieces of the texts: the builtin, or that of an executor of processes."""

PIECE = 200
"""Segments that one worker counts at a time: of TER half a second's work."""


def count_distinct(segments: Sequence[Segment], counter: Counter) -> FloatArray:
    """The counts of every segment, `(segment, part)`; systems often write the same."""
    places: dict[Segment, int] = {}
    place = [places.setdefault(segment, len(places)) for segment in segments]
    return np.asarray(counter(list(places))[place])


def in_pieces(counter: Counter, mapper: Mapper) -> Counter:
    """A counter that counts many segments piece by piece."""

    def count(segments: Sequence[Segment]) -> FloatArray:
        pieces = [segments[start : start + PIECE] for start in range(0, len(segments), PIECE)]
        return np.concatenate(list(mapper(counter, pieces))) if len(pieces) > 1 else counter(segments)

    return count


# The fewest insertions, deletions and substitutions that turn one sequence into another.


def edit_counts(segments: Sequence[Segment], split: Callable[[str], Sequence[Hashable]]) -> FloatArray:
    """Edits and reference length of every segment, `(segment, 2)`; of several references the one with the fewest edits."""
    return np.array(
        [_fewest_edits(split(text), list(map(split, references))) for text, references in segments], dtype=np.float64
    )


def _fewest_edits(wrote: Sequence[Hashable], references: Sequence[Sequence[Hashable]]) -> tuple[int, int]:
    counted = [(edit_distance(reference, wrote), len(reference)) for reference in references]
    # Of equally many edits the longer reference makes the lower rate.
    return min(counted, key=lambda count: (count[0], -count[1]))


def edit_distance(one: Sequence[Hashable], other: Sequence[Hashable]) -> int:
    """Levenshtein's distance, a column of its table at a time in the bits of whole numbers.

    Bit i of `rises` and of `falls` says that going from row i to row i + 1 of a column the distance grows, or shrinks, by 1. Myers (1999),
    in Hyyrö's form (2001); Python's whole numbers have as many bits as the sequence is long.

    >>> edit_distance("kitten", "sitting"), edit_distance("", "ab"), edit_distance("ab", "ab")
    (3, 2, 0)
    """
    if not one:
        return len(other)
    places: dict[Hashable, int] = {}
    for place, symbol in enumerate(one):
        places[symbol] = places.get(symbol, 0) | 1 << place
    whole, last = (1 << len(one)) - 1, 1 << (len(one) - 1)
    rises, falls, distance = whole, 0, len(one)
    for symbol in other:
        equal = places.get(symbol, 0)
        level = (((equal & rises) + rises) ^ rises) | equal | falls
        up, down = falls | (~(level | rises) & whole), rises & level
        distance += bool(up & last) - bool(down & last)
        up, down = up << 1 | 1, down << 1
        rises, falls = (down | ~(level | up)) & whole, up & level & whole
    return distance
