"""Two systems of a table of ratings, by whoever rated either."""

from dataclasses import dataclass, replace

import numpy as np

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.sources import Better


@dataclass(frozen=True, eq=False)
class RatedPair:
    """The ratings of two systems: `values` is `(*batch, rating)`, the others say of each rating whose it is and of what."""

    values: FloatArray
    of_b: BoolArray
    rater: IntArray
    item: IntArray
    raters: tuple[str, ...]
    items: tuple[str, ...]
    repeats: int = 0
    """How many ratings were averaged into others, because a rater rated a system on an item more than once."""
    better: Better | None = None
    """Which ratings are better, where their file says so."""

    @property
    def swapped(self) -> "RatedPair":
        return replace(self, of_b=~self.of_b)

    @property
    def cell(self) -> IntArray:
        """One number per rater and item."""
        return np.asarray(self.rater * len(self.items) + self.item)

    @property
    def complete(self) -> BoolArray:
        """Which ratings have a partner: the same rater rated the other system on the same item."""
        cells = len(self.raters) * len(self.items)
        rated = [np.bincount(self.cell[side], minlength=cells) > 0 for side in (self.of_b, ~self.of_b)]
        return np.asarray((rated[0] & rated[1])[self.cell])
