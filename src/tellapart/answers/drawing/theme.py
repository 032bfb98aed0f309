"""Theme of all charts: colour-blind-safe colours, and sizes legible at column width (85 mm) and on slides."""

import importlib
import importlib.util
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting.units import Unit

# The one place that imports altair, and only when a chart is drawn: names, captions and tables of numbers
# do without it.

__all__ = ["INSTALL", "Picture", "alt", "no_room", "over", "ready", "required"]

INSTALL = "pip install 'tellapart[plot]'"


class _Lazy:
    """A module that is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(required(self._name), attribute)


def required(module: str) -> Any:
    """A module of the extra `plot`, or one message that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(
            f"charts need {module.replace('_', '-')}, which is not installed here. Install it: {INSTALL}"
        ) from None


RESERVED = 72 << 30
"""Bytes of address space with which V8, inside vl-convert, starts: it reserves 64 GiB and uses few of them, and ends the process without."""


def no_room() -> str:
    """Why charts cannot be drawn under the limits of this process; empty where they can."""
    if importlib.util.find_spec("resource") is None:  # no such limits on this system
        return ""
    resource = importlib.import_module("resource")
    limit: int = resource.getrlimit(resource.RLIMIT_AS)[0]
    if not 0 <= limit < RESERVED:
        return ""
    return (
        f"the library that draws charts reserves 64 GB of address space, which it does not use, and ulimit -v allows {limit >> 20:,} MiB; "
        "limit memory with a cgroup instead: systemd-run --user --scope -p MemoryMax=2G tellapart …, or a container"
    )


def ready() -> bool:
    """Whether charts can be drawn here."""
    return not no_room() and all(importlib.util.find_spec(module) is not None for module in ("altair", "vl_convert"))


if TYPE_CHECKING:
    import altair as alt
else:
    alt = _Lazy("altair")

Picture: TypeAlias = "alt.Chart | alt.LayerChart | alt.VConcatChart | alt.HConcatChart | alt.FacetChart"


def over(rows: "list[dict[str, Any]]") -> "alt.Chart":
    """A chart over these rows, to be given its marks."""
    # A plain dictionary: altair's own class for it would look at every value.
    return alt.Chart({"values": rows})


# Names as labels of an axis: whole, however long, in lines that leave room for the picture.

LONGEST = 26
"""Characters of a line."""
FEW, WIDE = 12, 60
"""Rows that may be high, and characters of a line where there are more."""


def lines(text: str, longest: int = LONGEST) -> list[str]:
    """The text in lines, broken where it can be read on: after a space, a slash, a hyphen, an underscore, else anywhere.

    >>> lines("meta-llama/Llama-3.1-405B-Instruct-Turbo")
    ['meta-llama/Llama-3.1-405B-', 'Instruct-Turbo']
    >>> lines("short"), lines("x" * 30, 20)
    (['short'], ['xxxxxxxxxxxxxxxxxxxx', 'xxxxxxxxxx'])
    """
    found = [""]
    for part in re.findall(rf"[^ /_:,-]{{1,{longest}}}[ /_:,-]?|[ /_:,-]", text):
        if len(found[-1]) + len(part.rstrip()) > longest and found[-1]:
            found.append("")
        found[-1] += part
    return [line.rstrip(" ") if line.strip() else line for line in found]


def among(count: int) -> int:
    """The most characters of a label line beside this many rows: with many rows, labels of several lines would fill pages."""
    return LONGEST if count <= FEW else WIDE


def label(text: str, longest: int = LONGEST) -> str:
    """The label as one text with line ends, for an axis that sets it `in_lines`."""
    return "\n".join(lines(text, longest))


_SPLIT = "split(datum.label, '\\n')"
_LINE = 12
"""From one line to the next."""


def in_lines() -> dict[str, Any]:
    """Axis options that set labels in their lines, each block beside its tick rather than below it."""
    middle = [{"test": f"length({_SPLIT}) == {many}", "value": -_LINE // 2 * (many - 1)} for many in range(2, 12)]
    return {"labelExpr": _SPLIT, "labelLineHeight": _LINE, "labelOffset": {"condition": middle, "value": 0}}


MANY_DIGITS, MANY_ZEROS = 1e6, 1e-4
"""From which on numbers of an axis are in powers of ten."""
CLOSE = 0.01
"""The share of the largest within which all of them are close together."""


def digits(rows: Sequence[Mapping[str, Any]], *fields: str) -> dict[str, Any]:
    """Axis options for numbers: the default, or powers of ten where these are very large or very small.

    Where all lie so close together that powers of ten would be the same for all, an axis writes them out.

    >>> digits([{"low": -0.2, "high": None}], "low", "high"), digits([{"low": 3e9}, {"low": 0.0}], "low")
    ({}, {'format': '~g'})
    >>> digits([{"low": 3_000_000_000.0}, {"low": 3_000_000_001.0}], "low")
    {}
    """
    values = [row[field] for row in rows for field in fields if row.get(field) is not None]
    largest = max(map(abs, values), default=0.0)
    usual = largest == 0.0 or MANY_ZEROS < largest < MANY_DIGITS
    return {} if usual or max(values) - min(values) < CLOSE * largest else {"format": "~g"}


def in_unit(unit: Unit) -> dict[str, Any]:
    """Axis options that write numbers as the text prints them, such as points; the rows keep the fractions of the JSON."""
    return {} if unit.factor == 1.0 else {"labelExpr": f"format({unit.factor:g} * datum.value, '~r')"}


def height(names: list[str], least: int = 16, longest: int = LONGEST) -> int:
    """The axis step that the tallest of these labels needs."""
    return max([least, *(_LINE * len(lines(name, longest)) + 4 for name in names)])


INK, PALE = "#1b1b1b", "#6b6b6b"
BLUE, ORANGE, GREEN, PINK = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
SKY, AMBER = "#56B4E9", "#E69F00"
"""Okabe and Ito (2008)."""

CYCLE = (BLUE, ORANGE, GREEN, PINK, SKY, AMBER)
"""One after the other where there are many, each with a shape of its own, for colour alone tells nothing in print."""
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")


def turned(shapes: tuple[str, ...], place: int) -> str:
    """The shape of this place: each round of the colours has the shapes one further on, so that thirty-six looks differ."""
    return shapes[(place + place // len(shapes)) % len(shapes)]


WIDTH = 240
"""Of the frame. With its labels a chart is then about 320 wide, which is 85 mm."""
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"


def themed(picture: Picture, ink: str = INK, background: str = "white") -> Picture:
    """The picture in the looks of the house; a page gives its own ink, so that it is seen by day and by night."""
    picture.config = alt.Config(**config(ink, background))
    return picture


def config(ink: str, background: str) -> dict[str, Any]:
    """The Vega-Lite theme; marks name one of its styles rather than a colour."""
    pale = ink if ink == "currentColor" else PALE
    lines = {
        "domainColor": ink,
        "tickColor": ink,
        "gridColor": ink,
        "gridOpacity": 0.12,
        "labelColor": ink,
        "titleColor": ink,
    }
    words = {"labelLimit": 0, "titleLimit": 0, "labelFontSize": 10, "titleFontSize": 11}
    return {
        "font": FONT,
        "background": background,
        "padding": 6,
        "view": {"stroke": None},
        "axis": {**lines, **words, "titleFontWeight": "normal", "labelFlush": False, "tickSize": 4},
        "header": {"labelColor": ink, "titleColor": ink, "labelFontSize": 10, "titleFontSize": 11, "labelLimit": 0},
        "legend": {
            "labelColor": ink,
            "titleColor": ink,
            **words,
            "titleFontWeight": "normal",
            "symbolStrokeWidth": 1.5,
        },
        "title": {"color": ink, "fontSize": 11, "fontWeight": "normal", "anchor": "start", "limit": 0},
        "style": {
            "ink": {"color": ink, "stroke": ink},
            "ink-fill": {"fill": ink, "stroke": None},
            "words": {"fill": ink, "fontSize": 10, "stroke": None},
            "pale": {"stroke": pale, "color": pale},
            "pale-words": {"fill": pale, "fontSize": 10, "stroke": None},
        },
    }
