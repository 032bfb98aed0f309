"""Texts beside their references, and counts of them: equal pairs are counted once."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from tellapart.arrays import FloatArray

Segment: TypeAlias = tuple[str, tuple[str, ...]]
"""What a system wrote, and the references that it is held against."""

Counter: TypeAlias = Callable[[Sequence[Segment]], FloatArray]
"""Counts of segments, `(segment, part)`."""


def count_once(segments: Sequence[Segment], counter: Counter) -> FloatArray:
    """The counts of every segment, `(segment, part)`; systems often write the same."""
    places: dict[Segment, int] = {}
    place = [places.setdefault(segment, len(places)) for segment in segments]
    return np.asarray(counter(list(places))[place])
