"""Scores, ratings and votes as tidy data frames, one row each, which read back as the same table."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tellapart.data.rows import Items, Labels
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.frames import Backend, frame

TIE = "tie"


class TidyScores:
    """`Scores` as a frame."""

    systems: tuple[str, ...]
    items: Items
    values: FloatArray
    clusters: IntArray | None
    measure: str
    parts: tuple[str, ...]
    groups: Labels | None
    seed_runs: int | None

    def to_frame(self, backend: Backend | None = None) -> Any:
        """One row per system, item, seed and run, as a frame of pandas, polars or pyarrow; an item without a score has one row without."""
        scored = np.asarray(~np.isnan(self.values).all(axis=-1))
        scored[:, :, 0] |= ~scored.any(axis=-1)
        system, item, place = np.nonzero(scored)
        seed, run = np.divmod(place, self.seed_runs or scored.shape[2])
        columns = {
            "system": picked(self.systems, system),
            **named_items(self.items, item),
            **({} if self.groups is None else {"group": picked(self.groups.names, self.groups.codes[item])}),
            **({} if self.clusters is None else {"cluster": self.clusters[item].tolist()}),
            **({"seed": seed.tolist()} if self.seed_runs is not None else {}),
            **({"run": run.tolist()} if (self.seed_runs or scored.shape[2]) > 1 else {}),
            **({"measure": [self.measure] * len(item)} if len(self.parts) == 1 else {}),
        }
        scores = self.values[system, item, place]
        return frame(columns | {part: numbers(scores[:, i]) for i, part in enumerate(self.parts)}, backend)


class TidyRatings:
    """`Ratings` as a frame."""

    systems: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    raters: tuple[str, ...]
    system: IntArray
    item: IntArray
    rater: IntArray
    values: FloatArray
    clusters: IntArray | None

    def to_frame(self, backend: Backend | None = None) -> Any:
        """One row per rating, as a frame of pandas, polars or pyarrow; ratings that were averaged are one."""
        columns = {
            "system": picked(self.systems, self.system),
            **named_items(self.items, self.item),
            "rater": picked(self.raters, self.rater),
            **({} if self.clusters is None else {"cluster": self.clusters[self.item].tolist()}),
            "rating": self.values.tolist(),
        }
        return frame(columns, backend)


class TidyVotes:
    """`Votes` as a frame."""

    systems: tuple[str, ...]
    a: IntArray
    b: IntArray
    winner: IntArray
    items: tuple[tuple[str, str], ...]
    item: IntArray | None
    raters: tuple[str, ...]
    rater: IntArray | None
    first: IntArray | None

    def to_frame(self, backend: Backend | None = None) -> Any:
        """One row per vote, as a frame of pandas, polars or pyarrow; an unknown order is blank."""
        columns = {
            "a": picked(self.systems, self.a),
            "b": picked(self.systems, self.b),
            "winner": picked((*self.systems, TIE), self.winner),
            **({} if self.item is None else named_items(self.items, self.item)),
            **({} if self.rater is None else {"rater": picked(self.raters, self.rater)}),
            **({} if self.first is None else {"first": picked((*self.systems, ""), self.first)}),
        }
        return frame(columns, backend)


def numbers(column: FloatArray) -> list[float | None]:
    """A column of numbers, with None where there is none: to some libraries NaN is a number."""
    return [None if value != value else value for value in column.tolist()]  # noqa: PLR0124  (only NaN differs from itself)


def picked(names: Sequence[str], codes: IntArray) -> list[str]:
    """The name of each code; −1 is the last one."""
    return [names[code] for code in codes.tolist()]


def named_items(items: Sequence[tuple[str, str]], codes: IntArray) -> dict[str, list[str]]:
    """The columns that identify an item; without datasets its name is enough."""
    keys = [items[code] for code in codes.tolist()]
    homes = {"dataset": [home for home, _ in keys]} if any(home for home, _ in items) else {}
    return homes | {"item": [name for _, name in keys]}
