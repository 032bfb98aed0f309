"""The mean of every system by every measure, as its items have it."""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from tellapart.readers.logs.found import Found
from tellapart.readers.logs.marks import SCORED
from tellapart.results.description import DescribedMean

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The five numbers that a box plot is drawn from: least, quartiles and largest."""
Key = tuple[str, str, str, tuple[tuple[str, str], ...]]


def means_of(found: Sequence[Found]) -> tuple[DescribedMean, ...]:
    """A mean per system, dataset, measure and what varies beside; runs are averaged within an item first."""
    scores: defaultdict[Key, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    # Of what lists only the items that were solved, the mean would be 1 whatever the system did.
    for one in (one for one in found if not one.facts.solved_only):
        offered = set(one.facts.measures or one.measures)
        axes = [axis.name for axis in one.axes if axis.forced]
        columns = [one.system_of_rows(), one.dataset_of_rows(), one.column("measure"), one.column("item")]
        ways = list(zip(*(one.column(name) for name in axes), strict=True)) if axes else [()] * len(one)
        for system, dataset, measure, item, way, value, mark in zip(
            *columns, ways, one.values.tolist(), one.marks.tolist(), strict=True
        ):
            if mark == SCORED and measure in offered:
                key = system, dataset, measure, tuple((n, v) for n, v in zip(axes, way, strict=True) if v)
                scores[key][item].append(value)
    return tuple(
        DescribedMean(system, dataset or None, measure, dict(way), len(items), *_lie(list(items.values())))
        for (system, dataset, measure, way), items in scores.items()
    )


def _lie(items: list[list[float]]) -> tuple[float, ...]:
    """The mean, and the quartiles with both ends."""
    values = [sum(runs) / len(runs) for runs in items]
    return sum(values) / len(values), *np.quantile(values, QUARTERS).tolist()
