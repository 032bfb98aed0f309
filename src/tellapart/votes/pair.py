"""The votes between two systems."""

from dataclasses import dataclass, replace

import numpy as np

from tellapart.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class VotePair:
    """The votes between A and B: `values` is `(*batch, vote)`, 1 where B won, −1 where A did, 0 for a tie.

    A vote is a difference already taken. Where no column says the item, or the rater, every vote has one of its own.
    """

    values: FloatArray
    rater: IntArray
    item: IntArray
    raters: tuple[str, ...] | None
    items: tuple[str, ...] | None
    b_first: FloatArray | None = None
    """1 where B was shown first, 0 where A was, NaN where it is not known."""

    @property
    def swapped(self) -> "VotePair":
        return replace(
            self, values=-self.values, b_first=None if self.b_first is None else 1.0 - self.b_first
        )

    @property
    def in_both_orders(self) -> bool:
        """Whether every vote says what was shown first, and both systems were: then the order can be told from the systems."""
        return self.b_first is not None and set(np.unique(self.b_first).tolist()) == {0.0, 1.0}

    @property
    def repeats(self) -> int:
        """How many votes are by a rater who voted on the same item before."""
        cells = np.stack([self.rater, self.item])
        return int(cells.shape[1] - np.unique(cells, axis=1).shape[1])

    @property
    def shared(self) -> bool:
        """Whether any two votes are on the same item or by the same rater."""
        votes = self.values.shape[-1]
        return any(len(np.unique(codes)) < votes for codes in (self.item, self.rater))
