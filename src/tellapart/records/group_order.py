"""In which order groups are held against the first of them: of numbers and dates as they follow each other, else as they were met."""

import re
from collections.abc import Callable, Sequence

import numpy as np

from tellapart.records.rows import Labels

_WHOLE = re.compile(r"[+-]?\d+")
_DECIMAL = re.compile(r"[+-]?\d+\.(\d+)")
_ISO = re.compile(r"\d{4}-(\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?)?|W\d{2}(-\d)?)")
_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?Z?")


def in_their_order(groups: Labels) -> Labels:
    """Groups that are all numbers, or all dates as ISO 8601 writes them, one after the other; others as they are."""
    groups = _dated(groups)
    follows = _follows(groups.names)
    return groups if follows is None else reordered(groups, sorted(groups.names, key=follows))


def reordered(groups: Labels, names: Sequence[str]) -> Labels:
    """The same groups in the order of these names, among which all of them are."""
    met = set(groups.names)
    kept = tuple(name for name in names if name in met)
    place = {name: code for code, name in enumerate(kept)}
    codes = np.array([place[name] for name in groups.names], dtype=np.int64)
    return Labels(kept, codes[groups.codes], ordered=True)


def _follows(names: Sequence[str]) -> Callable[[str], float | str] | None:
    if all(map(_WHOLE.fullmatch, names)):
        return int
    decimals = [_DECIMAL.fullmatch(name) for name in names]
    # 1.9 and 1.10 are versions, of which the second is the later one.
    if all(decimals) and len({len(found[1]) for found in decimals if found}) == 1:
        return float
    return str if all(map(_ISO.fullmatch, names)) and len(set(map(len, names))) == 1 else None


def _dated(groups: Labels) -> Labels:
    """Days that a library writes with the time of midnight, as days."""
    days = [_MIDNIGHT.fullmatch(name) for name in groups.names]
    names = tuple(day[1] for day in days if day is not None)
    return Labels(names, groups.codes) if len(set(names)) == len(groups.names) else groups
