"""`tellapart store`: list the studies in a store of finished simulations and resamples, or empty it."""

import click

from tellapart.cli import flags, output
from tellapart.verbs.store import contents

EXAMPLES = ("tellapart store study.db", "tellapart store study.db --format json")


@click.command("store", epilog=flags.format_examples(EXAMPLES))
@click.argument("file", metavar="FILE")
@click.option("--forget", is_flag=True, help="Delete all that it holds and free the space.")
@output.output_flags(csv=True)
def command(file: str, forget: bool, destination: output.Destination) -> None:
    """What does a store of finished work hold?

    FILE is what --store of plan, rank, compare, calibrate or reproduce wrote: every study, how many of its replicates (simulated
    evaluations or resamples) are there and how many were wanted, and whether they can be used here, which takes the same versions and
    arithmetic.

    Exit codes: 0 answered, 2 usage, 3 no store, or a damaged one, 4 internal error.
    """
    output.show(contents(file, forget=forget), destination)
