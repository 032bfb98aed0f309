"""`tellapart compare`: two systems on the same items."""

from dataclasses import dataclass, replace
from typing import Any

import click

from tellapart.answers.gate.rules import (
    ComparisonFailure,
    Requirement,
    check_groups,
    check_margin,
    check_plan,
)
from tellapart.answers.texts import add_text
from tellapart.cli.charts import chart_flag
from tellapart.cli.flags import examples, given, taking
from tellapart.cli.input import GivenFiles
from tellapart.cli.output import Destination, page_flags, show
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import spell_marks
from tellapart.readers import formats_in_words
from tellapart.verbs.compare import CompareQuestion, comparison
from tellapart.verbs.given_scores import UNGROUPED
from tellapart.verbs.work_options import LIMIT, MIXED, STORE, WORKERS

# The gates of a command: what must be shown for it to exit with 0.


@dataclass(frozen=True)
class GivenGates(Question):
    require: tuple[Requirement, ...] = setting(
        (), "Exit with 1 unless this is shown; several may be given, and all must be."
    )
    fail_on: tuple[ComparisonFailure, ...] = setting(
        (),
        "Exit with 1 if B is shown to be worse, is not shown to be better, nothing is shown, (with groups) the difference is shown "
        "to have changed, or (with a plan) it was not kept.",
    )

    def check(self, question: CompareQuestion) -> None:
        """Refuse what cannot be shown as the question is asked, before anything is computed."""
        if "drift" in self.fail_on:
            check_groups(asked=question.by is not None or bool(question.file_labels))
        if "deviation" in self.fail_on:
            check_plan(asked=question.plan is not None)
        if not self.require:
            return
        named = question.named_test
        own = None if named is None else question.margin_of(named)
        check_margin(self.require, question.margin if own is None else own)


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
@click.option("--workers", metavar="W", help=spell_marks(WORKERS, "command line"))
@click.option("--mixed", is_flag=True, help=spell_marks(MIXED, "command line"))
@click.option("--store", metavar="FILE", help=spell_marks(STORE, "command line"))
@click.option("--time-limit", metavar="TIME", help=spell_marks(LIMIT, "command line"))
@page_flags()
@chart_flag("comparison")
def command(
    source: GivenFiles,
    question: CompareQuestion,
    destination: Destination,
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
    show(answer, destination)
    if answer.partial:
        from tellapart.cli.flags import ended  # noqa: PLC0415  (most comparisons are whole)

        if lost := ended(answer):
            return lost
    if "deviation" in gates.fail_on:
        answer = add_text(answer, "command line")
    answer.require(*gates.require, fail_on=gates.fail_on)
    return 0
