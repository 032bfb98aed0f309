"""Validation of numeric parameters: plain finite numbers, fractions in range, whole numbers and group sizes."""

import math
import numbers
import types
import typing
from collections.abc import Sequence
from typing import Any

from tellapart.foundation.arrays import FINEST, LARGEST
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.spelling import Option, Spelled, wanted

MOST_TOGETHER = 10_000
"""Items of a cluster, or runs of an item."""

LARGEST_COUNT = 10**18
"""The largest number of items, replicates or comparisons: beyond it even formulas would only compute with rounding errors."""


def plain(owner: str, option: Option, value: Any) -> Any:
    """The value as a builtin number (a nested spelling as its object), or an error saying what was wanted."""
    kinds = typing.get_args(option.type) if _is_union(option.type) else (option.type,)
    for kind in kinds:
        if kind is types.NoneType and value is None:
            return None
        if typing.get_origin(kind) is tuple and isinstance(value, (tuple, list)) and _as_many(kind, value):
            return tuple(finite(owner, option.name, v) for v in value)
        if _is_text(kind, value):
            return value
        if kind is float and _is_of_kind(value, numbers.Real):
            return finite(owner, option.name, value)
        if kind is int and _is_of_kind(value, numbers.Integral):
            return int(value)
        if isinstance(kind, type) and issubclass(kind, Spelled) and isinstance(value, (str, kind)):
            return kind.parse(value)
    given = str(value) if isinstance(value, Spelled) else repr(value)
    raise SpellingError(f"{owner}: {option.name}={given} should be {wanted(option)}")


def fraction(owner: str, name: str, value: float, low: float = 0.0) -> float:
    """A share between 0 and 1 (or −1 and 1); a percentage is refused with the fraction it likely means."""
    if low <= value <= 1.0:
        return value
    likely = f"; {value:g} % is {value / 100.0:g}" if abs(value) >= 2.0 and low <= value / 100.0 <= 1.0 else ""
    raise SpellingError(f"{owner}: {name}={value:g} should be between {low:g} and 1{likely}")


def positive(owner: str, name: str, value: float) -> float:
    if value >= FINEST:
        return value
    raise SpellingError(f"{owner}: {name}={value:g} should be above {0 if value <= 0.0 else FINEST:g}")


def several(owner: str, name: str, value: int) -> int:
    """A group size: at least one, and small enough that a single simulated cluster or item does not fill the memory."""
    if 1 <= value <= MOST_TOGETHER:
        return value
    raise SpellingError(f"{owner}: {name}={value} should be between 1 and {MOST_TOGETHER:,}")


def whole(name: str, value: Any, *, least: int, most: float = LARGEST_COUNT) -> int:
    """A whole number between these two, as a builtin one; anything else is refused by name."""
    try:
        found = None if isinstance(value, bool) else int(value.__index__())
    except AttributeError:
        found = None
    if found is None:
        raise UsageError(f"{name} is {value!r}; it should be a whole number")
    if found < least:
        raise UsageError(f"{name} is {found}; it should be at least {least}")
    if found > most:
        raise UsageError(f"{name} has {len(str(found))} digits; it should be no larger than {most:.0e}")
    return found


def _as_many(kind: Any, values: Sequence[Any]) -> bool:
    """Whether these are as many numbers as are wanted: any number of them, or two."""
    kinds = typing.get_args(kind)
    return len(values) > 0 if kinds[-1] is Ellipsis else len(values) == len(kinds)


def _is_text(kind: Any, value: Any) -> bool:
    """Whether this is one of the words that are wanted, or any text where any will do."""
    if typing.get_origin(kind) is typing.Literal:
        return value in typing.get_args(kind)
    return kind is str and isinstance(value, str)


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in {typing.Union, types.UnionType}


def _is_of_kind(value: Any, kind: type) -> bool:
    return isinstance(value, kind) and not isinstance(value, bool)


def finite(owner: str, name: str, value: Any) -> float:
    """A number of any library as a builtin one; what is none, or none to compute with, is refused."""
    if _is_of_kind(value, numbers.Real) and abs(value) < math.inf:
        # A whole number may be beyond all floats, and single precision does not reach the limit.
        comparable: Any = value if isinstance(value, numbers.Rational) else float(value)
        if abs(comparable) <= LARGEST:
            return float(value)
        found = f"{float(value):g}" if isinstance(value, float) else "a number beyond that"
        raise SpellingError(f"{owner}: {name}={found} should be no larger than {LARGEST:g}")
    raise SpellingError(f"{owner}: {name}={value!r} should be a finite number")
