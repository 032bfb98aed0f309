"""Sheets of real answers: every kind has one, and every cell shows the numbers that it keeps."""

import ast
import importlib.util
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from tellapart import Claim, audit, compare, plan, rank, read
from tellapart.answers.answer import Answer
from tellapart.answers.page import Cell, Grid, page_of
from tellapart.answers.schema import kinds
from tellapart.render import FORMATS, render
from tellapart.studies.reproduction import reproduce
from tellapart.verbs.evidence.priors import known_evidence

TAKE_APART = {
    "partition", "rpartition", "split", "rsplit", "splitlines", "startswith", "endswith", "removeprefix", "removesuffix", "find",
    "rfind", "index", "match", "fullmatch", "search", "sub",
}  # fmt: skip
"""Methods by which a text is read."""
EXAMPLES = Path(__file__).parents[2] / "examples"

ANSWERS: dict[str, Callable[[], Answer]] = {
    "compare": lambda: compare(read(EXAMPLES / "retrieval.csv"), "baseline", "candidate"),
    "compare all tests": lambda: compare(read(EXAMPLES / "answers.csv"), "medium", "large", test="all", margin=0.05),
    "plan": lambda: plan("paired_binary(accuracy=0.7, effect=0.02, discordance=0.1)", items=[500, 1000, 2000]),
    "plan of a grid": lambda: plan(
        [f"paired_binary(accuracy=0.7, effect=0.02, discordance={d})" for d in (0.1, 0.2)], items=500
    ),
    "plan from evidence": lambda: plan("paired_binary(accuracy=0.7)", evidence="squad2_pairs", items=500, power=0.8),
    "plan by simulation": lambda: plan(
        "gaussian(sd=0.12, correlation=0.8)", items=100, power=0.8, test="wilcoxon", replicates=500
    ),
    "rank": lambda: rank(read(EXAMPLES / "answers.csv")),
    "rank against a baseline": lambda: rank(read(EXAMPLES / "answers.csv"), baseline="small"),
    "audit": lambda: audit(Claim(items=1000, a=0.706, b=0.714)),
    "evidence": known_evidence,
    "reproduce": lambda: reproduce("reasoning-items"),
}


@cache
def grids(name: str) -> tuple[Grid, ...]:
    return page_of(ANSWERS[name]()).grids


@pytest.mark.parametrize("name", ANSWERS)
def test_rows_have_a_cell_per_column(name: str) -> None:
    """The first column names the rows, and no row is longer or shorter than the columns."""
    for grid in grids(name):
        assert grid.columns[0].kind == "name"
        assert {len(row) for row in grid.rows} == {len(grid.columns)}


@pytest.mark.parametrize("name", ANSWERS)
def test_numbers_are_behind_their_words(name: str) -> None:
    """In columns of numbers and intervals each number of the text is the value behind it, rounded as it is shown.

    One possible rank is printed once, and is both ends of the bar.
    """
    shown = [cell for grid in grids(name) for cell in _numeric(grid)]
    assert shown
    for cell in shown:
        texts = re.findall(r"[−+-]?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?", cell.text)
        assert len(texts) == len(cell.values), cell
        assert all(_is(text, value) for text, value in zip(texts, cell.values, strict=True)) or "<" in cell.text


def _numeric(grid: Grid) -> Iterator[Cell]:
    for row in grid.rows:
        for column, cell in zip(grid.columns, row, strict=True):
            if column.side == "right" and cell.text:
                low, *others = cell.values
                yield Cell(cell.text, (low,)) if column.kind == "ranks" and others == [low] else cell


def _is(text: str, value: float | None) -> bool:
    """Off by at most half a unit of the last digit that is shown."""
    digits, _, power = text.replace("−", "-").replace(",", "").partition("e")
    unit = 10.0 ** (int(power or 0) - len(digits.partition(".")[2]))
    return value is not None and math.isclose(
        float(digits + ("e" + power if power else "")), value, rel_tol=1e-12, abs_tol=0.501 * unit
    )


def test_every_answer_has_a_sheet() -> None:
    """No kind of answer is forgotten where sheets are listed."""
    assert all(importlib.util.find_spec(f"tellapart.answers.{kind}.page") for kind in kinds())


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_prints(form: str) -> None:
    """Each through the one door, ended by a line's end."""
    page = render(ANSWERS["rank"](), form)
    assert "large" in page
    assert page.endswith("\n")


@pytest.mark.parametrize(
    "module",
    [*(f"tellapart.answers.{kind}.page" for kind in kinds()), "tellapart.answers.leaderboard.dataset_page"],
)
def test_sheets_read_nothing_back_from_words(module: str) -> None:
    """What a page decides, it decides by fields: no spelling, headline or sentence is taken apart again."""
    source = importlib.util.find_spec(module)
    assert source is not None
    tree = ast.parse(Path(str(source.origin)).read_text(encoding="utf-8"))
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert called.isdisjoint(TAKE_APART)
