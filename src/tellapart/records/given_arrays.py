"""Arrays as a caller gives them: numbers with NaN where there is none, and names beside them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from numbers import Integral, Real
from typing import Any

import numpy as np

from tellapart.arrays import EXACT, FloatArray, floats
from tellapart.errors import DataError
from tellapart.records.rows import show_item
from tellapart.wording import shortened


def runs_of_items(name: str, values: Any, parts: int) -> FloatArray:
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
        raise DataError(
            f"the scores of {name!r} hold whole numbers above {EXACT}, whose last digits would be lost"
        )
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
    padded = [
        np.pad(array, ((0, 0), (0, runs - array.shape[1]), (0, 0)), constant_values=np.nan)
        for array in arrays
    ]
    return np.stack(padded) if padded else np.empty((0, 0, 0, 0))


def names_of_items(label: str, column: Iterable[object], items: int) -> list[str]:
    """A column of names, one per item; nothing and NaN name nothing."""
    names = list(column)
    if len(names) != items:
        raise DataError(f"{label} has {len(names)} entries for {items} items")
    if any(name is None or name != name for name in names):  # noqa: PLR0124  (only NaN differs from itself)
        raise DataError(f"{label} holds a missing name; wanted one for each item")
    return list(map(str, names))


def names_or_numbers(label: str, column: Iterable[object] | None, items: int) -> list[str]:
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
