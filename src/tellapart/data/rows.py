"""Rows as read from files: their scores, their names by role, and their provenance."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from typing import Protocol, TypeAlias, overload

import numpy as np

from tellapart.data.encoded_names import EncodedNames
from tellapart.data.provenance import Reading
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import DataError

# Which items there are: each by its dataset and its name.

Key = tuple[str, str]


class ItemKeys(Sequence[Key]):
    """Very many items in the order of their datasets and names; `home` says which of the datasets, None where there is one."""

    def __init__(self, names: EncodedNames, homes: Sequence[str] = ("",), home: IntArray | None = None) -> None:
        self.names, self._homes, self._home = names, homes, home

    def __len__(self) -> int:
        return len(self.names)

    @overload
    def __getitem__(self, place: int) -> Key: ...
    @overload
    def __getitem__(self, place: slice) -> "ItemKeys": ...
    def __getitem__(self, place: int | slice) -> "Key | ItemKeys":
        if isinstance(place, slice):
            home = None if self._home is None else self._home[place]
            return ItemKeys(self.names[place], self._homes, home)
        return self._homes[0 if self._home is None else int(self._home[place])], self.names[place]

    def __iter__(self) -> Iterator[Key]:
        homes = repeat(self._homes[0]) if self._home is None else map(self._homes.__getitem__, self._home)
        return zip(homes, self.names, strict=False)  # the one home as often as there are names

    def only(self, which: BoolArray) -> "ItemKeys":
        home = None if self._home is None else self._home[which]
        return ItemKeys(self.names.only(which), self._homes, home)

    @property
    def shown(self) -> Sequence[str] | None:
        """The items as a person reads them, where these are their names."""
        return self.names if self._home is None and self._homes[0] == "" else None


Items: TypeAlias = tuple[Key, ...] | ItemKeys


def only_items(items: Items, which: BoolArray | slice) -> Items:
    """Some of the items."""
    if isinstance(which, slice):
        return items[which]
    return items.only(np.asarray(which)) if isinstance(items, ItemKeys) else tuple(compress(items, which))


@dataclass(frozen=True, eq=False)
class Labels:
    """A column of names: the distinct ones, and for each row which of them it holds."""

    names: tuple[str, ...] | EncodedNames
    codes: IntArray
    ordered: bool = False
    """Whether the names follow each other, as weeks do, and not only stand in the order in which they were met."""

    @classmethod
    def of(cls, column: Sequence[str]) -> "Labels":
        if column and column.count(column[0]) == len(column):
            return cls((column[0],), np.zeros(len(column), dtype=np.int64))
        known: dict[str, int] = {}
        codes = [known.setdefault(name, len(known)) for name in column]
        return cls(tuple(known), np.array(codes, dtype=np.int64))

    def only(self, rows: IntArray) -> "Labels":
        """Some of the rows, and the names that are still met in them."""
        used, codes = np.unique(self.codes[rows], return_inverse=True)
        if isinstance(self.names, EncodedNames):
            return Labels(self.names.only(used), codes, self.ordered)
        return Labels(tuple(self.names[code] for code in used.tolist()), codes, self.ordered)


class Provenance(Protocol):
    """Where each row came from, as a person would look it up, and when."""

    def __call__(self, row: int, /) -> str:
        """The source and line of a row."""

    @property
    def arrival(self) -> IntArray:
        """For each row how many lines came before its own; the scores of one wide line arrive together."""


@dataclass(frozen=True, eq=False)
class Records:
    """Rows as a reader found them: `values` is `(row, part)` with NaN for a blank.

    `labels` holds, for each role of `tellapart.data.roles` that the source says something about, a name per row; a system and
    an item every row has.
    """

    values: FloatArray
    labels: Mapping[str, Labels]
    where: Provenance
    reading: Reading | None = None
    """How they were read, where that is known."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def system(self) -> Labels:
        return self.labels["system"]

    @property
    def item(self) -> Labels:
        return self.labels["item"]

    @property
    def arrival(self) -> IntArray:
        return self.where.arrival

    def label(self, role: str, row: int) -> str | None:
        """A row's name in a role; None if the source has no such column."""
        column = self.labels.get(role)
        return None if column is None else column.names[column.codes[row]]

    def only(self, rows: IntArray) -> "Records":
        """Some of the rows, each still from where it came."""
        labels = {role: column.only(rows) for role, column in self.labels.items()}
        return Records(self.values[rows], labels, SelectedRows(self.where, rows))

    def show_item(self, row: int) -> str:
        return show_item((self.label("dataset", row) or "", self.item.names[self.item.codes[row]]))


@dataclass(frozen=True, eq=False)
class SelectedRows:
    """Where some of the rows came from."""

    whole: Provenance
    rows: IntArray

    def __call__(self, row: int, /) -> str:
        return self.whole(int(self.rows[row]))

    @property
    def arrival(self) -> IntArray:
        return self.whole.arrival[self.rows]


def show_item(key: tuple[str, str]) -> str:
    """An item as a person reads it: its name, after its dataset if it has one."""
    return show_items([key])[0]


def show_items(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple([f"{dataset}/{name}" if dataset else name for dataset, name in keys])


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def unfit_name(text: str) -> str | None:
    """The part of a name that no name may have, if this one has it."""
    if "\0" in text:
        return "binary content (NUL bytes)"
    # JSON can spell half of a pair of code units, which no file can be written with.
    surrogate = None if text.isascii() else _LONE_SURROGATE.search(text)
    return None if surrogate is None else "half a character (a lone surrogate)"


def refuse_unfit_names(names: Iterable[str]) -> None:
    """Names that no file could hold would also break the messages that they stand in."""
    text = "\n".join(every := list(names))
    if "\0" in text or not (text.isascii() or text.encode(errors="ignore").decode() == text):
        name = next(name for name in every if unfit_name(name))
        raise DataError(f"found {unfit_name(name)} in the name {name!r}; wanted text. Rename it")
