"""`tellapart gate`: pass or fail a change by its comparison with the baseline, for CI."""

import os
import secrets
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from tellapart.answers.gate import Gate, GateFailure, GateRequirement
from tellapart.answers.gate_rules import check_plan, check_slices
from tellapart.answers.watch import Watch
from tellapart.cli import flags, output
from tellapart.cli.changed import ChangedFile
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.cli.input import GivenFiles, SliceFlags
from tellapart.cli.streams import say
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.spelling import setting
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.assembly import Read
from tellapart.readers.tables.sides import read_sides
from tellapart.render import render
from tellapart.render.junit import junit
from tellapart.verbs.gate import GateQuestion, gated
from tellapart.verbs.judged_scores import check_judge_options, read_judged

# What GitHub Actions shows of a gate: a summary of the job, outputs for later steps, one annotation.

SUMMARY, OUTPUT = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"


def append_summary(answer: Gate | Watch, fields: tuple[str, ...]) -> None:
    """Markdown for the page of the job, and these fields for later steps; what else was written there stays."""
    _append(SUMMARY, render(answer, "markdown") + "\n")
    numbers = {name: getattr(answer, name) for name in fields}
    _append(OUTPUT, "".join(f"{name}={value}\n" for name, value in numbers.items()) + _print_headline(answer))


def _print_headline(answer: Gate | Watch) -> str:
    """Print the headline between marks that no system name can contain, because they are random."""
    mark = f"tellapart-{secrets.token_hex(16)}"
    return f"headline<<{mark}\n{answer.headline}\n{mark}\n"


def _append(variable: str, text: str) -> None:
    path = os.environ.get(variable)
    if not path:
        say(f"{variable} is not set, so nothing was written there: this does not run in GitHub Actions")
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(f"{path}, which {variable} names, cannot be written to ({error.strerror or error})") from None


def annotate(answer: Gate, fail_on: tuple[GateFailure, ...], required: tuple[GateRequirement, ...] = ()) -> None:
    """One line on stderr that GitHub shows beside the change; a change that passed, as it was planned to, needs none."""
    failed = answer.fails(fail_on, required)
    if answer.verdict == "pass" and not failed:
        return
    not_kept = failed and not answer.fails(tuple(rule for rule in fail_on if rule != "deviation"))
    said = f"{answer.headline}. {answer.plan.sentence}" if not_kept and answer.plan else answer.headline
    say_annotation("error" if failed else "warning", "tellapart gate", said)


def say_annotation(kind: str, title: str, said: str) -> None:
    """A workflow command of GitHub."""
    say(f"::{kind} title={title}::{_escaped(said)}", command=True)


def _escaped(text: str) -> str:
    """As workflow commands want it: a name must not end the command and begin another."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


_HELP = """Did this change make it worse?

The candidate passes where a loss larger than the margin is excluded, fails where it is shown to be worse, and is undetermined
where these items do not tell. SOURCE is what compare reads; several may follow one flag.

Exit codes: 0 passed, or undetermined unless --fail-on undetermined, 1 the gate failed, 2 usage, 3 bad data, 4 internal error.
"""

EXAMPLES = (
    "tellapart gate --baseline old.csv --candidate new.csv --margin 0.01",
    "tellapart gate --baseline old.csv --candidate new.csv --margin 0.01 --fail-on undetermined",
)

SIDES = ("--baseline", "--candidate")


class _SeveralAfterOneFlag(GroupedCommand):
    """`--baseline a b --candidate c d`: what follows one of these belongs to it up to the next flag."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _refuse_sideless(list(takewhile(lambda word: not word.startswith("-"), args)))
        return super().parse_args(ctx, _gate_repeated(args))


def _refuse_sideless(words: list[str]) -> None:
    """Files that nothing says the side of: two are likely the old and the new one, and one holds both."""
    if not words:
        return
    old, new = (words[0], words[-1]) if len(words) < 3 else ("OLD", "NEW")
    systems = " --a SYSTEM --b SYSTEM" if len(words) == 1 else ""
    raise UsageError(
        f"found {' '.join(words)} without a flag; say which side each file is: tellapart gate --baseline {old} --candidate {new}{systems} "
        "--margin …"
    )


def _gate_repeated(args: list[str]) -> list[str]:
    """The values with the flag before each of them.

    >>> _gate_repeated(["--baseline", "a", "b", "--margin", "0.1"])
    ['--baseline', 'a', '--baseline', 'b', '--margin', '0.1']
    """
    found: list[str] = []
    flag, taken = "", False
    for word in args:
        if word.startswith("-") and word != "-":
            flag, taken = (word if word in SIDES else ""), False
        elif flag and taken:
            found.append(flag)
        else:
            taken = True
        found.append(word)
    return found


@dataclass(frozen=True)
class GivenChange(GivenFiles):
    """The sources that are compared, and how to read them."""

    files: tuple[str, ...] = setting((), flag=False)
    baseline: tuple[str, ...] = setting(
        (), "Scores of the baseline, which the candidate must not be worse than.", metavar="SOURCE..."
    )
    candidate: tuple[str, ...] = setting((), "Scores of the candidate.", metavar="SOURCE...")

    def sides(self, question: GateQuestion) -> Read:
        """Baseline and candidate; with people's scores these and the judge's."""
        if question.human is None:
            return self._sides(question)
        self.refuse_measure_beside_judge()
        return read_judged(partial(self._sides, question), question)

    def _sides(self, question: GateQuestion, **judged: Any) -> Read:
        for name in ("baseline", "candidate"):
            if not getattr(self, name):
                raise UsageError(f"a gate compares a candidate with a baseline: name its file with {option(name)}")
        reading = self.reading(question.metric)
        return read_sides(
            list(self.baseline),
            list(self.candidate),
            systems=(question.a, question.b),
            references=self.reference,
            documents=self.documents,
            qrels=self.qrels,
            unretrieved=self.unretrieved,
            **{**reading, "columns": {**reading["columns"], **question.slice_roles}, **judged},
        )


@dataclass(frozen=True)
class Exits(ChangedFile):
    """Results that make the exit code 1, and output for GitHub Actions."""

    fail_on: tuple[GateFailure, ...] = setting(
        ("worse",),
        "Exit with 1 on this outcome too; worse always fails. undetermined: unless it passes; deviation: where a plan was not kept; worse-in-slice: where it is worse in a slice.",
    )
    require: tuple[GateRequirement, ...] = setting(
        (), "Also exit with 1 unless a loss of the margin is excluded in every judged slice."
    )
    github: bool = setting(
        default=False, help="Write a summary, outputs and an annotation where GitHub Actions wants them."
    )
    junit: str | None = setting(None, "Also write the checks as JUnit XML to this file.", metavar="FILE")


ESSENTIAL = ("baseline", "candidate", "measure", "margin", "fail_on", "github", "junit", "output")
"""The flags that short help shows."""


@click.command(
    "gate", cls=_SeveralAfterOneFlag, essential=ESSENTIAL, help=_HELP, epilog=flags.format_examples(EXAMPLES)
)
@flags.question_flags(source=GivenChange, question=GateQuestion, exits=Exits, slicing=SliceFlags, work=flags.WorkFlags)
@output.output_flags("gate", csv=True)
def command(
    source: GivenChange,
    question: GateQuestion,
    destination: output.Destination,
    exits: Exits,
    slicing: SliceFlags,
    work: flags.WorkFlags,
) -> None:
    question = replace(question, slices=slicing.slice)
    check_slices((*exits.require, *exits.fail_on), asked=bool(slicing.slice))
    if question.plan is not None:
        question = question.as_planned(flags.typed_options())
        source = source.as_planned(question.plan)
    elif "deviation" in exits.fail_on:
        check_plan(asked=question.of is not None)
    source, question = source.settled(question)
    if work.options:
        question = replace(question, **work.options)
    question.known_margin  # noqa: B018  (refused before anything is read)
    question.refuse_one_side()
    check_judge_options(question)
    if exits.junit is not None:
        refuse_unwritable(Path(exits.junit))
    exits.refuse_unfit()
    each = source.by_measure(question.measure_names) if question.measure_names else {}
    given = {name: one.sides(question) for name, one in each.items()}
    scores = next(iter(given.values())) if given else source.sides(question)
    answer = output.show(gated(given or scores, question), destination)
    exits.write(scores, answer.comparison)
    if exits.junit is not None:
        write_whole(Path(exits.junit), junit(answer, exits.fail_on, exits.require))
    if exits.github:
        # A decision about several measures has an effect and a margin for each.
        of_one = () if given else ("effect", "low", "high", "margin")
        append_summary(answer, ("verdict", *of_one, "items"))
        annotate(answer, exits.fail_on, exits.require)
    answer.require(exits.fail_on, exits.require)
