"""A sheet: what any answer looks like before a format is chosen. A format prints sheets, an answer fills one."""

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from tellapart.render.grid import Cell, Column, Grid
from tellapart.results.answer import Answer
from tellapart.wording import printable

Mood = Literal["good", "bad", "even", "open"]
"""How a headline is to be taken: shown as hoped, shown against it, settled either way, or left open."""


@dataclass(frozen=True)
class Curve:
    """Points (x, share), from left to right."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Figure:
    """Curves of shares between 0 and 1 over a common axis, as numbers: how they are drawn is the format's affair."""

    horizontal: str
    vertical: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Sheet:
    """A headline, tables, figures, facts by name, remarks under headings, and the sentence to quote."""

    headline: str
    mood: Mood
    grids: tuple[Grid, ...]
    facts: tuple[tuple[str, str], ...]
    remarks: tuple[tuple[str, tuple[str, ...]], ...]
    sentence: str
    signature: str
    figures: tuple[Figure, ...] = ()
    document: bool = False
    """Whether its tables are there to be looked through, so that no format shortens them."""


_MAKERS = {
    "agreement": "tellapart.render.agreement",
    "audit": "tellapart.render.audit",
    "calibration": "tellapart.render.calibration",
    "comparison": "tellapart.render.comparison",
    "description": "tellapart.render.description",
    "evidence": "tellapart.render.evidence",
    "evidence_fit": "tellapart.render.evidence_fit",
    "gate": "tellapart.render.gate",
    "formats": "tellapart.render.formats",
    "leaderboard": "tellapart.render.leaderboard",
    "plan": "tellapart.render.plan",
    "reproduction": "tellapart.render.reproduction",
    "store": "tellapart.render.store",
}
"""The module whose function `sheet` fills the sheet of an answer, loaded when there is such an answer."""


def sheet_of(answer: Answer) -> Sheet:
    """The sheet of an answer."""
    maker: Callable[[Answer], Sheet] = importlib.import_module(_MAKERS[answer.kind]).sheet
    sheet: Sheet = _printable(maker(answer))
    return sheet


def _printable(part: Any) -> Any:
    """A part of a sheet with every text of it printable: names are data, and no format has to think of what they may hold."""
    if isinstance(part, str):
        return part if part.isprintable() else printable(part)
    if isinstance(part, tuple):
        parts = tuple(map(_printable, part))
        return parts if any(new is not old for new, old in zip(parts, part, strict=True)) else part
    if not isinstance(part, Cell | Column | Curve | Figure | Grid | Sheet):
        return part
    texts = {f.name: _printable(getattr(part, f.name)) for f in fields(part)}
    changes = {name: new for name, new in texts.items() if new is not getattr(part, name)}
    return replace(part, **changes) if changes else part


def without_repeats(reasons: Iterable[str]) -> Iterator[str]:
    """Reasons down a column of a table, each told once where rows have it in a row.

    >>> list(without_repeats(["few items", "few items", "", "few items"]))
    ['few items', 'as above', '', 'few items']
    """
    above = ""
    for reason in reasons:
        yield "as above" if reason and reason == above else reason
        above = reason
