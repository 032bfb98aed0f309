"""`Scores`, the table of scores by system, item and run; two of its systems make a `Pair`."""

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from tellapart.data import array_input, records
from tellapart.data.pair import Missing, Pair, paired, unpaired
from tellapart.data.provenance import Counted, Reading, Remark
from tellapart.data.rows import ItemKeys, Items, Labels, Records, only_items, refuse_unfit_names, show_item
from tellapart.data.score_storage import release_pages, rows_of, stored_bytes
from tellapart.data.summaries import Aggregation, contributions
from tellapart.data.tidy import TidyScores
from tellapart.foundation.arrays import FINEST, LARGEST, BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import DataError, ItemMismatch, TooFew, UnknownSystem, Unsuitable, nearest
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option, verb

# The table itself: how it is made, and which items each system is scored on.

Column = Sequence[object] | npt.NDArray[Any] | Mapping[Any, object]


@dataclass(frozen=True, eq=False)
class Scores(TidyScores):
    """Scores of systems on items: `values` is `(system, item, run, part)`, NaN where there is none.

    Items are identified by dataset and name and kept in the order of those, so that nothing depends on the
    order of rows in a file.
    """

    systems: tuple[str, ...]
    items: Items
    values: FloatArray
    clusters: IntArray | None = None
    measure: str = "score"
    parts: tuple[str, ...] = ("score",)
    groups: Labels | None = None
    """Which group each item was scored in, where groups are held against each other: an item may then be met once in each."""
    remarks: tuple[Remark, ...] = ()
    """Remarks of the reader."""
    reading: Reading | None = None
    """How they were read, where they come from files."""
    counted: Counted | None = None
    """How the parts came about, where a metric counted them: its spelling and signature."""
    seed_runs: int | None = None
    """Where systems were trained with several seeds: how many runs each seed has; the runs of a seed stand side by side."""
    slices: Mapping[str, Labels] = field(default_factory=dict)
    """By column, what each item holds there: the name of a slice, several with separators between, or nothing."""
    arrival: IntArray | None = None
    """The place at which each item was first met, where that is known."""
    more_is_better: bool = False  # known to be so, as of measures of retrieval; else whoever asks may say
    alone: bool = False
    """Whether one system is enough: it is then asked about by itself."""
    texts: tuple[str, ...] = ()
    """The text of each item, where the files have it; of long texts the beginning."""

    def __post_init__(self) -> None:
        if len(self.systems) < (1 if self.alone else 2):
            raise TooFew(
                f"only one system, {self.systems[0]!r}, was found; two are needed to compare"
                if self.systems
                else "no system was found; two are needed to compare"
            )
        self._refuse_extremes()
        if self.seed_runs is not None and not (self.seed_runs >= 1 and self.values.shape[2] % self.seed_runs == 0):
            raise DataError(
                f"seed_runs is {self.seed_runs}, and there are {self.values.shape[2]} runs; wanted as many runs of every seed"
            )
        # Names that could be packed are fit.
        named = () if isinstance(self.items, ItemKeys) else self.items
        refuse_unfit_names((*self.systems, self.measure, *(part for key in named for part in key)))

    def __repr__(self) -> str:
        names = textwrap.shorten(", ".join(map(repr, self.systems)), 200, placeholder=" …")
        what = f"{amount(len(self.systems), 'system')} ({names}) on {amount(len(self.items), 'item')}"
        runs = f", {self.values.shape[2]} runs" if self.values.shape[2] > 1 else ""
        return f"<Scores: {what}{runs}, measure {textwrap.shorten(repr(self.measure), 40, placeholder='…')}>"

    @classmethod
    def from_arrays(  # noqa: PLR0913  (one argument per role that a column would have)
        cls,
        scores: Mapping[str, Any],
        *,
        items: Column | None = None,
        datasets: Column | None = None,
        clusters: Column | None = None,
        groups: Column | None = None,
        slices: Mapping[str, Any] = MappingProxyType({}),
        measure: str = "score",
        parts: Sequence[str] = ("score",),
        seed_runs: int | None = None,
        alone: bool = False,
    ) -> "Scores":
        """Scores from one array per system, `(item,)`, `(item, run)` or with the parts of a metric last, or one dict per system.

        A dict says the score of each item by its name, and so do dicts in place of the columns beside it. Where the runs are of
        trainings with several seeds, `seed_runs` says how many runs each seed has: 1 for `(item, seed)`.
        `slices` holds, by column, the name of each item's slice or a list of tags.
        `groups`, such as weeks, are held against each other by `compare`; an item may then be met once in each. `alone` says that
        one system is enough, as for `score`.

        >>> Scores.from_arrays({"old": [0.1, 0.4], "new": [0.3, 0.4]}).systems
        ('old', 'new')
        """
        if array_input.is_by_item(scores):
            scores, items = array_input.align_by_item(scores, items)
            beside = {"datasets": datasets, "clusters": clusters, "groups": groups}
            datasets, clusters, groups = (
                array_input.column_by_item(label, one, items) for label, one in beside.items()
            )
            slices = {column: array_input.column_by_item(column, one, items or ()) for column, one in slices.items()}
        arrays = {str(name): array_input.as_runs(str(name), values, len(parts)) for name, values in scores.items()}
        if len(arrays) < len(scores):
            raise DataError(f"two systems have the same name among {', '.join(map(repr, scores))}; rename one")
        lengths = {name: len(array) for name, array in arrays.items()}
        if len(set(lengths.values())) > 1:
            raise ItemMismatch(
                f"arrays of different lengths ({lengths}) cannot be paired; pass items in the same order"
            )
        n = next(iter(lengths.values()), 0)
        homes = [""] * n if datasets is None else array_input.names_of_items("datasets", datasets, n)
        keys = list(zip(homes, array_input.names_or_positions("items", items, n), strict=True))
        met = Labels.of([""] * n)
        if groups is not None:
            met = array_input.sort_groups(Labels.of(array_input.names_of_items("groups", groups, n)))
        group = met.codes.tolist()
        array_input.refuse_repeated(keys, group)
        order = np.array(sorted(range(n), key=lambda i: (group[i], keys[i])), dtype=np.int64)
        together = None if clusters is None else array_input.names_of_items("clusters", clusters, n)
        return cls(
            tuple(arrays),
            tuple(keys[i] for i in order),
            array_input.stack_runs(list(arrays.values()))[:, order],
            None if together is None else Labels.of([together[i] for i in order]).codes,
            measure,
            tuple(parts),
            None if groups is None else Labels(met.names, met.codes[order], met.ordered),
            seed_runs=seed_runs,
            alone=alone,
            slices={column: array_input.slice_labels(column, found, n).only(order) for column, found in slices.items()},
            arrival=order,
        )

    @classmethod
    def from_records(
        cls, rows: Records, measure: str = "score", parts: Sequence[str] = ("score",), *, alone: bool = False
    ) -> "Scores":
        """The table that rows of a file make; refuses two rows for one (system, dataset, item, run)."""
        item, keys = records.identify(rows)
        clusters, groups = records.clusters_of_items(rows, item, keys), None
        slices = records.slices_of_items(rows, item, len(keys))
        if "group" in rows.labels:
            item, of_group, of_item = records.identify_in_groups(rows.labels["group"], item)
            groups = Labels(rows.labels["group"].names, of_group, rows.labels["group"].ordered)
            keys = tuple(keys[i] for i in of_item.tolist())
            clusters = None if clusters is None else clusters[of_item]
        records.refuse_sparse(rows, len(keys))
        position, runs, seed_runs = records.place_runs(rows, item)
        names = tuple(rows.system.names)
        values = np.full((len(names), len(keys), runs, len(parts)), np.nan)
        values[rows.system.codes, item, position] = rows.values
        return cls(
            names,
            keys,
            values,
            clusters,
            measure,
            tuple(parts),
            groups,
            reading=rows.reading,
            seed_runs=seed_runs,
            slices=slices,
            alone=alone,
            texts=records.texts_of_items(rows, item),
            arrival=records.first_met(item, len(keys)),
        )

    def system(self, name: str) -> int:
        """The row of a system, or an error naming the nearest ones."""
        if name not in self.systems:
            raise UnknownSystem(f"no system is called {name!r}; {nearest(name, self.systems)}")
        return self.systems.index(name)

    def scored(self, name: str) -> BoolArray:
        """Which items this system has a complete score on, in at least one run, and of several trainings of each that it has."""
        complete = ~np.isnan(self.values[self.system(name)]).any(axis=-1)
        release_pages(self.values)
        if self.seed_runs is not None:
            seeds = complete.reshape(len(complete), -1, self.seed_runs).any(axis=-1)
            return np.asarray(seeds[:, seeds.any(axis=0)].all(axis=-1) & seeds.any(axis=-1), dtype=np.bool_)
        return np.asarray(complete.any(axis=-1), dtype=np.bool_)

    def within(self, dataset: str) -> "Scores":
        """Only the items of one dataset."""
        keep = np.array([home == dataset for home, _ in self.items], dtype=np.bool_)
        if not keep.any():
            known = [home for home in dict.fromkeys(home for home, _ in self.items) if home]
            raise DataError(
                f"no dataset is called {dataset!r}; {nearest(dataset, known)}"
                if known
                else f"no dataset is called {dataset!r}: no item has one. Name the column of datasets with {option('column', 'dataset=…')}"
            )
        return self.only(keep)

    @property
    def datasets(self) -> dict[str, "Scores"]:
        """The items of each dataset, in the order of their names."""
        homes = np.array([home for home, _ in self.items])
        starts = np.flatnonzero(np.append(True, homes[1:] != homes[:-1])).tolist()
        places = (slice(start, end) for start, end in zip(starts, [*starts[1:], len(homes)], strict=True))
        return {self.items[place.start][0]: self.only(place) for place in places}

    def refuse_groups(self) -> None:
        """Where an item may be met once in each group, it is no sample of items."""
        if self.groups is not None:
            raise Unsuitable(
                f"these scores are in groups ({', '.join(map(repr, self.groups.names[:3]))}, …), which only "
                f"{verb('compare')} can use; read them without groups"
            )

    def only(self, keep: BoolArray | slice) -> "Scores":
        """Some of the items."""
        kept = only_items(self.items, keep)
        clusters = None if self.clusters is None else self.clusters[keep]
        groups = None if self.groups is None else self.groups.only(np.arange(len(self.items))[keep])
        slices = {column: found.only(np.arange(len(self.items))[keep]) for column, found in self.slices.items()}
        texts = tuple(np.array(self.texts)[keep].tolist()) if self.texts else ()
        arrival = None if self.arrival is None else self.arrival[keep]
        return replace(
            self,
            items=kept,
            values=self.values[:, keep],
            clusters=clusters,
            groups=groups,
            slices=slices,
            texts=texts,
            arrival=arrival,
        )

    def pair(self, a: str, b: str, missing: Missing = "error") -> Pair:
        """The items both systems are scored on, in canonical order; an item only one has is an error unless dropped."""
        self.refuse_groups()
        return paired(self, a, b, missing)

    def unpaired(self, a: str, b: str) -> Pair:
        """Each system on its own items, for tests of systems that share none."""
        self.refuse_groups()
        return unpaired(self, a, b)

    def show(self, item: int) -> str:
        """An item as a person reads it."""
        return show_item(self.items[int(item)])

    def _refuse_extremes(self) -> None:
        """Scores whose squares would overflow, or all vanish, are refused here: every statistic squares them."""
        if stored_bytes(self.values) is not None:
            return
        # fmax passes over gaps without a copy of all scores.
        largest = max(
            max(float(np.fmax.reduce(one, axis=None, initial=0.0)), -float(np.fmin.reduce(one, axis=None, initial=0.0)))
            for one in rows_of(self.values)
        )
        if largest > LARGEST or 0.0 < largest < FINEST:
            system, item, _, _ = np.unravel_index(np.nanargmax(np.abs(self.values)), self.values.shape)
            raise DataError(
                f"the largest score, of system {self.systems[system]!r} on item {show_item(self.items[int(item)])!r}, is "
                f"{largest:g}; wanted one between {FINEST:g} and {LARGEST:g}. Give the scores in another unit"
            )


def contribution_rows(scores: Scores, names: Sequence[str], metric: Aggregation) -> Iterator[FloatArray]:
    """The contribution of each item to the metric of each of these systems, `(item,)`; NaN without a score."""
    for name in names:
        has, row = scores.scored(name), np.full(len(scores.items), np.nan)
        row[has] = contributions(scores.values[scores.system(name)][has], metric)
        release_pages(scores.values)
        yield row


def contribution_table(scores: Scores, names: Sequence[str], metric: Aggregation) -> FloatArray:
    """All of these rows, `(system, item)`."""
    table = np.empty((len(names), len(scores.items)))
    for held, row in zip(table, contribution_rows(scores, names, metric), strict=True):
        held[:] = row
    return table
