"""Which items two systems are both scored on, and what is said where one lacks some."""

from dataclasses import dataclass

from tellapart.arrays import BoolArray
from tellapart.doors import option
from tellapart.errors import ItemMismatch
from tellapart.records import Items, show_item
from tellapart.sources import Reading
from tellapart.wording import amount


@dataclass(frozen=True, eq=False)
class Gaps:
    """For each item whether A, whether B, and whether no system of the table at all has a score on it."""

    names: tuple[str, str]
    has_a: BoolArray
    has_b: BoolArray
    unscored: BoolArray
    items: Items

    @property
    def shared(self) -> BoolArray:
        return self.has_a & self.has_b

    @property
    def alone(self) -> tuple[BoolArray, BoolArray]:
        """Items of A that B lacks, and of B that A lacks."""
        return self.has_a & ~self.has_b, self.has_b & ~self.has_a

    @property
    def lost(self) -> tuple[int, int]:
        of_a, of_b = self.alone
        return int(of_a.sum()), int(of_b.sum())

    @property
    def first_lost(self) -> tuple[str, str]:
        of_a, of_b = self.alone
        return self._first(of_a), self._first(of_b)

    def _first(self, which: BoolArray) -> str:
        return show_item(self.items[int(which.argmax())]) if which.any() else ""

    def refuse(self, reading: Reading | None) -> None:
        """An item that only one system has, or none, is an error; where its evaluation is known to have failed, it may count as 0."""
        if any(self.lost):
            raise ItemMismatch(self._told(reading))
        if self.unscored.any():
            way = f"{option('missing', 'drop')} to leave them out"
            raise ItemMismatch(
                f"no system has a score on {int(self.unscored.sum())} of {len(self.unscored)} items "
                f"(first: {self._first(self.unscored)!r}){silent_file(reading)}. "
                f"Pass {'files that were scored' if self.unscored.all() else way}{or_zero(reading)}"
            )

    def _told(self, reading: Reading | None) -> str:
        (a, b), (of_a, of_b) = self.names, self.alone
        short, lacking = (b, of_a) if of_a.any() else (a, of_b)
        shared, total = int(self.shared.sum()), int((self.has_a | self.has_b).sum())
        if not (self.has_a.any() and self.has_b.any()):
            return f"system {short!r} has no score on any item{silent_file(reading, short)}. Pass a file that was scored{or_zero(reading)}"
        if shared == 0:
            return (
                f"systems {a!r} and {b!r} share no item ({short!r} lacks {self._first(lacking)!r}, for one). Check the item ids, "
                "or name an unpaired test (welch_t, two_proportion_z)"
            )
        return (
            f"system {short!r} lacks {int(lacking.sum())} of {total} items (first: {self._first(lacking)!r}){silent_file(reading, short)}. "
            f"Pass {option('missing', 'drop')} to compare on the {amount(shared, 'shared item')}{or_zero(reading)}"
        )


def silent_file(reading: Reading | None, system: str | None = None) -> str:
    """The file, if there is one, with rows of this system, or of any, and no score by this measure: an old release wrote none."""
    sources = () if reading is None else reading.sources
    speaking = {source.file for source in sources if source.missing < source.rows}
    silent = (one.file for one in sources if system in {None, one.system} and one.file not in speaking)
    return next((f": {file} has none by this measure" for file in silent), "")


def or_zero(reading: Reading | None) -> str:
    """What else can be done about items that have no score because their evaluation failed."""
    failed = 0 if reading is None or reading.zeroed else reading.errors
    return f", or {option('errors', 'zero')} to count {amount(failed, 'failure')} as 0" if failed else ""
