"""`tellapart formats`: list the log and table formats that can be read."""

import click

from tellapart.cli import flags, output
from tellapart.verbs.describe import known_formats

EXAMPLES = ("tellapart formats", "tellapart formats --format json")


@click.command("formats", epilog=flags.format_examples(EXAMPLES))
@output.output_flags(csv=True)
def command(destination: output.Destination) -> None:
    """What can be read?

    Every format with who writes it, what an item is, and what can be picked with --where.
    """
    output.show(known_formats(), destination)
