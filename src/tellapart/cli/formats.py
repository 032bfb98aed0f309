"""`tellapart formats`: what can be read."""

import click

from tellapart.cli.flags import examples
from tellapart.cli.output import Destination, page_flags, show
from tellapart.verbs.describe import known_formats

EXAMPLES = ("tellapart formats", "tellapart formats --format json")


@click.command("formats", epilog=examples(EXAMPLES))
@page_flags("csv")
def command(destination: Destination) -> None:
    """What can be read?

    Every format with who writes it, what an item is, and what can be picked with --where.
    """
    show(known_formats(), destination)
