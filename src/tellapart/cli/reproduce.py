"""`tellapart reproduce`: recompute published tables of power and sample size and compare the numbers."""

import click

from tellapart.cli import flags, output
from tellapart.studies.reproduction import reproduce, sources

_NAMES = "\b\nTables:\n" + "\n".join(f"  {name}" for name in sources())


EXAMPLES = ("tellapart reproduce", "tellapart reproduce retrieval-pairing --format json")


@click.command("reproduce", epilog=f"{_NAMES}\n\n{flags.format_examples(EXAMPLES)}")
@click.argument("name", required=False)
@click.option(
    "--replicates",
    type=click.IntRange(min=100),
    default=10_000,
    show_default=True,
    help="Simulated evaluations per cell, for tables that were simulated.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the simulation.")
@click.option("--data", metavar="DIR", help="Folder of the real data (default: next to the checkout).")
@flags.question_flags(work=flags.LongWorkFlags)
@output.output_flags("reproduction")
def command(
    name: str | None,
    replicates: int,
    seed: int,
    data: str | None,
    work: flags.LongWorkFlags,
    destination: output.Destination,
) -> int:
    """Do published tables of power and sample size hold?

    Every number that a document prints beside ours, with the range that rounding and its own simulation leave, a verdict and, where
    it is wrong, the reason. NAME is a table or a document (the first word of its tables). All take about half a minute.

    Exit codes: 0 all agree or are known to be wrong, 1 a number differs and nobody knows why, 2 usage, 4 internal error.
    """
    answer = reproduce(name, seed=seed, replicates=replicates, data=data, **work.options)
    output.show(answer, destination)
    return flags.exit_code(answer) or int(bool(answer.failures))
