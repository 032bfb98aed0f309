"""GitHub Markdown for a pull request, an issue or a report: a summary, with details to expand."""

import re
from collections.abc import Iterable
from dataclasses import replace

from tellapart.answers.page import Grid, Page
from tellapart.render.screen import with_command

_RULES = {"left": " --- ", "right": " ---: "}

MOST_ROWS = 20
"""Rows of a table that are seen at once; the others open."""


def markdown(page: Page) -> str:
    """The headline, tables and the sentence to quote at once, the rest to be opened; a document shows all that it has."""
    quoted = "\n".join(f"> {_markdown_escape(line)}" for line in page.sentence.splitlines())
    tables = [block for grid in page.grids for block in _markdown_blocks(grid, whole=page.document)]
    tables += [
        block
        for grid in page.folded
        for block in _markdown_folded(_markdown_escape(grid.caption), [_markdown_table(replace(grid, caption=""))])
    ]
    rest = [*_markdown_rest(page), _code(page.signature)]
    shown = [*rest[:-1], quoted, rest[-1]] if page.document else [quoted, *_markdown_folded("Numbers and notes", rest)]
    first = [f"**{_markdown_escape(page.headline)}**", *([_markdown_escape(page.finding)] if page.finding else [])]
    if steps := page.next_steps:
        first.append("\n".join(["Next:", "", *(f"- {_markdown_remark(step)}" for step in steps)]))
    return "\n\n".join([*first, *tables, *shown]) + "\n"


def _markdown_rest(page: Page) -> list[str]:
    facts = ["\n".join(f"- {name}: {_markdown_escape(value)}" for name, value in page.facts)] if page.facts else []
    remarks = [
        "\n".join([f"{heading}:", "", *(f"- {_markdown_remark(line)}" for line in lines)])
        for heading, lines in page.remarks
        if lines
    ]
    return [*facts, *remarks]


def _markdown_remark(remark: str) -> str:
    said, command = with_command(remark)
    return " ".join([*([_markdown_escape(said)] if said else []), *([_code(command)] if command else [])])


def _markdown_blocks(grid: Grid, *, whole: bool) -> list[str]:
    """A table, in two parts where it is long: what would bury a comment opens on demand."""
    more = len(grid.rows) - MOST_ROWS
    if whole or more <= 0:
        return [_markdown_table(grid)]
    first, others = (replace(grid, rows=rows) for rows in (grid.rows[:MOST_ROWS], grid.rows[MOST_ROWS:]))
    return [
        _markdown_table(first),
        *_markdown_folded(f"{more:,} more rows", [_markdown_table(replace(others, caption=""))]),
    ]


def _markdown_folded(summary: str, blocks: list[str]) -> list[str]:
    """Blocks that open; the attribute is for programs other than GitHub, which read no Markdown in HTML without it."""
    return [f'<details markdown="1"><summary>{summary}</summary>', *blocks, "</details>"]


def _markdown_table(grid: Grid) -> str:
    caption = [f"{_markdown_escape(grid.caption)}:", ""] if grid.caption else []
    rule = "|" + "|".join(_RULES[column.side] for column in grid.columns) + "|"
    rows = [_markdown_row(cell.text for cell in row) for row in grid.rows]
    return "\n".join([*caption, _markdown_row(grid.titles), rule, *rows])


def _markdown_row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(map(_markdown_escape, cells)) + " |"


def _code(text: str) -> str:
    """As it stands, between more backticks than it holds in a row."""
    fence = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{text}{blank}{fence}"


def _markdown_escape(text: str) -> str:
    """System names may hold what Markdown takes for markup, for an entity, or GitHub for a formula."""
    # The backslash comes first: after the others it would escape the ones put before them.
    for mark in "\\|*_`<[&$~":
        text = text.replace(mark, "\\" + mark)
    return text
