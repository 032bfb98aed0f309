"""Two systems of a table of scores, paired on the items that both have scores on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from tellapart.data.provenance import Better, Reading, Remark, remarks_about
from tellapart.data.records import recode
from tellapart.data.rows import ItemKeys, Items, only_items, show_item, show_items
from tellapart.data.score_storage import rows_of, stored_bytes
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import ItemMismatch, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option


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
    """Remarks of the reader about these two systems."""
    better: Better | None = None
    """Which scores the files say are better, where they do."""
    seed_runs: int | None = None
    """Where systems were trained with several seeds: how many runs each seed has, which stand side by side; None where nothing is said of seeds."""
    texts: Sequence[str] = ()
    """The text of each item, where the files have it."""
    arrival: IntArray | None = None
    """The place of each item among the rows that were read; None where items are in that order."""

    @property
    def swapped(self) -> "Pair":
        return replace(self, a=self.b, b=self.a, lost=self.lost[::-1], first_lost=self.first_lost[::-1])


# Which items two systems are both scored on, and what is said where one lacks some.


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
                f"(first: {self._first(self.unscored)!r}){file_without_scores(reading)}. "
                f"Pass {'files that were scored' if self.unscored.all() else way}{zero_errors_hint(reading)}"
            )

    def _told(self, reading: Reading | None) -> str:
        (a, b), (of_a, of_b) = self.names, self.alone
        short, lacking = (b, of_a) if of_a.any() else (a, of_b)
        shared, total = int(self.shared.sum()), int((self.has_a | self.has_b).sum())
        if not (self.has_a.any() and self.has_b.any()):
            return f"system {short!r} has no score on any item{file_without_scores(reading, short)}. Pass a file that was scored{zero_errors_hint(reading)}"
        if shared == 0:
            return (
                f"systems {a!r} and {b!r} share no item ({short!r} lacks {self._first(lacking)!r}, for one). Check the item ids, "
                "or name an unpaired test (welch_t, two_proportion_z)"
            )
        return (
            f"system {short!r} lacks {int(lacking.sum())} of {total} items (first: {self._first(lacking)!r}){file_without_scores(reading, short)}. "
            f"Pass {option('missing', 'drop')} to compare on the {amount(shared, 'shared item')}{zero_errors_hint(reading)}"
        )


def file_without_scores(reading: Reading | None, system: str | None = None) -> str:
    """The file, if there is one, with rows of this system, or of any, and no score by this measure: an old release wrote none."""
    sources = () if reading is None else reading.sources
    speaking = {source.file for source in sources if source.missing < source.rows}
    silent = (one.file for one in sources if system in {None, one.system} and one.file not in speaking)
    return next((f": {file} has none by this measure" for file in silent), "")


def zero_errors_hint(reading: Reading | None) -> str:
    """Advice on items without a score because their evaluation failed."""
    failed = 0 if reading is None or reading.zeroed else reading.errors
    return f", or {option('errors', 'zero')} to count {amount(failed, 'failure')} as 0" if failed else ""


# Two systems of a table as a `Pair`: on the items that both are scored on, or each on its own.

if TYPE_CHECKING:
    from tellapart.data.scores import Scores

Missing = Literal["error", "drop"]


def paired(scores: "Scores", a: str, b: str, missing: Missing) -> Pair:
    """The items both systems are scored on, in canonical order; an item only one has is an error unless dropped."""
    if repr(missing) not in map(repr, get_args(Missing)):  # an array has no single answer to `in`
        raise UsageError(f"missing={missing!r} should be {' or '.join(map(repr, get_args(Missing)))}")
    gaps = Gaps((a, b), scores.scored(a), scores.scored(b), _unscored(scores), scores.items)
    if missing == "error":
        gaps.refuse(scores.reading)
    shared, lost, first_lost = gaps.shared, gaps.lost, gaps.first_lost
    return Pair(
        _runs(scores, a, shared),
        _runs(scores, b, shared),
        None if scores.clusters is None else recode(scores.clusters[shared]),
        _shown(scores, shared),
        lost,
        first_lost,
        int(gaps.unscored.sum()),
        remarks_about(scores.remarks, (a, b)) if scores.remarks else (),
        None if scores.reading is None else scores.reading.better,
        scores.seed_runs,
        tuple(np.array(scores.texts)[shared].tolist()) if len(scores.texts) == len(shared) else (),
        None if scores.arrival is None else scores.arrival[shared],
    )


def unpaired(scores: "Scores", a: str, b: str) -> Pair:
    """Each system on its own items, for tests of systems that share none."""
    return Pair(_runs(scores, a, scores.scored(a)), _runs(scores, b, scores.scored(b)))


def _unscored(scores: "Scores") -> BoolArray:
    """Items that no system has a complete score on."""
    if stored_bytes(scores.values) is not None:
        return np.zeros(len(scores.items), dtype=np.bool_)
    unscored = np.ones(len(scores.items), dtype=np.bool_)
    for system in rows_of(scores.values):
        unscored &= np.isnan(system).any(axis=-1).all(axis=-1)
    return unscored


def _shown(scores: "Scores", which: BoolArray) -> Sequence[str]:
    """These items as a person reads them."""
    kept = only_items(scores.items, which)
    names = kept.shown if isinstance(kept, ItemKeys) else None
    return show_items(kept) if names is None else names


def _runs(scores: "Scores", name: str, which: BoolArray) -> FloatArray:
    """One system's scores on some items; a run that lacks a part has no score, and a run that no item uses is left out."""
    rows = scores.values[scores.system(name)]
    if not which.all():
        rows = rows[which]
    incomplete = np.asarray(np.isnan(rows).any(axis=-1))
    if not incomplete.any():
        return np.ascontiguousarray(rows)  # no copy of millions of scores
    used = ~incomplete.all(axis=0) if len(rows) else np.ones(rows.shape[1], dtype=np.bool_)
    if scores.seed_runs is not None:
        used = np.repeat(used.reshape(-1, scores.seed_runs).any(axis=1), scores.seed_runs)
    # C order, so that sums over items have the same bits whichever runs are left out.
    return np.ascontiguousarray(np.where(incomplete[..., np.newaxis], np.nan, rows)[:, used])
