"""For a pull request, an issue or a report: GitHub's Markdown."""

from tellapart.render.sheet import Grid, Sheet

WORDS = {"verdict, reason"}
"""Columns of sentences; the others hold numbers, or words as short."""


def markdown(page: Sheet) -> str:
    blocks = [f"**{_escape(page.headline)}**", *(_table(g) for g in page.grids)]
    if page.drawing:
        blocks.append(f"```\n{page.drawing.rstrip()}\n```")
    if page.facts:
        blocks.append("\n".join(f"- {name}: {_escape(value)}" for name, value in page.facts))
    blocks += [
        "\n".join([f"{heading}:", "", *(f"- {_escape(line)}" for line in lines)])
        for heading, lines in page.remarks
        if lines
    ]
    blocks += ["\n".join(f"> {_escape(line)}" for line in page.sentence.splitlines()), f"`{page.signature}`"]
    return "\n\n".join(blocks) + "\n"


def _table(grid: Grid) -> str:
    head = "| " + " | ".join(map(_escape, grid.columns)) + " |"
    rule = (
        "|"
        + "|".join(" --- " if i == 0 or name in WORDS else " ---: " for i, name in enumerate(grid.columns))
        + "|"
    )
    rows = ["| " + " | ".join(map(_escape, row)) + " |" for row in grid.rows]
    return "\n".join([*([f"{_escape(grid.caption)}:", ""] if grid.caption else []), head, rule, *rows])


def _escape(text: str) -> str:
    """System names may hold what Markdown takes for markup."""
    for mark in "\\|*_`<[":
        text = text.replace(mark, "\\" + mark)
    return text.replace("\n", " ")
