"""Which items there are: each by its dataset and its name."""

from collections.abc import Iterator, Sequence
from itertools import compress, repeat
from typing import TypeAlias, overload

import numpy as np

from tellapart.arrays import BoolArray, IntArray
from tellapart.records.packed_names import PackedNames

Key = tuple[str, str]


class ItemKeys(Sequence[Key]):
    """Very many items in the order of their datasets and names; `home` says which of the datasets, None where there is one."""

    def __init__(
        self, names: PackedNames, homes: Sequence[str] = ("",), home: IntArray | None = None
    ) -> None:
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
