"""For a person at a terminal: rich tables, colour only where there is a terminal to show it."""

import io
import shutil

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from tellapart.render.sheet import Grid, Sheet

_STYLES = {"good": "bold green", "bad": "bold red", "even": "bold cyan", "open": "bold yellow"}
WIDTH = 110
"""Columns of a page; fewer where a narrower terminal shows it."""
WORDS = {"method", "verdict, reason"}
"""Columns that hold words; the others hold numbers."""


def text(page: Sheet, *, color: bool) -> str:
    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=color,
        color_system="standard" if color else None,
        width=min(WIDTH, shutil.get_terminal_size((WIDTH, 0)).columns) if color else WIDTH,
        highlight=False,
    )
    console.print(Text(page.headline, style=_STYLES[page.mood]))
    for grid in page.grids:
        console.print()
        console.print(_table(grid))
    if page.drawing:
        console.print()
        console.print(page.drawing, markup=False)
    _print_facts(console, page.facts)
    for heading, lines in page.remarks:
        _print_remarks(console, heading, lines)
    console.print()
    console.print(Text("To quote", style="bold"))
    console.print(Padding(Text(page.sentence), (0, 2)))
    console.print()
    console.print(Text(page.signature, style="dim"), soft_wrap=True)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def _table(grid: Grid) -> Table:
    table = Table(
        title=grid.caption or None,
        title_justify="left",
        title_style="bold",
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for i, name in enumerate(grid.columns):
        table.add_column(name, justify="left" if i == 0 or name in WORDS else "right", overflow="fold")
    for row in grid.rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def _print_facts(console: Console, facts: tuple[tuple[str, str], ...]) -> None:
    if not facts:
        return
    table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(name, Text(value))
    console.print()
    console.print(table)


def _print_remarks(console: Console, heading: str, lines: tuple[str, ...]) -> None:
    if lines:
        console.print()
        console.print(Text(heading, style="bold"))
        bullets = Table.grid(padding=(0, 1))
        for line in lines:
            bullets.add_row(Text("•"), Text(line))
        console.print(Padding(bullets, (0, 2)))
