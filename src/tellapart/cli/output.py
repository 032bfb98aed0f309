"""The flag about output that every command shares, and the calls that print."""

import io
import os
import sys
from typing import TextIO

import click

from tellapart.cli.flags import Decorator, stacked
from tellapart.cli.interrupts import Interrupts
from tellapart.cli.streams import put, say
from tellapart.doors import spelled
from tellapart.render import FORMATS, ROWS_ONLY, render
from tellapart.render.csv import csv
from tellapart.render.screen import PAPER, WIDEST, Screen
from tellapart.results.answer import Answer
from tellapart.results.bad_row import BadRow
from tellapart.wording import shown
from tellapart.words import tell

RAW_CSV = "tellapart.raw_csv"


def format_flag(*also: str) -> Decorator:
    """`--format`, with the formats every answer has and those that only some have."""
    forms = [*(name for name in FORMATS if name not in ROWS_ONLY), *also]
    flag = click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default="text",
        show_default=True,
        help="How to print the answer.",
    )
    return stacked([flag, _raw_csv_flag()]) if "csv" in also else flag


def _raw_csv_flag() -> Decorator:
    def keep(ctx: click.Context, _: click.Parameter, raw: bool) -> None:
        ctx.meta[RAW_CSV] = raw or ctx.meta.get(RAW_CSV, False)

    return click.option(
        "--raw-csv",
        is_flag=True,
        expose_value=False,
        callback=keep,
        help="In CSV, put no apostrophe before texts that a spreadsheet would run as a formula.",
    )


def show(answer: Answer, form: str) -> None:
    """Print an answer on stdout, fitted to the terminal where a person reads it."""
    interrupts, partial = (
        click.get_current_context().find_object(Interrupts),
        getattr(answer, "partial", False),
    )
    if interrupts is not None and interrupts.which is not None and not partial:
        # An interrupt that was lost on its way, as in the code of a library: what came after it is not to be trusted.
        raise KeyboardInterrupt
    told = tell(answer, "command line")
    raw = form == "csv" and click.get_current_context().meta.get(RAW_CSV, False)
    page = csv(told, raw=True) if raw else render(told, form, screen_of(sys.stdout))
    if isinstance(sys.stdout, io.TextIOWrapper):
        page = _encodable(page, form, sys.stdout)
    put(page)
    if interrupts is not None:
        interrupts.printed = f"the answer that was printed is {'partial' if partial else 'whole'}"


def say_bad_rows(file: str | None, rows: tuple[BadRow, ...]) -> None:
    """Name on stderr the rows of a file that could not be used, and why."""
    for row in rows:
        say(shown(f"{file}, line {row.line}: {spelled(row.problem, 'command line')}"))


def screen_of(stream: TextIO) -> Screen:
    """The terminal behind a stream, in colour unless told not to (no-color.org), or paper."""
    if not stream.isatty():
        return PAPER
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Screen(min(WIDEST, _columns(stream)), color=not plain, terminal=True)


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDEST
    except OSError:
        return WIDEST


def _encodable(page: str, form: str, out: io.TextIOWrapper) -> str:
    """What the stream can hold: JSON is UTF-8 by its standard, and elsewhere a minus must stay one."""
    if form == "json":
        out.reconfigure(encoding="utf-8")
        return page
    try:
        page.encode(out.encoding)
    except UnicodeEncodeError:
        out.reconfigure(errors="backslashreplace")
        return page.replace("−", "-").replace("Δ", "Delta")
    return page
