"""`tellapart rank`: many systems on the same items."""

import click

from tellapart.cli.input import input_flags, read_scores
from tellapart.cli.output import format_flag, show
from tellapart.multiplicity import CORRECTIONS
from tellapart.multiplicity.gaps import MISSING, Missing
from tellapart.verbs.rank import rank


@click.command("rank")
@input_flags
@click.option("--baseline", metavar="S", help="Compare all systems with this one only.")
@click.option(
    "--correction",
    metavar="C",
    help=f"For many comparisons (default: max_t): {', '.join(CORRECTIONS)}; max_t(resampling=bootstrap) draws items again.",
)
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Level of all statements together.",
)
@click.option(
    "--resamples",
    type=int,
    metavar="N",
    help="Joint sign flips (default: 10000, or as many more as a correction of single p-values needs).",
)
@click.option("--datasets", is_flag=True, help="Also each dataset alone, and the systems across datasets.")
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    default="error",
    show_default=True,
    help="Gaps: name them, drop systems lacking more than 20 % and then items, or compare each pair on what it shares.",
)
@click.option("--gap", type=float, help="The true difference that 'what more items would buy' should assume.")
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="For what is resampled."
)
@format_flag()
def command(
    files: tuple[str, ...],
    metric: str,
    measure: str | None,
    lower_is_better: bool,
    cluster: str | None,
    dataset: str | None,
    columns: tuple[str, ...],
    baseline: str | None,
    correction: str | None,
    alpha: float,
    resamples: int | None,
    datasets: bool,
    missing: Missing,
    gap: float | None,
    seed: int,
    form: str,
) -> None:
    """Which of many systems do these items tell apart?

    Every rank comes with the ranks that cannot be excluded; systems share a tier unless one is significantly worse than a system
    of it; and all statements hold together with probability 1 − alpha. FILE is a table of scores as for compare.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    scores = read_scores(files, metric, measure, cluster, dataset, columns)
    answer = rank(
        scores, metric=metric, baseline=baseline, correction=correction, alpha=alpha, resamples=resamples, datasets=datasets,
        missing=missing, gap=gap, seed=seed, lower_is_better=lower_is_better,
    )  # fmt: skip
    show(answer, form)
