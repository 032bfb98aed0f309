"""`tellapart rank`: many systems on the same items."""

from dataclasses import dataclass

import click

from tellapart.cli.flags import flag, seed_flag, taking
from tellapart.cli.input import Input
from tellapart.cli.output import format_flag, show
from tellapart.multiplicity import CORRECTIONS
from tellapart.multiplicity.gaps import Missing
from tellapart.verbs.rank import rank


@dataclass(frozen=True)
class Question:
    """What is asked about the systems."""

    baseline: str | None = flag("Compare all systems with this one only.", metavar="S")
    correction: str | None = flag(
        f"For many comparisons (default: max_t): {', '.join(CORRECTIONS)}; max_t(resampling=bootstrap) draws items again.",
        metavar="C",
    )
    alpha: float = flag("Level of all statements together.", 0.05)
    resamples: int | None = flag(
        "Joint sign flips (default: 10000, or as many more as a correction of single p-values needs).",
        metavar="N",
    )
    datasets: bool = flag("Also each dataset alone, and the systems across datasets.", default=False)
    missing: Missing = flag(  # noqa: RUF009  (a field, made by flag)
        "Gaps: name them, drop systems lacking more than 20 % and then items, or compare each pair on what it shares.",
        "error",
    )
    gap: float | None = flag("The true difference that 'what more items would buy' should assume.")
    seed: int = seed_flag("For what is resampled.")


@click.command("rank")
@taking("source", Input)
@taking("question", Question)
@format_flag("csv")
def command(source: Input, question: Question, form: str) -> None:
    """Which of many systems do these items tell apart?

    Every rank comes with the ranks that cannot be excluded; systems share a tier unless one is significantly worse than a system
    of it; and all statements hold together with probability 1 − alpha. FILE is a table of scores as for compare.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    answer = rank(
        source.scores(), metric=source.metric, lower_is_better=source.lower_is_better, **vars(question)
    )
    show(answer, form)
