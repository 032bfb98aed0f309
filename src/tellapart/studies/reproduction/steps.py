"""Whether what a figure draws grows or falls along each of its axes, as its text says."""

import math
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from tellapart.studies.reproduction.table import Ours

PRECISION = 1e-12
"""Of two values' size: a step between them that is smaller is made of their rounding, which is another's on another processor."""

Place = tuple[float, ...]
"""Where a point of a figure lies, axis by axis."""


def worst_step(values: Mapping[Place, float], axis: int, worst: Callable[[Iterable[float]], float]) -> Ours:
    """The step that speaks most against the text, of those from each point to the next one along an axis, the others being the same."""
    lines: dict[Place, list[tuple[float, float]]] = {}
    for place, value in values.items():
        lines.setdefault(place[:axis] + place[axis + 1 :], []).append((place[axis], value))
    step = worst(_step(a, b) for line in lines.values() for (_, a), (_, b) in pairwise(sorted(line)))
    return Ours(step, below_rounding=step == 0.0)


def _step(a: float, b: float) -> float:
    return 0.0 if math.isclose(a, b, rel_tol=PRECISION) else b - a
