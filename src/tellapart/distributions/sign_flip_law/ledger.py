"""Which rows of a batch have their tail, and by which methods."""

import numpy as np

from tellapart.arrays import BoolArray, IntArray
from tellapart.distributions.sign_flip_law.subset_sums import SubsetSums, Tail

INVERSION = "inversion of the characteristic function along the saddlepoint contour"


class Ledger:
    """The tails found so far, NaN in rows that are still `open`, and the methods that found them, in order."""

    def __init__(self, sums: SubsetSums) -> None:
        self.sums = sums
        self.tail = Tail(*(np.full(len(sums), np.nan) for _ in range(3)))
        self.open = np.ones(len(sums), dtype=np.bool_)
        self.methods: dict[str, None] = {}

    @property
    def described(self) -> str:
        """The methods in words; an inversion says how far off it may be."""
        methods = "; ".join(self.methods)
        return (
            f"{methods}, each tail within {self.tail.error.max():.1g}"
            if INVERSION in self.methods
            else methods
        )

    def which(self, wanted: BoolArray) -> IntArray:
        """The wanted rows that are still open."""
        return (self.open & wanted).nonzero()[0]

    def settle(self, rows: IntArray, tail: Tail | None, *methods: str) -> None:
        if len(rows) and tail is not None:
            self.tail.at_most[rows], self.tail.below[rows] = tail.at_most, tail.below
            self.tail.error[rows] = tail.error
            self.open[rows] = False
            self.methods.update(dict.fromkeys(methods))

    def resettle(self, row: int, tail: Tail | None, method: str) -> None:
        """Replace an answer of the inversion by a better one; its method is no longer named, unless it is the better one's too."""
        if tail is not None and tail.error[0] < self.tail.error[row]:
            self.methods.pop(INVERSION, None)
            self.settle(np.array([row]), tail, method)
