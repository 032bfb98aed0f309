"""`tellapart compare`: two systems on the same items."""

from dataclasses import replace
from typing import Any

import click

from tellapart.cli.charts import chart_flag
from tellapart.cli.examples import examples
from tellapart.cli.flags import given, taking
from tellapart.cli.gates import GivenGates
from tellapart.cli.input import GivenFiles
from tellapart.cli.output import Page, page_flags, show
from tellapart.doors import spelled
from tellapart.readers import formats_in_words
from tellapart.verbs.compare import CompareQuestion, comparison
from tellapart.verbs.given_scores import UNGROUPED
from tellapart.verbs.worked import LIMIT, MIXED, STORE, WORKERS
from tellapart.words import tell

_HELP = f"""Is system B different from system A on these items?

FILE is a table of scores ({formats_in_words()}, gzipped or not, or - for standard input): one row per system and item, or
one row per item and one column per system. Several files: one system each, named after the file; with --labels one group of
items each, and --by makes groups of a column, to ask whether the difference changed between them.

A column of raters (who judged) makes it ratings: the answer is then about other raters and items too, or with --raters-as fixed
about these raters only. A column that says the winner, a system or tie, makes it votes: a, b, winner, and perhaps item, rater, first.

Exit codes: 0 answered, 1 a gate (--require, --fail-on) failed, 2 usage, 3 bad data, 4 internal error.
"""


EXAMPLES = (
    "tellapart compare scores.csv --a baseline --b candidate",
    "tellapart compare old.csv new.csv --margin 0.05 --fail-on worse",
)


@click.command("compare", help=_HELP, epilog=examples(EXAMPLES))
@taking(source=GivenFiles, question=CompareQuestion, gates=GivenGates)
@click.option("--workers", metavar="W", help=spelled(WORKERS, "command line"))
@click.option("--mixed", is_flag=True, help=spelled(MIXED, "command line"))
@click.option("--store", metavar="FILE", help=spelled(STORE, "command line"))
@click.option("--time-limit", metavar="TIME", help=spelled(LIMIT, "command line"))
@page_flags()
@chart_flag("comparison")
def command(
    source: GivenFiles,
    question: CompareQuestion,
    page: Page,
    gates: GivenGates,
    **work: Any,
) -> int:
    if question.plan is not None:
        question = question.as_planned(given())
        source = source.as_planned(question.plan)
    if gates.require or gates.fail_on:
        gates.check(question)
    source, question = source.settled(question)
    # Most comparisons take no time, and say nothing of this.
    if any(work.values()):
        question = replace(question, executor=work.pop("workers"), **work)
    asked = question.a, question.b
    grouping = question.grouping if question.by or question.labels else UNGROUPED
    answer = comparison(source.scores(question.metric, asked, grouping), question)
    if gates.require or gates.fail_on:
        answer.refuse_other_side(gates.require, gates.fail_on)
    show(answer, page)
    if answer.partial:
        from tellapart.cli.hands import ended  # noqa: PLC0415  (most comparisons are whole)

        if lost := ended(answer):
            return lost
    if "deviation" in gates.fail_on:
        answer = tell(answer, "command line")
    answer.require(*gates.require, fail_on=gates.fail_on)
    return 0
