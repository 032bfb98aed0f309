"""`tellapart calibrate`: error rates of the defaults, measured."""

from pathlib import Path

import click

from tellapart.calibration import calibrate
from tellapart.cli.examples import examples
from tellapart.cli.output import format_flag, show
from tellapart.errors import UsageError
from tellapart.render import render

EXAMPLES = ("tellapart calibrate --scale 0.1", "tellapart calibrate --seed 1 --output docs")


@click.command("calibrate", epilog=examples(EXAMPLES))
@click.option(
    "--scale", type=float, default=1.0, show_default=True, help="Times as many simulated evaluations."
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For what is simulated."
)
@click.option(
    "--output",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Also write calibration.md and calibration.json there.",
)
@format_flag()
def command(scale: float, seed: int, output: Path | None, form: str) -> int:
    """Do the default tests and intervals keep what they promise?

    Runs every default over sizes, ties, skew, zeros, clusters and shares of differing items: how often it rejects without an effect
    (size), finds one (power), and how often its interval holds the truth (coverage), each with its 99.9 % band. Known failures are
    shown. At scale 1 it takes a few minutes.

    Exit codes: 0 every default holds or is known to fail, 1 one fails and nobody knows why, 2 usage, 4 internal error.
    """
    if output is not None:
        _make(output)
    answer = calibrate(scale, seed=seed)
    show(answer, form)
    if output is not None:
        for name, kind in (("calibration.md", "markdown"), ("calibration.json", "json")):
            (output / name).write_text(render(answer, kind), encoding="utf-8")
    return int(bool(answer.failures))


def _make(folder: Path) -> None:
    """Before minutes are spent on what could not be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--output {folder} cannot be made ({error.strerror or error})") from None
