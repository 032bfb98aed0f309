"""`tellapart calibrate`: measure error rates and coverage of the default tests and intervals."""

from pathlib import Path

import click

from tellapart.cli import flags, output
from tellapart.cli.streams import say
from tellapart.foundation.files import refuse_unwritable
from tellapart.foundation.formatting import shown
from tellapart.render import render
from tellapart.studies.calibration import calibrate

FILES = {"calibration.md": "markdown", "calibration.json": "json"}

EXAMPLES = ("tellapart calibrate --scale 0.1", "tellapart calibrate --seed 1 --folder docs")


@click.command("calibrate", epilog=flags.format_examples(EXAMPLES))
@click.option(
    "--scale", type=float, default=1.0, show_default=True, help="Multiplies the number of simulated evaluations."
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the simulation.")
@click.option(
    "--folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write calibration.md and calibration.json to this folder.",
)
@flags.question_flags(work=flags.LongWorkFlags)
@output.output_flags("calibration")
def command(
    scale: float, seed: int, folder: Path | None, work: flags.LongWorkFlags, destination: output.Destination
) -> int:
    """Do the default tests and intervals keep what they promise?

    Runs every default over sizes, ties, skew, zeros, clusters and shares of differing items: how often it rejects without an effect
    (size), finds one (power), and how often its interval holds the truth (coverage), each with its 99.9 % band. Known failures are
    shown. At scale 1 it takes a few minutes.

    Exit codes: 0 every default holds or is known to fail, 1 one fails and nobody knows why, 2 usage, 4 internal error.
    """
    written = {} if folder is None else {folder / name: kind for name, kind in FILES.items()}
    for path in written:
        refuse_unwritable(path)
    answer = calibrate(scale, seed=seed, **work.options)
    if answer.partial and folder is not None:
        say(f"the calibration is partial, so nothing was written to {shown(str(folder))}")
        written = {}
    for path, kind in written.items():
        output.write_file(path, render(answer, kind))
    output.show(answer, destination)
    return flags.exit_code(answer) or int(bool(answer.failures))
