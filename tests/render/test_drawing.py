"""Figures in characters: every point stands where its numbers say."""

from tellapart.answers.page import Curve, Figure
from tellapart.render.text import CANVAS_HEIGHT, CANVAS_MARGIN, CANVAS_WIDTH, CURVE_MARKS, draw_curves


def curve(name: str, *points: tuple[float, float]) -> Curve:
    return Curve(name, points)


def test_points_and_axes() -> None:
    """The lowest point is at the bottom left, the highest at the top right, dots lead from one to the other."""
    lines = draw_curves(Figure("items", "power", (curve("t", (100.0, 0.0), (300.0, 0.5), (500.0, 1.0)),)))
    canvas = lines[1 : CANVAS_HEIGHT + 2]
    assert lines[0] == "power"
    assert [line[:4] for line in canvas[:: CANVAS_HEIGHT // 4]] == ["1.00", "0.75", "0.50", "0.25", "0.00"]
    assert canvas[0].index("●") == CANVAS_MARGIN + CANVAS_WIDTH - 1
    assert canvas[CANVAS_HEIGHT].index("●") == CANVAS_MARGIN
    assert canvas[CANVAS_HEIGHT // 2].index("●") == CANVAS_MARGIN + CANVAS_WIDTH // 2
    assert all("·" in line or "●" in line for line in canvas)
    axis, scale, legend = lines[CANVAS_HEIGHT + 2 :]
    assert axis == " " * (CANVAS_MARGIN - 1) + "└" + "─" * CANVAS_WIDTH
    assert scale.split() == ["100", "items", "500"]
    assert len(scale) == CANVAS_MARGIN + CANVAS_WIDTH
    assert legend == " " * CANVAS_MARGIN + "● t"


def test_each_curve_has_its_mark_and_the_rest_are_counted() -> None:
    """More curves than marks are named in number."""
    curves = tuple(curve(f"c{i}", (1.0, i / 10), (2.0, i / 10)) for i in range(10))
    lines = draw_curves(Figure("effect", "power", curves))
    assert [line.strip() for line in lines[-9:-1]] == [f"{mark} c{i}" for i, mark in enumerate(CURVE_MARKS)]
    assert lines[-1].strip() == "and 2 more that are not drawn"
    assert draw_curves(Figure("effect", "power", curves[:8]))[-1].strip() == f"{CURVE_MARKS[-1]} c7"


def test_one_place_and_shares_beyond_the_axis() -> None:
    """Points at one place need no scale, and what lies outside 0 to 1 is drawn at the edge."""
    lines = draw_curves(Figure("items", "power", (curve("t", (5.0, -0.5), (5.0, 1.5)),)))
    assert lines[1].index("●") == lines[CANVAS_HEIGHT + 1].index("●") == CANVAS_MARGIN
    assert "10,000" in draw_curves(Figure("items", "power", (curve("t", (5.0, 0.1), (10000.0, 0.2)),)))[-2]
    assert "9999" in draw_curves(Figure("items", "power", (curve("t", (5.0, 0.1), (9999.0, 0.2)),)))[-2]
    assert "20,000" in draw_curves(Figure("items", "power", (curve("t", (5.0, 0.1), (20000.0, 0.2)),)))[-2]
