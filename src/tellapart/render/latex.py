"""For a paper: booktabs tables and the sentence, with every special character escaped."""

from tellapart.render.sheet import Grid, Sheet

_SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "Δ": r"$\Delta$", "±": r"$\pm$", "<": "$<$", ">": "$>$",
    "≤": r"$\le$", "≥": r"$\ge$", "→": r"$\to$", "…": r"\ldots{}", "•": r"\textbullet{}",
}  # fmt: skip


def latex(page: Sheet) -> str:
    tables = [_table(grid) for grid in page.grids]
    return "\n\n".join([*tables, _escape(page.sentence), f"% {page.signature}"]) + "\n"


def _table(grid: Grid) -> str:
    lines = [
        r"\begin{tabular}{l" + "r" * (len(grid.columns) - 1) + "}",
        r"\toprule",
        _row(grid.columns),
        r"\midrule",
        *(_row(row) for row in grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    return "\n".join(lines)


def _row(cells: tuple[str, ...]) -> str:
    return " & ".join(map(_escape, cells)) + r" \\"


def _escape(text: str) -> str:
    return "".join(_SPECIAL.get(char, char) for char in text)
