"""Ratings of items by several people or judge models, beside `Scores`; two of the systems make a `RatedPair`."""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from tellapart.data.array_input import as_runs, names_of_items, names_or_positions
from tellapart.data.provenance import Reading, Remark
from tellapart.data.rater_pairs import EntryNumbers, RatedPair, averaged, refuse_blank_raters, refuse_twice
from tellapart.data.records import clusters_of_items, identify, in_order, recode
from tellapart.data.rows import Labels, Records, refuse_unfit_names, show_items
from tellapart.data.scores import Column, Scores
from tellapart.data.tidy import TidyRatings
from tellapart.foundation.arrays import FINEST, LARGEST, BoolArray, FloatArray, IntArray, floats
from tellapart.foundation.errors import DataError, UnknownSystem, nearest
from tellapart.foundation.formatting import amount

# The table itself: how it is made, and two of its systems as a `RatedPair`.


@dataclass(frozen=True, eq=False)
class Ratings(TidyRatings):
    """One entry per rating, in the order of systems, items and raters, so that the order of rows in a file leaves no trace.

    `system`, `item` and `rater` are places in `systems`, `items` (dataset and name) and `raters`.
    """

    systems: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    raters: tuple[str, ...]
    system: IntArray
    item: IntArray
    rater: IntArray
    values: FloatArray
    measure: str = "rating"
    repeats: IntArray | None = None
    """Of how many ratings each is the average, where a rater rated a system on an item more than once."""
    clusters: IntArray | None = None
    """Which items belong together, where that is known."""
    reading: Reading | None = None
    """How they were read, where they come from files."""

    def __post_init__(self) -> None:
        refuse_unfit_names((*self.systems, *self.raters, self.measure, *(part for key in self.items for part in key)))
        largest = float(np.abs(self.values).max(initial=0.0))
        if largest > LARGEST or 0.0 < largest < FINEST:
            raise DataError(
                f"the largest rating is {largest:g}; wanted one between {FINEST:g} and {LARGEST:g}. Give the ratings in another unit"
            )

    def __repr__(self) -> str:
        names = textwrap.shorten(", ".join(map(repr, self.systems)), 200, placeholder=" …")
        return (
            f"<Ratings: {amount(len(self), 'rating')} of {amount(len(self.systems), 'system')} ({names}) by "
            f"{amount(len(self.raters), 'rater')} on {amount(len(self.items), 'item')}>"
        )

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def from_arrays(
        cls,
        ratings: Mapping[str, Any],
        *,
        raters: Column | None = None,
        items: Column | None = None,
        datasets: Column | None = None,
        measure: str = "rating",
    ) -> "Ratings":
        """Ratings from one array per system, `(rater, item)`, NaN where a rater did not rate.

        >>> Ratings.from_arrays({"old": [[3, 4], [2, 4]], "new": [[4, 4], [3, float("nan")]]})
        <Ratings: 7 ratings of 2 systems ('old', 'new') by 2 raters on 2 items>
        """
        tables = {str(name): _table(str(name), values) for name, values in ratings.items()}
        if len({table.shape for table in tables.values()}) > 1:
            shapes = ", ".join(f"{name!r} {table.shape}" for name, table in tables.items())
            raise DataError(f"the ratings of systems have different shapes: {shapes}; wanted (rater, item) for each")
        people, things = next(iter(tables.values())).shape if tables else (0, 0)
        who, what = names_or_positions("raters", raters, people), names_or_positions("items", items, things)
        homes = [""] * things if datasets is None else names_of_items("datasets", datasets, things)
        rated = {name: np.nonzero(~np.isnan(table)) for name, table in tables.items()}
        return cls.from_columns(
            system=[name for name, (places, _) in rated.items() for _ in places],
            rater=[who[i] for rows, _ in rated.values() for i in rows.tolist()],
            item=[what[i] for _, places in rated.values() for i in places.tolist()],
            value=np.concatenate([table[rated[name]] for name, table in tables.items()] or [np.empty(0)]),
            dataset=[homes[i] for _, places in rated.values() for i in places.tolist()],
            measure=measure,
        )

    @classmethod
    def from_columns(  # noqa: PLR0913  (one argument per column)
        cls,
        *,
        system: Column,
        item: Column,
        rater: Column,
        value: Any,
        dataset: Column | None = None,
        run: Column | None = None,
        measure: str = "rating",
    ) -> "Ratings":
        """Ratings from columns as a file has them, one entry per rating; NaN is none.

        >>> Ratings.from_columns(system=["a", "b"], item=[1, 1], rater=["x", "x"], value=[3, 4]).raters
        ('x',)
        """
        values = _column(value)
        given = {"system": system, "item": item, "rater": rater, "dataset": dataset, "run": run}
        labels = {
            role: Labels.of(names_of_items(role, column, len(values)))
            for role, column in given.items()
            if column is not None
        }
        return cls.from_records(Records(values[:, np.newaxis], labels, EntryNumbers(len(values))), measure)

    @classmethod
    def from_records(cls, rows: Records, measure: str = "rating") -> "Ratings":
        """The table that rows of a file make; refuses a blank rater, and two ratings that no run tells apart."""
        refuse_blank_raters(rows)
        item, keys = identify(rows)
        raters, rater = in_order(rows.labels["rater"])
        cell = (rows.system.codes * len(keys) + item) * len(raters) + rater
        refuse_twice(rows, cell)
        rated, values, repeats = averaged(cell, rows.values[:, 0])
        if not len(rated):
            raise DataError(
                f"none of the {amount(len(cell), 'row')} has a rating; check the column of scores"
                if len(cell)
                else "there is no rating at all"
            )
        rest, who = np.divmod(rated, len(raters))
        system, what = np.divmod(rest, len(keys))
        clusters = clusters_of_items(rows, item, keys)
        return cls(
            tuple(rows.system.names),
            tuple(keys),
            tuple(raters),
            system,
            what,
            who,
            values,
            measure,
            repeats,
            clusters,
            rows.reading,
        ).only_rated()

    def only_rated(self) -> Self:
        """Without raters and items that have no rating at all: their rows were blank."""
        raters, rater = np.unique(self.rater, return_inverse=True)
        items, item = np.unique(self.item, return_inverse=True)
        return replace(
            self,
            raters=tuple(self.raters[i] for i in raters.tolist()),
            rater=rater,
            items=tuple(self.items[i] for i in items.tolist()),
            item=item,
            clusters=None if self.clusters is None else recode(self.clusters[items]),
        )

    def system_of(self, name: str) -> int:
        """The place of a system, or an error naming the nearest ones."""
        if name not in self.systems:
            raise UnknownSystem(f"no system is called {name!r}; {nearest(name, self.systems)}")
        return self.systems.index(name)

    def within(self, dataset: str) -> "Ratings":
        """Only the ratings of one dataset."""
        homes = [home for home, _ in self.items]
        if dataset not in homes:
            known = [home for home in dict.fromkeys(homes) if home]
            raise DataError(f"no dataset is called {dataset!r}; {nearest(dataset, known)}")
        return self.rows(np.array([home == dataset for home in homes])[self.item])

    def of_systems(self, *names: str) -> "Ratings":
        """Only the ratings of these systems; all systems keep their places."""
        return self.rows(np.isin(self.system, [self.system_of(name) for name in names]))

    def rows(self, which: BoolArray | IntArray) -> "Ratings":
        """Some of the ratings, in this order."""
        repeats = None if self.repeats is None else self.repeats[which]
        return replace(
            self,
            system=self.system[which],
            item=self.item[which],
            rater=self.rater[which],
            values=self.values[which],
            repeats=repeats,
        ).only_rated()

    def pair(self, a: str, b: str) -> RatedPair:
        """The ratings of two systems by raters of either."""
        both = self.of_systems(a, b)
        # A before B whichever the file names first, so that the order of rows leaves no trace.
        both = both.rows(np.argsort(both.system == self.system_of(b), kind="stable"))
        averaged = 0 if both.repeats is None else int((both.repeats - 1).sum())
        return RatedPair(
            both.values,
            np.asarray(both.system == self.system_of(b)),
            both.rater,
            both.item,
            both.raters,
            show_items(both.items),
            averaged,
            None if self.reading is None else self.reading.better,
        )

    def averaged(self) -> Scores:
        """Plain scores: the average over raters of each system on each item, for those who ask about these raters only."""
        shape = (len(self.systems), len(self.items))
        cell = self.system * shape[1] + self.item
        counts = np.bincount(cell, minlength=shape[0] * shape[1])
        sums = np.bincount(cell, weights=self.values, minlength=shape[0] * shape[1])
        means = np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)
        values = floats(means.reshape(*shape, 1, 1))
        raters = len(self.raters)
        measure = f"{self.measure} by these {amount(raters, 'rater')}"
        remarks = (Remark("raters_fixed", {"raters": raters}),)
        return Scores(
            self.systems, self.items, values, self.clusters, measure, remarks=remarks, alone=len(self.systems) == 1
        )


def _column(value: Any) -> FloatArray:
    """One number per rating, NaN where there is none."""
    runs = as_runs("value", value, 1)
    if runs.shape[1] != 1:
        raise DataError(f"the values have shape {np.shape(value)}; wanted one number per rating")
    return runs[:, 0, 0]


def _table(name: str, values: Any) -> FloatArray:
    table = as_runs(name, values, 1)
    if np.ndim(values) != 2:
        raise DataError(f"the ratings of {name!r} have shape {np.shape(values)}; wanted (rater, item)")
    return table[..., 0]
