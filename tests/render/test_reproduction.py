"""The page of a reproduction: our number in its own digits, the range that agrees, and a tone that follows from the cells."""

import math

import pytest

from tellapart.answers.reproduction import CellResult, Reproduction, TableResult
from tellapart.answers.reproduction.page import make_page


def page(*cells: CellResult, failures: tuple[str, ...] = (), recomputed: bool = True) -> Reproduction:
    table = TableResult("name", "a paper", "a table", cells, (), "needs a file" if not recomputed else None)
    return Reproduction((table,), (), {}, failures, recomputed, "signature", "headline", "sentence")


def cell(ours: float | None, low: float | None, high: float | None, reason: str = "") -> CellResult:
    return CellResult("label", 0.5, "0.50", ours, low, high, "agrees", "", reason)


@pytest.mark.parametrize(
    ("ours", "low", "high", "texts"),
    [
        (0.512345, 0.45, 0.55, ("0.5123", "[0.450, 0.550]")),
        (120.0, 110.0, 130.0, ("120", "[110, 130]")),
        (math.nextafter(1.0, 0.0), None, None, ("1", "")),
        (1.0 - 1e-11, None, None, ("1.0000", "")),
        (1e-17, None, None, ("1.000e-17", "")),
        (0.5, 0.5, 0.5, ("0.5000", "")),
        (0.5, None, 0.6, ("0.5000", "")),
        (0.5, 0.4, None, ("0.5000", "")),
        (None, None, None, ("", "")),
    ],
)
def test_numbers(ours: float | None, low: float | None, high: float | None, texts: tuple[str, str]) -> None:
    """Whole numbers stay whole, also where their last bit is off; a range without width, or without an end, is none."""
    (row,) = make_page(page(cell(ours, low, high))).grids[0].rows
    assert (row[2].text, row[3].text) == texts


def test_reasons_are_told_once() -> None:
    """A reason that the row above has is not said again."""
    rows = make_page(page(*(cell(0.5, 0.4, 0.6, why) for why in ("why", "why", "")))).grids[0].rows
    assert [row[4].text for row in rows] == ["agrees: why", "agrees: as above", "agrees"]


def test_moods() -> None:
    """Bad where anything is unexplained, open where nothing was recomputed."""
    assert make_page(page(cell(0.5, 0.4, 0.6))).tone == "good"
    assert make_page(page(cell(0.5, 0.4, 0.6), failures=("name: label",))).tone == "bad"
    shown = make_page(page(cell(None, None, None), recomputed=False))
    assert shown.tone == "open"
    assert shown.remarks == (
        ("Unexplained", ()),
        ("Shown as published", ("name: needs a file",)),
        ("Notes", ()),
    )
