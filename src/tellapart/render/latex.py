"""For a paper: booktabs tables and the sentence, with every special character escaped."""

from collections.abc import Iterable

from tellapart.render.grid import Grid
from tellapart.render.sheet import Sheet

# What TeX acts on, and signs that its text fonts lack.
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "Δ": r"$\Delta$", "±": r"$\pm$", "<": "$<$", ">": "$>$",
    "≤": r"$\le$", "≥": r"$\ge$", "→": r"$\to$", "…": r"\ldots{}", "•": r"\textbullet{}",
}  # fmt: skip
_SIDES = {"left": "l", "right": "r"}


def latex(page: Sheet) -> str:
    tables = [_table(grid) for grid in page.grids]
    return "\n\n".join([*tables, _escape(page.sentence), f"% {page.signature}"]) + "\n"


def _table(grid: Grid) -> str:
    lines = [
        r"\begin{tabular}{" + "".join(_SIDES[column.side] for column in grid.columns) + "}",
        r"\toprule",
        _row(grid.titles),
        r"\midrule",
        *(_row(cell.text for cell in row) for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    """A row that is only a row: after a line end TeX would take `[…]` for a length and `*` for an order."""
    line = " & ".join(map(_escape, cells))
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(char, char) for char in text)
