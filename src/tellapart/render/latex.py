"""LaTeX for a paper: booktabs tables and the result sentence, with every special character escaped."""

import re
from collections.abc import Iterable

from tellapart.answers.page import Grid, Page

# What TeX acts on, what it joins to another sign, and signs that its text fonts lack.
_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "|": r"\textbar{}", "`": r"\textasciigrave{}", '"': "{''}",
    "<": "$<$", ">": "$>$", "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\le$", "≥": r"$\ge$", "≈": r"$\approx$",
    "→": r"$\to$", "√": r"$\surd$", "∞": r"$\infty$", "²": "$^2$", "·": r"$\cdot$", "…": r"\ldots{}", "•": r"\textbullet{}",
    "–": "--", "—": "---", "“": "``", "”": "''", "’": "'", "‘": "`",
    "Δ": r"$\Delta$", "α": r"$\alpha$", "κ": r"$\kappa$", "ρ": r"$\rho$", "τ": r"$\tau$", "χ": r"$\chi$", "σ": r"$\sigma$", "ν": r"$\nu$",
}  # fmt: skip
_JOINED = re.compile(r"(?<=-)(?=-)|(?<=[?!'])(?=')|(?<=<)(?=<)|(?<=>)(?=>)|(?<=,)(?=,)")
"""Between signs of which TeX would make one, such as the two of --."""
NEEDS = "% \\usepackage{booktabs}; names beyond Latin letters want LuaLaTeX or XeLaTeX and a font that has them"
_SIDES = {"left": "l", "right": "r"}


def latex(page: Page) -> str:
    tables = [_latex_table(grid) for grid in page.grids]
    return "\n\n".join([NEEDS, *tables, _latex_escape(page.sentence), f"% {page.signature}"]) + "\n"


def _latex_table(grid: Grid) -> str:
    lines = [
        *([f"% {grid.caption}"] if grid.caption else []),
        r"\begin{tabular}{" + "".join(_SIDES[column.side] for column in grid.columns) + "}",
        r"\toprule",
        _latex_row(grid.titles),
        r"\midrule",
        *(_latex_row(cell.text for cell in row) for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _latex_row(cells: Iterable[str]) -> str:
    """A row that is only a row: after a line end TeX would take `[…]` for a length and `*` for an order."""
    line = " & ".join(map(_latex_escape, cells))
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def _latex_escape(text: str) -> str:
    parted = "\0".join(_JOINED.split(text))
    return "".join("{}" if char == "\0" else _SPECIAL.get(char, char) for char in parted)
