"""Figures drawn in characters, for a terminal."""

from tellapart.render.sheet import Curve, Figure

WIDTH, HEIGHT = 64, 16
"""Characters of the canvas: with its labels it fits into 80 columns, and a line is a step of a sixteenth."""
MARKS = "●○◆◇▲△■□"
"""One per curve; curves beyond these are only counted."""
MARGIN = 6
"""Characters left of the canvas: a label, a blank and the axis."""


def drawn(figure: Figure) -> list[str]:
    """The lines of a figure: curves over their axes, each with its own mark, and a legend."""
    low, high = _ends(figure)
    canvas = [[" "] * WIDTH for _ in range(HEIGHT + 1)]
    for mark, curve in zip(MARKS, figure.curves, strict=False):
        _trace(canvas, curve, mark, low, high)
    lines = [f"{_label(i)}┤{''.join(row).rstrip()}" for i, row in enumerate(canvas)]
    return [figure.vertical, *lines, *_axis(figure.horizontal, low, high), *_legend(figure.curves)]


def _ends(figure: Figure) -> tuple[float, float]:
    xs = [x for curve in figure.curves for x, _ in curve.points]
    return min(xs), max(xs)


def _label(line: int) -> str:
    share = 1.0 - line / HEIGHT
    return f"{share:4.2f} " if line % 4 == 0 else "     "


def _axis(name: str, low: float, high: float) -> list[str]:
    left, right = (f"{end:.4g}" if end < 1e4 else f"{end:,.0f}" for end in (low, high))
    between = max(WIDTH - len(left) - len(right), len(name))
    return [f"{'':{MARGIN - 1}}└{'─' * WIDTH}", f"{'':{MARGIN}}{left}{name:^{between}}{right}"]


def _legend(curves: tuple[Curve, ...]) -> list[str]:
    shown = [f"{mark} {curve.name}" for mark, curve in zip(MARKS, curves, strict=False)]
    if len(curves) > len(MARKS):
        shown.append(f"and {len(curves) - len(MARKS)} more that are not drawn")
    return [" " * MARGIN + line for line in shown]


def _trace(canvas: list[list[str]], curve: Curve, mark: str, low: float, high: float) -> None:
    """Dots along straight lines between the points, then the points themselves on top."""
    for (x0, y0), (x1, y1) in zip(curve.points, curve.points[1:], strict=False):
        for column in range(_column(x0, low, high), _column(x1, low, high) + 1):
            # The ends of a line were rounded to columns, so its first and last may lie beyond its points.
            x = low + (high - low) * column / (WIDTH - 1)
            share = 0.0 if x1 == x0 else min(max((x - x0) / (x1 - x0), 0.0), 1.0)
            line = _line(y0 + share * (y1 - y0))
            if canvas[line][column] == " ":
                canvas[line][column] = "·"
    for x, y in curve.points:
        canvas[_line(y)][_column(x, low, high)] = mark


def _column(x: float, low: float, high: float) -> int:
    return 0 if high == low else round((WIDTH - 1) * (x - low) / (high - low))


def _line(share: float) -> int:
    return HEIGHT - round(HEIGHT * min(max(share, 0.0), 1.0))
