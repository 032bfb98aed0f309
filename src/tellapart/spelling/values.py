"""A value as it stands in a spelling, and read back from there: numbers, words, plug-ins within plug-ins."""

import math
import re
import types
import typing
from typing import Any

from tellapart.errors import SpellingError
from tellapart.spelling.options import Option, alternatives, wanted


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
    raise SpellingError(f"{owner}: {option.name}={text} should be {wanted(option)}{_as_fraction(text)}")


def _as_fraction(text: str) -> str:
    """A way out for those who write percent."""
    percent = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*%\s*", text)
    return f"; {percent[1]} % is {spell(round(float(percent[1]) / 100.0, 12))}" if percent else ""


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
        return {"none": None, "true": True, "false": False}[text] if text in _words(kind) else _refuse()
    registry = getattr(kind, "registry", None)
    if registry is not None:  # an option whose value is a plug-in itself
        return registry.parse(text)
    value = kind(text)
    return value if not isinstance(value, float) or math.isfinite(value) else _refuse()


def _words(kind: Any) -> set[str]:
    return {"none"} if kind is types.NoneType else {"true", "false"}


def _refuse() -> Any:
    raise ValueError
