"""Words of a reproduction: the headline follows from the numbers, and advice is spelled for its reader."""

from dataclasses import replace

import pytest

from tellapart.answers.reproduction import CellResult, DocumentResult, Reproduction, TableResult
from tellapart.answers.texts import add_text
from tellapart.foundation.surfaces import Surface

AGREEING = CellResult("power", 0.5, "0.5", 0.5, 0.45, 0.55, "agrees", "")
SHOWN = CellResult("power", 0.5, "0.5", None, None, None, "as published", "")
COUNTS = {"agrees": 1, "differs by rounding": 0, "differs": 2, "as published": 1}


def answer(*cells: CellResult, lacks: tuple[str, ...] = ()) -> Reproduction:
    table = TableResult("t", "a paper", "a table", cells, lacks)
    document = DocumentResult("d", "a paper", ("table 1",), "table 2")
    return Reproduction((table,), (document,), COUNTS, (), any(c.ours is not None for c in cells), "signature")


def test_headlines() -> None:
    """Failures come first; where nothing was recomputed nothing agrees."""
    assert add_text(answer(AGREEING)).headline.startswith("t (table 1): every published number agrees")
    assert add_text(answer(SHOWN)).headline == "t (table 1): nothing was recomputed, shown as published"
    failed = replace(answer(SHOWN), failures=("t: power",))
    assert add_text(failed).headline == "t (table 1): published numbers differ for no known reason"


def test_sentence() -> None:
    """Every kind of verdict that occurs is counted, unexplained differences apart from known ones."""
    failed = replace(answer(AGREEING), failures=("t: power",))
    assert add_text(failed).sentence == (
        "4 published numbers in one table: 1 agree, 1 differ for a known reason, 1 are shown as published, 1 differ "
        "for no known reason."
    )


@pytest.mark.parametrize(("surface", "advice"), [("command line", "--data"), ("python", "data=…")])
def test_missing_data_are_asked_for_at_the_reader_s_door(surface: Surface, advice: str) -> None:
    """A table that lacks files says so of every cell; one cell without data says it of itself; telling twice changes no surface."""
    table = add_text(add_text(answer(SHOWN, replace(AGREEING, why="wrong"), lacks=("a.gz", "b.gz"))), surface).tables[0]
    assert table.skipped == f"needs a.gz and b.gz: give their folder with {advice}"
    assert {cell.reason for cell in table.cells} == {table.skipped}
    cells = add_text(add_text(answer(SHOWN, AGREEING, replace(SHOWN, why="words"))), surface).tables[0].cells
    assert [cell.reason for cell in cells] == [
        f"needs real data: give their folder with {advice}",
        "",
        "words",
    ]
