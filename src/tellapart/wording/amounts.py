"""How counts are written."""

from collections.abc import Callable, Sequence
from typing import TypeVar

Named = TypeVar("Named")

_MANY = {"study": "studies"}
"""Plurals that take more than an s."""
_ONE = {
    "files": "file",
    "files without items": "file without items",
    "folders": "folder",
    "links": "link",
    "pipes and devices": "pipe or device",
}
"""One of what is passed over in a folder."""


def thousands(count: int) -> str:
    """A count as people write it: 500, 1,319."""
    return f"{count:,}"


def amount(count: int, noun: str) -> str:
    """So many of something.

    >>> amount(1, "item"), amount(1319, "item"), amount(0, "shared item"), amount(2, "study")
    ('1 item', '1,319 items', '0 shared items', '2 studies')
    """
    return f"{thousands(count)} {noun if count == 1 else _MANY.get(noun, f'{noun}s')}"


def first_of(names: Sequence[Named], most: int, spelled: Callable[[Named], str] = str) -> str:
    """The first of many, and how many more there are.

    >>> first_of(["a", "b"], 2), first_of(["a", "b", "c"], 2, repr)
    ('a, b', "'a', 'b' and 1 more")
    """
    shown = ", ".join(map(spelled, names[:most]))
    return shown if len(names) <= most else f"{shown} and {thousands(len(names) - most)} more"


def counted(count: int, things: str) -> str:
    """So many of what is passed over in a folder, which is called by its plural.

    >>> counted(1, "files without items"), counted(2, "files"), counted(1, "pipes and devices")
    ('1 file without items', '2 files', '1 pipe or device')
    """
    return f"{thousands(count)} {_ONE.get(things, things) if count == 1 else things}"
