"""Figures in characters: every point stands where its numbers say."""

from tellapart.answers.page import Curve, Figure
from tellapart.render.text_figures import HEIGHT, MARGIN, MARKS, WIDTH, drawn


def curve(name: str, *points: tuple[float, float]) -> Curve:
    return Curve(name, points)


def test_points_and_axes() -> None:
    """The lowest point is at the bottom left, the highest at the top right, dots lead from one to the other."""
    lines = drawn(Figure("items", "power", (curve("t", (100.0, 0.0), (300.0, 0.5), (500.0, 1.0)),)))
    canvas = lines[1 : HEIGHT + 2]
    assert lines[0] == "power"
    assert [line[:4] for line in canvas[:: HEIGHT // 4]] == ["1.00", "0.75", "0.50", "0.25", "0.00"]
    assert canvas[0].index("●") == MARGIN + WIDTH - 1
    assert canvas[HEIGHT].index("●") == MARGIN
    assert canvas[HEIGHT // 2].index("●") == MARGIN + WIDTH // 2
    assert all("·" in line or "●" in line for line in canvas)
    axis, scale, legend = lines[HEIGHT + 2 :]
    assert axis == " " * (MARGIN - 1) + "└" + "─" * WIDTH
    assert scale.split() == ["100", "items", "500"]
    assert len(scale) == MARGIN + WIDTH
    assert legend == " " * MARGIN + "● t"


def test_each_curve_has_its_mark_and_the_rest_are_counted() -> None:
    """More curves than marks are named in number."""
    curves = tuple(curve(f"c{i}", (1.0, i / 10), (2.0, i / 10)) for i in range(10))
    lines = drawn(Figure("effect", "power", curves))
    assert [line.strip() for line in lines[-9:-1]] == [f"{mark} c{i}" for i, mark in enumerate(MARKS)]
    assert lines[-1].strip() == "and 2 more that are not drawn"
    assert drawn(Figure("effect", "power", curves[:8]))[-1].strip() == f"{MARKS[-1]} c7"


def test_one_place_and_shares_beyond_the_axis() -> None:
    """Points at one place need no scale, and what lies outside 0 to 1 is drawn at the edge."""
    lines = drawn(Figure("items", "power", (curve("t", (5.0, -0.5), (5.0, 1.5)),)))
    assert lines[1].index("●") == lines[HEIGHT + 1].index("●") == MARGIN
    assert "10,000" in drawn(Figure("items", "power", (curve("t", (5.0, 0.1), (10000.0, 0.2)),)))[-2]
    assert "9999" in drawn(Figure("items", "power", (curve("t", (5.0, 0.1), (9999.0, 0.2)),)))[-2]
    assert "20,000" in drawn(Figure("items", "power", (curve("t", (5.0, 0.1), (20000.0, 0.2)),)))[-2]
