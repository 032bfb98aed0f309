"""`tellapart formats`: what can be read."""

import click

from tellapart.cli.examples import examples
from tellapart.cli.output import format_flag, show
from tellapart.verbs.describe import known_formats

EXAMPLES = ("tellapart formats", "tellapart formats --format json")


@click.command("formats", epilog=examples(EXAMPLES))
@format_flag("csv")
def command(form: str) -> None:
    """What can be read?

    Every format with who writes it, what an item is, and what can be picked with --where.
    """
    show(known_formats(), form)
