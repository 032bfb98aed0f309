"""For a pull request, an issue or a report: GitHub's Markdown."""

import re
from collections.abc import Iterable

from tellapart.render.drawing import drawn
from tellapart.render.grid import Grid
from tellapart.render.sheet import Sheet

_RULES = {"left": " --- ", "right": " ---: "}


def markdown(page: Sheet) -> str:
    blocks = [f"**{_escape(page.headline)}**", *(_table(g) for g in page.grids)]
    blocks += ["\n".join(["```", *drawn(figure), "```"]) for figure in page.figures]
    if page.facts:
        blocks.append("\n".join(f"- {name}: {_escape(value)}" for name, value in page.facts))
    blocks += [
        "\n".join([f"{heading}:", "", *(f"- {_escape(line)}" for line in lines)])
        for heading, lines in page.remarks
        if lines
    ]
    blocks += ["\n".join(f"> {_escape(line)}" for line in page.sentence.splitlines()), _code(page.signature)]
    return "\n\n".join(blocks) + "\n"


def _table(grid: Grid) -> str:
    caption = [f"{_escape(grid.caption)}:", ""] if grid.caption else []
    rule = "|" + "|".join(_RULES[column.side] for column in grid.columns) + "|"
    rows = [_row(cell.text for cell in row) for row in grid.rows]
    return "\n".join([*caption, _row(grid.titles), rule, *rows])


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escape, cells)) + " |"


def _code(text: str) -> str:
    """As it stands, between more backticks than it holds in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _escape(text: str) -> str:
    """System names may hold what Markdown takes for markup, for an entity, or GitHub for a formula."""
    # The backslash comes first: after the others it would escape the ones put before them.
    for mark in "\\|*_`<[&$~":
        text = text.replace(mark, "\\" + mark)
    return text
