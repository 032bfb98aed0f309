"""Validation and alignment of arrays that a caller passes as scores, with names of items, runs and slices."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from tellapart.data.roles import BETWEEN_TAGS
from tellapart.data.rows import Labels, show_item
from tellapart.foundation.arrays import EXACT, FloatArray, floats
from tellapart.foundation.errors import DataError
from tellapart.foundation.formatting import shortened

# In which order groups are held against the first of them: of numbers and dates as they follow each other,
# else as they were met.

_WHOLE = re.compile(r"[+-]?\d+")
_DECIMAL = re.compile(r"[+-]?\d+\.(\d+)")
_ISO = re.compile(r"\d{4}-(\d{2}(-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?)?|W\d{2}(-\d)?)")
_MIDNIGHT = re.compile(r"(\d{4}-\d{2}-\d{2})[T ]00:00(:00(\.0+)?)?Z?")


def sort_groups(groups: Labels) -> Labels:
    """Groups that are all numbers, or all dates as ISO 8601 writes them, one after the other; others as they are."""
    groups = _dated(groups)
    follows = _follows(groups.names)
    return groups if follows is None else reordered(groups, sorted(groups.names, key=follows))


def reordered(groups: Labels, names: Sequence[str]) -> Labels:
    """The groups in the order of these names, a superset."""
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


def as_runs(name: str, values: Any, parts: int) -> FloatArray:
    """The scores of one system as `(item, run, part)`, NaN where there is none."""
    array = _numbers(name, values)
    if parts == 1 and array.ndim < 3:
        array = array[..., np.newaxis]
    if array.ndim == 2:
        array = array[:, np.newaxis, :]
    if array.ndim != 3 or array.shape[-1] != parts:
        raise DataError(
            f"the scores of {name!r} have shape {np.shape(values)}; wanted (item,), (item, run) or (…, {parts} parts)"
        )
    return array


def _numbers(name: str, values: Any) -> FloatArray:
    try:
        array = np.ma.asanyarray(values)
    except ValueError:
        raise DataError(
            f"the scores of {name!r} are rows of different lengths; fill up with NaN where there is no score"
        ) from None
    if _largest_whole(array) > EXACT:
        raise DataError(f"the scores of {name!r} hold whole numbers above {EXACT}, whose last digits would be lost")
    if array.dtype.kind == "O" and all(one is None or isinstance(one, Real) for one in array.flat):
        array = array.astype(np.float64)  # None, as lists have it where nothing was scored, becomes NaN
    if array.dtype.kind not in "biuf":
        raise DataError(
            f"the scores of {name!r} are not numbers: found {_first_word(array)}; make them float, NaN where missing"
        )
    # What a masked array hides is missing, whatever value lies beneath the mask.
    numbers = np.ma.filled(array.astype(np.float64), np.nan)
    if np.isinf(numbers).any():
        raise DataError(f"the scores of {name!r} hold an infinity; scores must be finite (NaN is missing)")
    return floats(numbers)


def _largest_whole(array: Any) -> int:
    """The size of the largest whole number that no mask hides, of however many digits; 0 where there is none."""
    seen = array.compressed()
    if seen.dtype.kind == "O":
        return max((abs(int(one)) for one in seen if isinstance(one, Integral)), default=0)
    return max(abs(int(seen.max())), abs(int(seen.min()))) if seen.dtype.kind in "iu" and seen.size else 0


def _first_word(array: Any) -> str:
    """The first entry that reads as no number; of numbers that are texts, the first."""
    entries = [one for one in array.ravel().tolist() if one is not None and not isinstance(one, Real)]
    first = next((one for one in entries if not _reads_as_number(one)), (*entries, "")[0])
    return shortened(repr(first), 60)


def _reads_as_number(entry: Any) -> bool:
    try:
        float(entry)
    except (TypeError, ValueError):
        return False
    return True


def stack_runs(arrays: Sequence[FloatArray]) -> FloatArray:
    """`(system, item, run, part)` from arrays `(item, run, part)` of as many runs as each system has."""
    runs = max((array.shape[1] for array in arrays), default=0)
    padded = [np.pad(array, ((0, 0), (0, runs - array.shape[1]), (0, 0)), constant_values=np.nan) for array in arrays]
    return np.stack(padded) if padded else np.empty((0, 0, 0, 0))


def names_of_items(label: str, column: Iterable[object], items: int) -> list[str]:
    """A column of names, one per item; nothing and NaN name nothing."""
    names = list(column)
    if len(names) != items:
        raise DataError(f"{label} has {len(names)} entries for {items} items")
    if any(name is None or name != name for name in names):  # noqa: PLR0124  (only NaN differs from itself)
        raise DataError(f"{label} holds a missing name; wanted one for each item")
    return list(map(str, names))


def slice_labels(label: str, column: Iterable[object], items: int) -> Labels:
    """Each item's value in a column of slices: a name, a list of tags, or nothing."""
    cells = list(column)
    if len(cells) != items:
        raise DataError(f"{label} has {len(cells)} entries for {items} items")
    return Labels.of([_slice_cell(cell) for cell in cells])


def _slice_cell(cell: object) -> str:
    if isinstance(cell, list | tuple | set):
        return BETWEEN_TAGS.join(map(str, cell))
    return "" if cell is None or cell != cell else str(cell)  # noqa: PLR0124  (only NaN differs from itself)


def names_or_positions(label: str, column: Iterable[object] | None, items: int) -> list[str]:
    """As they are given, or numbered with zeros in front, so that the order of the names is theirs."""
    if column is not None:
        return names_of_items(label, column, items)
    return [f"{i:0{len(str(items))}d}" for i in range(items)]


def refuse_repeated(keys: Sequence[tuple[str, str]], groups: Sequence[int]) -> None:
    """Each item is named once in its group."""
    found = Counter(zip(keys, groups, strict=True)).most_common(1)
    (key, _), times = found[0] if found else ((("", ""), 0), 1)
    if times > 1:
        raise DataError(
            f"item {show_item(key)!r} occurs {times} times; name each item once, and give repeats a run axis"
        )


# Scores as a caller gives them by name: for each system a dict from item to score, or a Series of pandas
# whose index tells.


def is_by_item(scores: Mapping[Any, Any]) -> bool:
    """Whether scores are to be matched by the names of their items; a table in which only some are is refused."""
    named = [name for name, values in scores.items() if isinstance(values, Mapping)]
    listed = [name for name in scores if name not in named]
    if named and listed:
        raise DataError(
            f"the scores of {named[0]!r} are a dict of items and those of {listed[0]!r} are not; give all systems as dicts "
            "{item: score}, or all as lists with the items in the same order"
        )
    return bool(named) or _indexed_differently(list(scores.values()))


def align_by_item(scores: Mapping[Any, Any], beside: object) -> tuple[dict[Any, list[Any]], list[str]]:
    """One list per system in the order of the items' names, None where it has no score, and those names."""
    if beside is not None:
        raise DataError("the scores name their items already; leave items out")
    tables = {name: _by_text(repr(name), values) for name, values in scores.items()}
    items = sorted({item for table in tables.values() for item in table})
    return {name: [table.get(item) for item in items] for name, table in tables.items()}, items


def column_by_item(label: str, column: Any, items: Iterable[str]) -> list[Any] | None:
    """One value per item, in item order; a plain list has an order of its own, which may be another."""
    if column is None:
        return None
    if not isinstance(column, Mapping) and not _is_indexed(column):
        raise DataError(f"the scores are matched by item, and {label} is a list; give it as a dict too: {{item: …}}")
    said = _by_text(label, column)
    return [said.get(item) for item in items]


def _indexed_differently(series: list[Any]) -> bool:
    """Whether indexes have labels in common and are not the same; those of two parts of a frame have none in common."""
    if not series or not all(map(_is_indexed, series)):
        return False
    first, *others = (one.index for one in series)
    return any(not first.equals(other) and len(first.intersection(other)) > 0 for other in others)


def _is_indexed(values: Any) -> bool:
    return hasattr(values, "index") and hasattr(values, "to_dict")


def _by_text(label: str, values: Any) -> dict[str, Any]:
    """By what names read as: in JSON every name is a text, and in Python 7 and '7' are two."""
    table = {str(item): value for item, value in values.items()}
    if len(table) < len(values):
        raise DataError(f"two items of {label} have the same name; rename one")
    return table
