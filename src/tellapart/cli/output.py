"""The flag about output that every command shares, and the one call that prints."""

import os
import sys

import click

from tellapart.render import FORMATS, render
from tellapart.results import Answer

format_flag = click.option(
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="How to print the answer.",
)


def show(answer: Answer, form: str) -> None:
    """Print an answer on stdout, in colour only where a person reads it."""
    click.echo(render(answer, form, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ), nl=False)
