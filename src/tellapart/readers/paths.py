"""Paths as callers give them: one, or a list of different ones, each the origin of what it holds."""

import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tellapart.errors import ReadError, UsageError
from tellapart.readers.files import locate, refuse_unfit
from tellapart.readers.limits import Limits
from tellapart.readers.naming import name_systems
from tellapart.readers.origin import Origin
from tellapart.shelf import SHELF


def origins_at(paths: Sequence[str], limits: Limits) -> list[Origin]:
    """What is at these paths, each labelled with the name of the system that it stands for if nothing inside says."""
    return [locate(path, label, limits) for path, label in zip(paths, name_systems(paths), strict=True)]


def paths_of(source: Any) -> list[str] | None:
    """The paths that are meant, or None when the source is no path and no list of them."""
    if isinstance(source, str | os.PathLike):
        return _matching(os.fsdecode(source))
    if not isinstance(source, Sequence | Iterator) or isinstance(source, bytes):
        return None
    entries = list(source)
    strange = [entry for entry in entries if not isinstance(entry, str | os.PathLike)]
    if strange or not entries:
        found = f"a {type(strange[0]).__name__}" if strange else "none"
        raise UsageError(
            f"wanted a list of paths, found {found} in it. Pass paths, or one frame, or use Scores.from_arrays"
        )
    paths = [path for entry in entries for path in _matching(os.fsdecode(entry))]
    refuse_repeated(paths)
    return paths


def _matching(path: str) -> list[str]:
    """The path, or where a pattern stands in its place, all that it matches, in the order of names."""
    if SHELF.get() is not None:
        return [path]
    if not any(mark in path for mark in "*?[") or "\0" in path or os.path.lexists(path):
        return [path]
    return sorted(glob.glob(path, recursive=True)) or [path]  # noqa: PTH207  (as the shell would)


def refuse_repeated(paths: Iterable[str]) -> None:
    """Each file is given once."""
    seen: set[str] = set()
    for path in paths:
        refuse_unfit(path)
        # A link or ../ does not make it another file.
        place = path if path == "-" or SHELF.get() is not None else os.path.realpath(path)
        if place in seen:
            raise ReadError(f"{path}: this file is given twice. Pass each file once")
        seen.add(place)
