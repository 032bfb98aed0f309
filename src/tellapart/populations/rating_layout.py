"""Who rates what: the cells of a rating design, one per rater and item that meet."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from tellapart.arrays import BoolArray, IntArray
from tellapart.seeds import stream

RatingDesign = Literal["crossed", "raters_nested", "items_nested", "both_nested", "counterbalanced"]

PAIRED: RatingDesign = "crossed"
"""The design in which whoever rates an item rates both systems on it."""
RATERS_APART: tuple[RatingDesign, ...] = ("raters_nested", "both_nested")
"""Each rater rates one system only."""
ITEMS_APART: tuple[RatingDesign, ...] = ("items_nested", "both_nested")
"""Each item is rated for one system only."""


@dataclass(frozen=True, eq=False)
class RatingLayout:
    """The rater and the item of each cell; `of_b` is which system was rated there, None where both were."""

    rater: IntArray
    item: IntArray
    of_b: BoolArray | None

    @property
    def cells(self) -> int:
        return len(self.rater)

    @property
    def ratings(self) -> int:
        return self.cells if self.of_b is not None else 2 * self.cells


@lru_cache(maxsize=64)
def layout(design: RatingDesign, raters: int, per_item: int, items: int) -> RatingLayout:
    """The cells of a design, ordered by item and rater; with fewer raters per item than there are, dealt out evenly."""
    if per_item < raters:
        rater, item = _dealt(raters, per_item, items)
    else:
        item, rater = (grid.ravel() for grid in np.indices((items, raters)))
    late_rater, late_item = rater >= raters // 2, item >= items // 2
    if design == "both_nested":
        met = late_rater == late_item
        return RatingLayout(rater[met], item[met], late_rater[met])
    of_b = {
        "crossed": None,
        "raters_nested": late_rater,
        "items_nested": late_item,
        "counterbalanced": late_rater ^ late_item,
    }
    return RatingLayout(rater, item, of_b[design])


def _dealt(raters: int, per_item: int, items: int) -> tuple[IntArray, IntArray]:
    """Each item gets those who have rated least so far, at random among equals: loads never differ by more than one."""
    rng, load = stream(0), np.zeros(raters, dtype=np.int64)
    rater = np.empty((items, per_item), dtype=np.int64)
    for item in range(items):
        chosen = np.lexsort((rng.random(raters), load))[:per_item]
        load[chosen] += 1
        rater[item] = np.sort(chosen)
    return rater.ravel(), np.repeat(np.arange(items), per_item)
