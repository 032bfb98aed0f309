"""The flag about output that every command shares, and the one call that prints."""

import io
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from tellapart.render import FORMATS, ROWS_ONLY, render
from tellapart.results.answer import Answer

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def format_flag(*also: str) -> Decorator:
    """`--format`, with the formats every answer has and those that only some have."""
    forms = [*(name for name in FORMATS if name not in ROWS_ONLY), *also]
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default="text",
        show_default=True,
        help="How to print the answer.",
    )


def show(answer: Answer, form: str) -> None:
    """Print an answer on stdout, in colour only where a person reads it."""
    page = render(answer, form, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ)
    if isinstance(sys.stdout, io.TextIOWrapper):
        page = _encodable(page, form, sys.stdout)
    click.echo(page, nl=False)


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
