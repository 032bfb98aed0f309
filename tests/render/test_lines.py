"""Intervals as lines of characters: where their ends and values are, on one scale, and nothing where nothing can be drawn."""

import math
import random

import pytest
from tests.golden.cases import made

from tellapart.answers.page import Cell, Column, Grid, Spans
from tellapart.render import FORMATS, render
from tellapart.render.screen import Screen, width_of
from tellapart.render.text import LONGEST, SHORTEST, with_intervals

Span = tuple[float, float, float]


def grid(*ends: Span) -> Grid:
    rows = tuple((Cell(f"s{i}"), Cell("x")) for i in range(len(ends)))
    return Grid((Column("system", "name"), Column("rank", "number")), rows, spans=Spans(0, ends))


@pytest.mark.parametrize("width", [SHORTEST, 27, LONGEST])
def test_ends_and_values_are_where_they_belong(width: int) -> None:
    """To half a character; drawn from numbers of any size."""
    draw = random.Random(5)  # noqa: S311  (no secret)
    spans = [tuple(sorted(draw.uniform(-3, 900) for _ in range(3))) for _ in range(40)]
    low, high = min(s[0] for s in spans), max(s[2] for s in spans)
    found = with_intervals(grid(*spans), width)  # type: ignore[arg-type]  # three numbers each
    step = (high - low) / (width - 1)
    for row, span in zip(found.rows, spans, strict=True):
        line = row[1].text
        assert len(line) <= width
        drawn = (len(line) - len(line.lstrip()), line.index("●"), len(line) - 1)
        for place, end in zip(drawn, span, strict=True):
            assert abs(place * step + low - end) <= step / 2 + 1e-9
        assert set(line.strip()) <= set("├─●┤")


def test_where_nothing_can_be_drawn() -> None:
    """Too little room, one point only, bounds that are not there: the table as it was."""
    assert with_intervals(grid((0.1, 0.2, 0.3)), SHORTEST - 1).titles == ("system", "rank")
    assert with_intervals(grid((0.2, 0.2, 0.2)), 30).titles == ("system", "rank")
    assert with_intervals(grid((math.nan, 0.2, math.inf)), 30).titles == ("system", "rank")
    some = with_intervals(grid((math.nan, 0.2, 0.5), (0.1, 0.2, 0.4)), 30)
    assert some.rows[0][1].text == ""
    assert "●" in some.rows[1][1].text


@pytest.mark.parametrize("width", [60, 80, 110, 120])
@pytest.mark.parametrize("name", ["rank", "rank_baseline", "rank_datasets"])
def test_a_board_fits_its_screen(name: str, width: int) -> None:
    """No line is too long, and none is broken for the sake of a drawing."""
    page = render(made(name), "text", Screen(width, terminal=True))
    assert max(map(width_of, page.splitlines())) <= width


def test_only_text_draws() -> None:
    """Text has a line for every system where there is room for one; no other format has any."""
    answer = made("rank")
    assert render(answer, "text").count("●") == 3
    assert render(answer, "text", Screen(100, terminal=True)).count("●") == 3
    assert render(answer, "text", Screen(80, terminal=True)).count("●") == 3
    assert "●" not in render(answer, "text", Screen(50, terminal=True))
    for form in set(FORMATS) - {"text"}:
        assert "├" not in render(answer, form)
