"""`tellapart rank`: many systems on the same items."""

from dataclasses import dataclass

import click

from tellapart.cli.flags import taking
from tellapart.cli.input import Source
from tellapart.cli.output import format_flag, show
from tellapart.multiplicity import CORRECTIONS
from tellapart.multiplicity.gaps import Missing
from tellapart.spelling import setting
from tellapart.verbs.judged import Judged
from tellapart.verbs.rank import rank


@dataclass(frozen=True)
class RankQuestion(Judged):
    """What is asked about the systems."""

    baseline: str | None = setting(None, "Compare all systems with this one only.", metavar="S")
    correction: str | None = setting(
        None,
        f"For many comparisons (default: max_t): {', '.join(CORRECTIONS)}; max_t(resampling=bootstrap) draws items again.",
        metavar="C",
    )
    resamples: int | None = setting(
        None,
        "Joint sign flips (default: 10000, or as many more as a correction of single p-values needs).",
        metavar="N",
    )
    datasets: bool = setting(default=False, help="Also each dataset alone, and the systems across datasets.")
    missing: Missing = setting(
        "error",
        "Gaps: name them, drop systems lacking more than 20 % and then items, or compare each pair on what it shares.",
    )
    gap: float | None = setting(None, "The true difference that 'what more items would buy' should assume.")


@click.command("rank")
@taking("source", Source)
@taking("question", RankQuestion)
@format_flag("csv")
def command(source: Source, question: RankQuestion, form: str) -> None:
    """Which of many systems do these items tell apart?

    Every rank comes with the ranks that cannot be excluded; systems share a tier unless one is significantly worse than a system
    of it; and all statements hold together with probability 1 − alpha. FILE is a table of scores as for compare.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    answer = rank(source.scores(question.metric), **vars(question))
    show(answer, form)
