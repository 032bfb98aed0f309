"""`tellapart compare`: two systems on the same items."""

from typing import Literal

import click

from tellapart.cli.input import input_flags, read_scores
from tellapart.cli.output import format_flag, show
from tellapart.intervals import INTERVALS
from tellapart.significance import TESTS
from tellapart.summaries import Proportion
from tellapart.verbs.compare import compare

_FAILS = {
    "worse": {"a better"},
    "not-better": {"a better", "equivalent", "undetermined"},
    "undetermined": {"undetermined"},
}
_OF_DIFFERENCES = [name for name in INTERVALS if not issubclass(INTERVALS[name].needs, Proportion)]


@click.command("compare")
@input_flags
@click.option("--a", metavar="S", help="System A, the one compared with (default: the first in the file).")
@click.option("--b", metavar="S", help="System B (default: the second).")
@click.option("--test", metavar="T", help=f"A test by its spelling, or all. Tests: {', '.join(TESTS)}.")
@click.option("--interval", metavar="I", help=f"An interval by its spelling: {', '.join(_OF_DIFFERENCES)}.")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Level of the test; intervals are at 1 − alpha.",
)
@click.option(
    "--margin", type=float, help="Differences smaller than this do not matter: ask for equivalence."
)
@click.option("--effect", type=float, help="Ask how many items would detect this effect.")
@click.option(
    "--missing",
    type=click.Choice(["error", "drop"]),
    default="error",
    show_default=True,
    help="Items only one has.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For what is resampled."
)
@format_flag()
@click.option(
    "--fail-on", type=click.Choice(list(_FAILS)), help="Exit with 1 on this verdict, for use as a gate."
)
def command(
    files: tuple[str, ...],
    metric: str,
    measure: str | None,
    lower_is_better: bool,
    cluster: str | None,
    dataset: str | None,
    columns: tuple[str, ...],
    a: str | None,
    b: str | None,
    test: str | None,
    interval: str | None,
    alpha: float,
    margin: float | None,
    effect: float | None,
    missing: Literal["error", "drop"],
    seed: int,
    form: str,
    fail_on: str | None,
) -> int:
    """Is system B different from system A on these items?

    FILE is a table of scores (CSV, TSV, JSONL, each also .gz, Parquet, or - for standard input): one row a system and
    item, or one row an item and one column a system. Several files: one system each, named after the file.

    Exit codes: 0 answered, 1 the gate of --fail-on failed, 2 usage, 3 bad data, 4 internal error.
    """
    scores = read_scores(files, metric, measure, cluster, dataset, columns)
    answer = compare(
        scores, a, b, metric=metric, test=test, interval=interval, alpha=alpha, margin=margin, effect=effect,
        lower_is_better=lower_is_better, missing=missing, seed=seed,
    )  # fmt: skip
    show(answer, form)
    return int(fail_on is not None and answer.verdict in _FAILS[fail_on])
