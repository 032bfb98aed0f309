"""`tellapart compare`: two systems on the same items."""

from dataclasses import dataclass

import click

from tellapart.cli.flags import flag, seed_flag, taking
from tellapart.cli.input import Input, Sides
from tellapart.cli.output import format_flag, show
from tellapart.intervals import INTERVALS
from tellapart.significance import TESTS
from tellapart.verbs.compare import compare

_FAILS = {
    "worse": {"a better"},
    "not-better": {"a better", "equivalent", "undetermined"},
    "undetermined": {"undetermined"},
}
_OF_DIFFERENCES = [name for name in INTERVALS if INTERVALS.parse(name).needs.systems == 2]


@dataclass(frozen=True)
class Question:
    """What is asked about the two systems."""

    test: str | None = flag(f"A test by its spelling, or all. Tests: {', '.join(TESTS)}.", metavar="T")
    interval: str | None = flag(f"An interval by its spelling: {', '.join(_OF_DIFFERENCES)}.", metavar="I")
    alpha: float = flag("Level of the test; intervals are at 1 − alpha.", 0.05)
    margin: float | None = flag("Differences smaller than this do not matter: ask for equivalence.")
    effect: float | None = flag("Ask how many items would detect this effect.")
    seed: int = seed_flag("For what is resampled.")


@click.command("compare")
@taking("sides", Sides)
@taking("source", Input)
@taking("question", Question)
@format_flag()
@click.option(
    "--fail-on", type=click.Choice(list(_FAILS)), help="Exit with 1 on this verdict, for use as a gate."
)
def command(sides: Sides, source: Input, question: Question, form: str, fail_on: str | None) -> int:
    """Is system B different from system A on these items?

    FILE is a table of scores (CSV, TSV, JSON, each also .gz, Parquet, or - for standard input): one row a system and
    item, or one row an item and one column a system. Several files: one system each, named after the file.

    Exit codes: 0 answered, 1 the gate of --fail-on failed, 2 usage, 3 bad data, 4 internal error.
    """
    answer = compare(
        source.scores(sides.a, sides.b),
        metric=source.metric,
        lower_is_better=source.lower_is_better,
        **vars(sides),
        **vars(question),
    )
    show(answer, form)
    return int(fail_on is not None and answer.verdict in _FAILS[fail_on])
