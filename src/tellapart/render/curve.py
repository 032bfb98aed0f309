"""Power curves drawn in characters, for a terminal."""

from dataclasses import dataclass

WIDTH, HEIGHT = 64, 16
MARKS = "●○◆◇▲△■□"


@dataclass(frozen=True)
class Curve:
    name: str
    points: tuple[tuple[float, float], ...]


def draw(curves: list[Curve], over: str) -> str:
    """Curves of shares between 0 and 1 over a common axis, each with its own mark."""
    xs = [x for curve in curves for x, _ in curve.points]
    low, high = min(xs), max(xs)
    canvas = [[" "] * WIDTH for _ in range(HEIGHT + 1)]
    for mark, curve in zip(MARKS, curves, strict=False):
        _trace(canvas, curve, mark, low, high)
    lines = [f"{_label(i)}┤{''.join(row).rstrip()}" for i, row in enumerate(canvas)]
    axis = f"{'':5}└{'─' * WIDTH}"
    left, right = (f"{end:.4g}" if end < 1e4 else f"{end:,.0f}" for end in (low, high))
    scale = f"{'':6}{left}{over:^{max(WIDTH - len(left) - len(right), len(over))}}{right}"
    legend = [f"{'':6}{mark} {curve.name}" for mark, curve in zip(MARKS, curves, strict=False)]
    if len(curves) > len(MARKS):
        legend.append(f"{'':6}and {len(curves) - len(MARKS)} more that are not drawn")
    return "\n".join(["power", *lines, axis, scale, *legend])


def _label(line: int) -> str:
    share = 1.0 - line / HEIGHT
    return f"{share:4.2f} " if line % 4 == 0 else "     "


def _trace(canvas: list[list[str]], curve: Curve, mark: str, low: float, high: float) -> None:
    """Dots along straight lines between the points, then the points themselves on top."""
    for (x0, y0), (x1, y1) in zip(curve.points, curve.points[1:], strict=False):
        for column in range(_column(x0, low, high), _column(x1, low, high) + 1):
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
