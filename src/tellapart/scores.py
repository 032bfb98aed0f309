"""The one table: who scored what on which item. Everything read becomes `Scores`; two of its systems are a `Pair`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from tellapart.arrays import BoolArray, FloatArray, IntArray, floats
from tellapart.errors import DataError, ItemMismatch, TooFew, UnknownSystem, nearest
from tellapart.records import (
    Labels,
    Records,
    clusters_of_items,
    identify,
    place_runs,
    recode,
    refuse_sparse,
    show_item,
)

Missing = Literal["error", "drop"]
Column = Sequence[object] | npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Pair:
    """The scores of two systems on the same items: `a` and `b` are `(*batch, item, run, part)`."""

    a: FloatArray
    b: FloatArray
    clusters: IntArray | None = None
    items: tuple[str, ...] = ()
    lost: tuple[int, int] = (0, 0)

    @property
    def swapped(self) -> "Pair":
        return Pair(self.b, self.a, self.clusters, self.items, self.lost[::-1])


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of systems on items: `values` is `(system, item, run, part)`, NaN where there is none.

    Items are identified by dataset and name and kept in the order of those, so that nothing depends on the
    order of rows in a file.
    """

    systems: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    values: FloatArray
    clusters: IntArray | None = None
    measure: str = "score"
    parts: tuple[str, ...] = ("score",)

    def __post_init__(self) -> None:
        if len(self.systems) < 2:
            raise TooFew(
                f"only one system, {self.systems[0]!r}, was found; two are needed to compare"
                if self.systems
                else "no system was found"
            )

    @classmethod
    def from_arrays(  # noqa: PLR0913  (one argument a role that a column would have)
        cls,
        scores: Mapping[str, Any],
        *,
        items: Column | None = None,
        datasets: Column | None = None,
        clusters: Column | None = None,
        measure: str = "score",
        parts: Sequence[str] = ("score",),
    ) -> "Scores":
        """Scores from one array a system, `(item,)`, `(item, run)` or with the parts of a metric last.

        >>> Scores.from_arrays({"old": [0.1, 0.4], "new": [0.3, 0.4]}).systems
        ('old', 'new')
        """
        arrays = {name: _with_axes(name, values, len(parts)) for name, values in scores.items()}
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            raise ItemMismatch(
                f"arrays of different lengths ({lengths}) cannot be paired; pass items in the same order"
            )
        n = next(iter(lengths.values()), 0)
        names = [str(i) for i in items] if items is not None else [f"{i:0{len(str(n))}d}" for i in range(n)]
        homes = [str(d) for d in datasets] if datasets is not None else [""] * n
        for label, column in (("items", names), ("datasets", homes), ("clusters", clusters)):
            if column is not None and len(column) != n:
                raise DataError(f"{label} has {len(column)} entries for {n} items")
        keys = list(zip(homes, names, strict=True))
        if len(set(keys)) < n:
            raise DataError(
                f"item {_first_repeated(keys)!r} occurs twice; name each item once, and give repeats a run axis"
            )
        order = sorted(range(n), key=keys.__getitem__)
        stacked = np.stack([_pad_runs(a, max(x.shape[1] for x in arrays.values())) for a in arrays.values()])[
            :, order
        ]
        codes = Labels.of([str(clusters[i]) for i in order]).codes if clusters is not None else None
        return cls(
            tuple(map(str, arrays)),
            tuple(keys[i] for i in order),
            floats(stacked),
            codes,
            measure,
            tuple(parts),
        )

    @classmethod
    def from_records(
        cls, rows: Records, measure: str = "score", parts: Sequence[str] = ("score",)
    ) -> "Scores":
        """The table that rows of a file make; refuses two rows for one (system, dataset, item, run)."""
        item, keys = identify(rows)
        refuse_sparse(rows, len(keys))
        position, runs = place_runs(rows, item)
        shape = (len(rows.system.names), len(keys), runs, len(parts))
        values = np.full(shape, np.nan)
        values[rows.system.codes, item, position] = rows.values
        clusters = clusters_of_items(rows, item, keys) if rows.cluster is not None else None
        return cls(rows.system.names, keys, values, clusters, measure, tuple(parts))

    def system(self, name: str) -> int:
        """The row of a system, or an error naming the nearest ones."""
        if name not in self.systems:
            raise UnknownSystem(f"no system is called {name!r}; {nearest(name, self.systems)}")
        return self.systems.index(name)

    def scored(self, name: str) -> BoolArray:
        """Which items this system has a complete score on, in at least one run."""
        complete = ~np.isnan(self.values[self.system(name)]).any(axis=-1)
        return np.asarray(complete.any(axis=-1), dtype=np.bool_)

    def within(self, dataset: str) -> "Scores":
        """Only the items of one dataset."""
        keep = np.array([home == dataset for home, _ in self.items], dtype=np.bool_)
        if not keep.any():
            raise DataError(
                f"no dataset is called {dataset!r}; {nearest(dataset, dict.fromkeys(h for h, _ in self.items))}"
            )
        return self._only(keep)

    def _only(self, keep: BoolArray) -> "Scores":
        kept = tuple(key for key, k in zip(self.items, keep, strict=True) if k)
        clusters = None if self.clusters is None else self.clusters[keep]
        return Scores(self.systems, kept, self.values[:, keep], clusters, self.measure, self.parts)

    def pair(self, a: str, b: str, missing: Missing = "error") -> Pair:
        """The items both systems are scored on, in canonical order; an item only one has is an error unless dropped."""
        has_a, has_b = self.scored(a), self.scored(b)
        shared = has_a & has_b
        if missing == "error":
            self._refuse_gaps(a, b, has_a, has_b)
        rows_a, rows_b = (self.values[self.system(s)][shared] for s in (a, b))
        clusters = None if self.clusters is None else recode(self.clusters[shared])
        names = tuple(show_item(self.items[i]) for i in np.flatnonzero(shared))
        lost = (int((has_a & ~has_b).sum()), int((has_b & ~has_a).sum()))
        return Pair(_trim_runs(rows_a), _trim_runs(rows_b), clusters, names, lost)

    def unpaired(self, a: str, b: str) -> Pair:
        """Each system on its own items, for tests of systems that share none."""
        arrays = [_trim_runs(self.values[self.system(s)][self.scored(s)]) for s in (a, b)]
        return Pair(arrays[0], arrays[1])

    def _refuse_gaps(self, a: str, b: str, has_a: BoolArray, has_b: BoolArray) -> None:
        if (has_a ^ has_b).any():
            raise ItemMismatch(self._gap(a, b, has_a, has_b))
        blank = np.asarray(np.asarray(np.isnan(self.values).any(axis=-1)).all(axis=(0, 2)))
        if blank.any():
            first = show_item(self.items[int(np.flatnonzero(blank)[0])])
            raise ItemMismatch(
                f"no system has a score on {int(blank.sum())} of {len(blank)} items (first: {first!r}). Pass "
                "--missing drop (missing='drop' in Python) to leave them out"
            )

    def _gap(self, a: str, b: str, has_a: BoolArray, has_b: BoolArray) -> str:
        short, other = (b, has_a & ~has_b) if (has_a & ~has_b).any() else (a, has_b & ~has_a)
        shared, total = int((has_a & has_b).sum()), int((has_a | has_b).sum())
        first = show_item(self.items[int(np.flatnonzero(other)[0])])
        if shared == 0:
            return (
                f"systems {a!r} and {b!r} share no item (first of the other's that {short!r} lacks: {first!r}). Check "
                "the item ids, or name an unpaired test (welch_t, two_proportion_z)"
            )
        return (
            f"system {short!r} lacks {int(other.sum())} of {total} items (first: {first!r}). Pass --missing drop "
            f"(missing='drop' in Python) to compare on the {shared} shared items"
        )


def _with_axes(name: str, values: Any, parts: int) -> FloatArray:
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise DataError(f"the scores of {name!r} are {array.dtype}, not numbers")
    array = floats(array)
    if parts == 1 and array.ndim < 3:
        array = array[..., np.newaxis]
    if array.ndim == 2:
        array = array[:, np.newaxis, :]
    if array.ndim != 3 or array.shape[-1] != parts:
        raise DataError(
            f"the scores of {name!r} have shape {np.shape(values)}; wanted (item,), (item, run) or (…, {parts} parts)"
        )
    if np.isinf(array).any():
        raise DataError(f"the scores of {name!r} hold an infinity; scores must be finite (NaN is missing)")
    return array


def _pad_runs(array: FloatArray, runs: int) -> FloatArray:
    return np.pad(array, ((0, 0), (0, runs - array.shape[1]), (0, 0)), constant_values=np.nan)


def _trim_runs(array: FloatArray) -> FloatArray:
    """Drop run slots that no item uses."""
    used = ~np.isnan(array).all(axis=(0, 2)) if array.size else np.ones(array.shape[1], dtype=np.bool_)
    return floats(array[:, used])


def _first_repeated(keys: Sequence[tuple[str, str]]) -> str:
    seen: set[tuple[str, str]] = set()
    for key in keys:
        if key in seen:
            return show_item(key)
        seen.add(key)
    raise AssertionError("no key is repeated")
