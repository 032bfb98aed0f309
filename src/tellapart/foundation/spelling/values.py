"""Printing, parsing and validation of option values: numbers, words, ranges and nested plug-ins."""

import contextlib
import math
import numbers
import re
import types
import typing
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.spelling.options import Option, Range, alternatives, options, wanted


def name_of(spelling: str) -> str:
    """The name of what is spelled, without its options.

    >>> name_of("mcnemar(variant=mid_p)"), name_of("sign")
    ('mcnemar', 'sign')
    """
    return spelling.partition("(")[0].strip()


def split(text: str, at: str = ",") -> list[str]:
    """Split at separators that are not inside parentheses.

    >>> split("a=1, b=t(x=2, y=3)")
    ['a=1', 'b=t(x=2, y=3)']
    """
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == at and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [p.strip() for p in [*parts, text[start:]] if p.strip()]


def spell(value: Any) -> str:
    """A value as it stands in a spelling: shortest exact number, word, nested spelling or `low:high`."""
    if isinstance(value, tuple):
        return ":".join(spell(v) for v in value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return "none" if value is None else str(value)


def read_value(owner: str, option: Option, text: str) -> Any:
    """The value `text` has for this option, or an error naming what was wanted."""
    for kind in alternatives(option.type):
        try:
            return _read_as(kind, text)
        except ValueError:
            continue
    raise SpellingError(f"{owner}: {option.name}={text} should be {wanted(option)}")


_PERCENT = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+))\s*%\s*", re.ASCII)


class Hundredths(float):
    """A number that was written in percent: of scores beyond 0 to 1 it has two readings."""

    __slots__ = ()


def hundredths(text: str) -> Hundredths | None:
    """A share, or a margin of shares, that is written in percent.

    >>> hundredths("2%"), hundredths(" 0.7 %"), hundredths("0.02"), hundredths("5r%")
    (0.02, 0.007, None, None)
    """
    found = _PERCENT.fullmatch(text)
    return None if found is None else Hundredths(Decimal(found[1]) / 100)


def _read_as(kind: Any, text: str) -> Any:
    if typing.get_origin(kind) is typing.Literal:
        if text in typing.get_args(kind):
            return text
        raise ValueError
    if typing.get_origin(kind) is tuple:
        parts, kinds = text.split(":"), typing.get_args(kind)
        kinds = kinds[:1] * len(parts) if kinds[-1] is Ellipsis else kinds
        return tuple(_read_as(k, t) for k, t in zip(kinds, parts, strict=True))
    if kind is types.NoneType or kind is bool:
        return {"none": None, "true": True, "false": False}[text] if text in _literal_words(kind) else _refuse_value()
    registry = getattr(kind, "registry", None)
    if registry is not None:  # an option whose value is a plug-in itself
        return registry.parse(text)
    value = hundredths(text) if kind is float else None
    value = kind(text) if value is None else value
    return value if not isinstance(value, float) or math.isfinite(value) else _refuse_value()


def _literal_words(kind: Any) -> set[str]:
    return {"none"} if kind is types.NoneType else {"true", "false"}


def _refuse_value() -> Any:
    raise ValueError


# Whether a value will do for an option: what it becomes, or what was found and what was wanted.

HUGE = 1e300
"""Whole numbers from here on may be beyond all floats."""
LARGEST_WHOLE = 10**100
"""No count is larger, and its square is still a float."""


class Question:
    """Base of what a verb is asked: a frozen dataclass of options, checked here once, whichever door asked."""

    def __post_init__(self) -> None:
        for one in options(type(self)):
            object.__setattr__(self, one.name, accepted(one, getattr(self, one.name)))


def accepted(option: Option, value: Any) -> Any:
    """The value as a builtin one, or an error that says what was found and what was wanted; several as a tuple of them."""
    if not option.many:
        return _accepted_value(option, value)
    if value is None:
        return None
    values = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else (value,)
    if not values:
        raise UsageError(f"{option.name} is an empty list; leave it out, or give at least one value")
    return tuple(None if one is None else _accepted_value(option, one) for one in values)


def _accepted_value(option: Option, value: Any) -> Any:
    kinds = alternatives(option.type)
    if value is None and types.NoneType in kinds:
        return None
    if option.choices and isinstance(value, str) and value not in option.choices and str not in kinds:
        raise UsageError(f"{option.name} is {value!r}; it should be {wanted(option)}")
    found = _builtin_number(kinds, value)
    if found is None:
        return _other(option, kinds, value)
    if option.range is not None and found not in option.range:
        raise UsageError(
            f"{option.name} is {_number_text(found)}; it should {option.range}{_as_share(option.range, found)}"
        )
    if isinstance(found, int) and abs(found) > LARGEST_WHOLE:
        raise UsageError(
            f"{option.name} has {len(str(abs(found)))} digits; it should be no larger than {float(LARGEST_WHOLE):g}"
        )
    return found


def _number_text(number: float) -> str:
    """A number in a message; whole ones beyond all floats have no short form, and hundreds of digits do not help."""
    return f"{number:g}" if abs(number) < HUGE else f"{'below −' if number < 0 else 'above '}{HUGE:g}"


def _builtin_number(kinds: tuple[Any, ...], value: Any) -> float | None:
    """A number of any library as a builtin one; None where it is no number, or none is wanted."""
    if isinstance(value, str) and float in kinds and str not in kinds:
        return hundredths(value)
    if isinstance(value, bool | str):
        return None
    if float in kinds and isinstance(value, Hundredths):
        return value
    if int in kinds and isinstance(value, numbers.Integral):
        return int(value)
    if float in kinds and isinstance(value, numbers.Real):
        with contextlib.suppress(OverflowError):  # a whole number beyond all floats
            return float(value) if math.isfinite(value) else None
    return None


def _other(option: Option, kinds: tuple[Any, ...], value: Any) -> Any:
    """A value that is no number, accepted where it may be one of the other types."""
    # What has axes is several values, whatever one of them may be: no comparison with a single one has an answer.
    if getattr(value, "ndim", 0) or ({int, float} & set(kinds) and not (bool in kinds and isinstance(value, bool))):
        raise UsageError(f"{option.name} is {value!r}; it should be {wanted(option)}")
    return value


def _as_share(range_: Range, value: float) -> str:
    """A way out for those who write percent."""
    percent = 1.0 < value < HUGE and value / 100.0 in range_
    return f"; {value:g} % is {value / 100.0:g}" if percent else ""
