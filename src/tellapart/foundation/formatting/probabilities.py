"""Formatting of p-values, confidence levels, percentages and counts."""

import math
from collections.abc import Callable, Sequence
from typing import TypeVar

from tellapart.foundation.formatting.numbers import decimals_between, signed_interval, significant

# How counts are written.

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
    """A count with its noun.

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
    """A count of what is passed over in a folder, named by its plural.

    >>> counted(1, "files without items"), counted(2, "files"), counted(1, "pipes and devices")
    ('1 file without items', '2 files', '1 pipe or device')
    """
    return f"{thousands(count)} {_ONE.get(things, things) if count == 1 else things}"


STRAY = 1e-9
"""The relative change of a p-value between versions of numerical libraries."""


def pvalue(value: float, alpha: float = 0.05) -> str:
    """A p-value with its relation, on the same side of alpha and of the usual levels as it is.

    >>> pvalue(0.01342), pvalue(0.00002), pvalue(1.0), pvalue(0.05004), pvalue(0.02004, alpha=0.02)
    ('p = 0.0134', 'p < 0.0001', 'p = 1', 'p = 0.05004', 'p = 0.02004')
    >>> pvalue(0.05 + 1e-14, alpha=0.04), pvalue(0.05 + 1e-14, alpha=0.05)
    ('p = 0.05', 'p = 0.0500001')
    """
    if math.isnan(value):
        return "p undefined"
    if value < 1e-4:
        return "p < 0.0001" if alpha >= 1e-4 else f"p = {value:.2g}"
    # Rounding must not move a p-value across a level; what is at a usual one but for float noise is at it on every machine.
    usual = (level * (1.0 + STRAY) for level in (0.001, 0.01, 0.05, 0.1) if level != alpha)
    levels = (alpha, *usual)
    for digits in (3, 4, 6):
        shown = f"{value:.{digits}g}"
        if all((float(shown) <= level) == (value <= level) for level in levels):
            return f"p = {shown}"
    return f"p = {_just_above(value)}"


def _just_above(value: float) -> str:
    """Rounded up to six digits: above the level that it is above, and not with digits that differ between machines."""
    step = 10.0 ** (math.floor(math.log10(value)) - 5)
    return f"{(math.floor(value / step) + 1) * step:.6g}"


def bare_pvalue(value: float | None, alpha: float | None = None) -> str:
    """A p-value in a table or a range, where its relation is clear; blank if there is none.

    Where alpha is given, with enough digits that it stays on its side of it.

    >>> bare_pvalue(0.0134), bare_pvalue(3e-120), bare_pvalue(None), bare_pvalue(0.0504, alpha=0.05), bare_pvalue(math.nan)
    ('0.013', '<1e-99', '', '0.0504', 'undefined')
    """
    if value is None:
        return ""
    if math.isnan(value):
        return "undefined"
    if value < 1e-99:
        return "<1e-99"
    told = (significant(value, digits) for digits in (2, 3, 4, 6))
    kept = (text for text in told if alpha is None or (float(text) <= alpha) == (value <= alpha))
    return next(kept, _just_above(value))


def percent(share: float, digits: int = 10) -> str:
    """A share as a percentage, to this many digits; 100 % always has three.

    >>> percent(0.95), percent(0.995), percent(58 / 400 + 0.1, digits=3), percent(0.998, digits=2)
    ('95 %', '99.5 %', '24.5 %', '100 %')
    """
    # Two digits of 99.8 are 1e+02 otherwise.
    return f"{float(f'{100.0 * share:.{digits}g}'):.{max(digits, 3)}g} %"


def confidence(alpha: float) -> str:
    """The confidence of what is wrong with this chance.

    >>> confidence(0.05), confidence(0.005)
    ('95 %', '99.5 %')
    """
    return percent(1.0 - alpha)


def confidence_interval(level: float, low: float, high: float, *marks: float) -> str:
    """The interval of a difference, rounded so that its bounds stay on their sides of zero and of the marks.

    >>> confidence_interval(0.95, 0.008, 0.022)
    '95 % CI [+0.0080, +0.0220]'
    """
    if math.isinf(low) and math.isinf(high):
        return f"no {percent(level)} CI"
    return f"{percent(level)} CI {signed_interval(low, high, decimals_between(low, high, *marks))}"


def percent_below_all(share: float) -> str:
    """A share with enough digits that one just below 100 % does not read as 100 %.

    >>> percent_below_all(0.95), percent_below_all(0.99999994)
    ('95 %', '99.999994 %')
    """
    left = 1.0 - share
    decimals = 5 if left <= 0.0 else max(5, 1 - math.floor(math.log10(left)))
    return percent(round(share, decimals), digits=15)


def short_share(share: float) -> str:
    """A share to two decimals, as it stands in brackets.

    >>> short_share(0.25), short_share(1.0)
    ('.25', '1')
    """
    return f"{share:.2f}".removeprefix("0") if share < 1.0 else "1"


def points(share: float) -> float:
    """A share, or a difference of shares, in percentage points."""
    return 100.0 * share


_TIMES = (
    "never",
    "once",
    "twice",
    "three times",
    "four times",
    "five times",
    "six times",
    "seven times",
    "eight times",
    "nine times",
)


def times_in_ten(share: float) -> str:
    """A share as people say it.

    >>> times_in_ten(0.71), times_in_ten(0.11), times_in_ten(0.97), times_in_ten(0.01)
    ('seven times in ten', 'once in ten', 'nearly always', 'almost never')
    """
    tenths = round(10.0 * share)
    if tenths == 0:
        return "almost never"
    return "nearly always" if tenths == 10 else f"{_TIMES[tenths]} in ten"
