"""Whether a value will do for an option: what it becomes, or what was found and what was wanted."""

import contextlib
import math
import numbers
import types
from collections.abc import Iterable
from typing import Any

from tellapart.errors import UsageError
from tellapart.spelling.options import Option, alternatives, options, wanted
from tellapart.spelling.ranges import Range

HUGE = 1e300
"""From here on a whole number may be beyond all floats."""


class Question:
    """Base of what a verb is asked: a frozen dataclass of options, checked here once, whichever door asked."""

    def __post_init__(self) -> None:
        for one in options(type(self)):
            object.__setattr__(self, one.name, accepted(one, getattr(self, one.name)))


def accepted(option: Option, value: Any) -> Any:
    """The value as a builtin one, or an error that says what was found and what was wanted; several as a tuple of them."""
    if not option.many:
        return _accepted(option, value)
    if value is None:
        return None
    values = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    if not values:
        raise UsageError(
            f"{option.name} is an empty list, which asks for nothing; leave it out, or give at least one value"
        )
    return tuple(None if one is None else _accepted(option, one) for one in values)


def _accepted(option: Option, value: Any) -> Any:
    kinds = alternatives(option.type)
    if value is None and types.NoneType in kinds:
        return None
    if option.choices and isinstance(value, str) and value not in option.choices and str not in kinds:
        raise UsageError(f"{option.name} is {value!r}; it should be {wanted(option)}")
    found = _number(kinds, value)
    if found is None:
        return _other(option, kinds, value)
    if option.range is not None and found not in option.range:
        raise UsageError(
            f"{option.name} is {_short(found)}; it should {option.range}{_as_share(option.range, found)}"
        )
    return found


def _short(number: float) -> str:
    """A number in a message; whole ones beyond all floats have no short form, and hundreds of digits help nobody."""
    return f"{number:g}" if abs(number) < HUGE else f"{'below −' if number < 0 else 'above '}{HUGE:g}"


def _number(kinds: list[Any], value: Any) -> float | None:
    """A number of any library as a builtin one; None where it is no number, or none is wanted."""
    if isinstance(value, bool | str):
        return None
    if int in kinds and isinstance(value, numbers.Integral):
        return int(value)
    if float in kinds and isinstance(value, numbers.Real):
        with contextlib.suppress(OverflowError):  # a whole number beyond all floats
            return float(value) if math.isfinite(value) else None
    return None


def _other(option: Option, kinds: list[Any], value: Any) -> Any:
    """What is no number: let through where it may be one of the other types."""
    # What has axes is several values, whatever one of them may be: no comparison with a single one has an answer.
    if getattr(value, "ndim", 0) or (
        {int, float} & set(kinds) and not (bool in kinds and isinstance(value, bool))
    ):
        raise UsageError(f"{option.name} is {value!r}; it should be {wanted(option)}")
    return value


def _as_share(range_: Range, value: float) -> str:
    """A way out for those who write percent."""
    percent = 1.0 < value < HUGE and value / 100.0 in range_
    return f"; {value:g} % is {value / 100.0:g}" if percent else ""
