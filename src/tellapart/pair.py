"""Two systems of a table, on the items that both have scores on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tellapart.arrays import FloatArray, IntArray
from tellapart.remarks import Remark
from tellapart.sources import Better


@dataclass(frozen=True, eq=False)
class Pair:
    """The scores of two systems on the same items: `a` and `b` are `(*batch, item, run, part)`."""

    a: FloatArray
    b: FloatArray
    clusters: IntArray | None = None
    items: Sequence[str] = ()
    lost: tuple[int, int] = (0, 0)
    """How many items of A, and of B, were left out because the other system has no score on them."""
    first_lost: tuple[str, str] = ("", "")
    unscored: int = 0
    """How many items were left out because no system has a score on them."""
    remarks: tuple[Remark, ...] = ()
    """What reading them left to say about these two systems."""
    better: Better | None = None
    """Which scores the files say are better, where they do."""

    @property
    def swapped(self) -> "Pair":
        return replace(self, a=self.b, b=self.a, lost=self.lost[::-1], first_lost=self.first_lost[::-1])
