"""Texts beside their references, and counts of them: equal pairs are counted once."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from tellapart.arrays import FloatArray

Segment: TypeAlias = tuple[str, tuple[str, ...]]
"""What a system wrote, and the references that it is held against."""

Counter: TypeAlias = Callable[[Sequence[Segment]], FloatArray]
"""Counts of segments, `(segment, part)`."""


Mapper: TypeAlias = Callable[[Counter, Sequence[Sequence[Segment]]], Iterable[FloatArray]]
"""How counting is spread over pieces of the texts: as `map` does, or the `map` of an executor of processes."""

PIECE = 200
"""Segments that one worker counts at a time: of TER half a second's work."""


def count_once(segments: Sequence[Segment], counter: Counter) -> FloatArray:
    """The counts of every segment, `(segment, part)`; systems often write the same."""
    places: dict[Segment, int] = {}
    place = [places.setdefault(segment, len(places)) for segment in segments]
    return np.asarray(counter(list(places))[place])


def in_pieces(counter: Counter, mapper: Mapper) -> Counter:
    """The same counter, which counts many segments piece by piece."""

    def count(segments: Sequence[Segment]) -> FloatArray:
        pieces = [segments[start : start + PIECE] for start in range(0, len(segments), PIECE)]
        return np.concatenate(list(mapper(counter, pieces))) if len(pieces) > 1 else counter(segments)

    return count
