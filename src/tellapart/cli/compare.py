"""`tellapart compare`: test whether two systems differ on the same items."""

from dataclasses import dataclass, replace

import click

from tellapart.answers.gate_rules import (
    ComparisonFailure,
    ComparisonRequirement,
    check_decision,
    check_groups,
    check_margin,
    check_plan,
    check_slices,
)
from tellapart.cli import flags, output
from tellapart.cli.changed import ChangedFile
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.cli.input import GivenFiles, SliceFlags
from tellapart.foundation.spelling import setting
from tellapart.readers import formats_in_words
from tellapart.verbs.compare import CompareQuestion, comparison
from tellapart.verbs.given_scores import UNGROUPED
from tellapart.verbs.judged_scores import check_judge_options

# The gates of a command: what must be shown for it to exit with 0.


@dataclass(frozen=True)
class GivenGates(ChangedFile):
    require: tuple[ComparisonRequirement, ...] = setting(
        (), "Exit with 1 unless this is shown; several may be given, and all must be."
    )
    fail_on: tuple[ComparisonFailure, ...] = setting(
        (),
        "Exit with 1 on this outcome. Worse: B is shown to be worse; not-better: it is not shown to be better; undetermined: nothing "
        "is shown; drift: with groups, the difference is shown to have changed; deviation: the plan was not kept; worse-in-slice: B is shown to be worse in a slice.",
    )

    def check(self, question: CompareQuestion) -> None:
        """Refuse what cannot be shown as the question is asked, before anything is computed."""
        if "drift" in self.fail_on:
            check_groups(asked=question.by is not None or bool(question.file_labels))
        if "deviation" in self.fail_on:
            check_plan(asked=question.plan is not None or question.of is not None)
        check_slices((*self.require, *self.fail_on), asked=bool(question.slices))
        if question.measure_names:
            check_decision(self.require, self.fail_on, rules=bool(question.rules))
            return
        if not self.require:
            return
        named = question.named_test
        own = None if named is None else question.margin_of(named)
        check_margin(self.require, question.margin if own is None else own)


_HELP = f"""Is system B different from system A on these items?

FILE is a table of scores ({formats_in_words()}; - is standard input): one row per system and item, or one row per item and
one column per system. Several files: one system each, named after the file.

With --labels each file is a group of items, and --by makes groups of a column, to ask whether the difference changed between them.
Files may be gzipped.

A column of raters (who judged) makes it ratings: the answer is then about other raters and items too, or with --raters-as fixed
about these raters only. A column that says the winner, a system or tie, makes it votes: a, b, winner, and perhaps item, rater, first.

Exit codes: 0 answered, 1 a gate (--require, --fail-on) failed, 2 usage, 3 bad data, 4 internal error.
"""


EXAMPLES = (
    "tellapart compare scores.csv --a baseline --b candidate",
    "tellapart compare old.csv new.csv --margin 0.05 --fail-on worse",
)


ESSENTIAL = ("a", "b", "measure", "margin", "effect", "by", "slice", "fail_on", "output")
"""The flags that short help shows."""


@click.command("compare", cls=GroupedCommand, essential=ESSENTIAL, help=_HELP, epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(
    source=GivenFiles, question=CompareQuestion, gates=GivenGates, slicing=SliceFlags, work=flags.LongWorkFlags
)
@output.output_flags("comparison")
def command(
    source: GivenFiles,
    question: CompareQuestion,
    destination: output.Destination,
    gates: GivenGates,
    slicing: SliceFlags,
    work: flags.LongWorkFlags,
) -> int:
    if question.plan is not None:
        question = question.as_planned(flags.typed_options())
        source = source.as_planned(question.plan)
    if slicing.slice:
        question = replace(question, slices=slicing.slice)
    if gates.require or gates.fail_on:
        gates.check(question)
    gates.refuse_unfit(grouped=bool(question.by or question.labels))
    source, question = source.settled(question)
    if work.options:
        question = replace(question, **work.options)
    asked = question.a, question.b
    grouping = question.grouping if question.by or question.labels or question.slices else UNGROUPED
    several = bool(question.better or question.not_worse or question.measures)
    if any((question.human, question.judge, question.strata)):
        check_judge_options(question)
        scores = source.judged_scores(question)
        answer = comparison(scores, question)
    elif several:
        each = source.by_measure(question.measure_names)
        given = {name: one.scores(question.metric, asked, grouping) for name, one in each.items()}
        scores, answer = next(iter(given.values())), comparison(given, question)
    else:
        scores = source.scores(question.metric, asked, grouping)
        answer = comparison(scores, question)
    if (gates.require or gates.fail_on) and not several:
        answer.refuse_other_side(gates.require, gates.fail_on)
    answer = output.show(answer, destination)
    gates.write(scores, answer)
    if lost := flags.exit_code(answer):
        return lost
    if gates.require or gates.fail_on:
        answer.require(*gates.require, fail_on=gates.fail_on)
    return 0
