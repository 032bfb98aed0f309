"""`tellapart gate`: may this change pass?"""

from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

import click

from tellapart.cli.charts import chart_flag
from tellapart.cli.examples import examples
from tellapart.cli.flags import given, taking
from tellapart.cli.github import annotate, summarise
from tellapart.cli.hands import GivenHands, worked_by
from tellapart.cli.input import GivenFiles
from tellapart.cli.output import Page, page_flags, show
from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.readers.assembled import Read
from tellapart.readers.sides import read_sides
from tellapart.results.gate import check_plan
from tellapart.results.gated import GateFailure
from tellapart.spelling import Question, setting
from tellapart.verbs.gate import GateQuestion, gated
from tellapart.words import tell
from tellapart.writing import refuse_unwritable, write_whole

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


class _SeveralAfterOneFlag(click.Command):
    """`--baseline a b --candidate c d`: what follows one of these belongs to it up to the next flag."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        _refuse_sideless(list(takewhile(lambda word: not word.startswith("-"), args)))
        return super().parse_args(ctx, _repeated(args))


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


def _repeated(args: list[str]) -> list[str]:
    """The same with the flag before each of its values.

    >>> _repeated(["--baseline", "a", "b", "--margin", "0.1"])
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
    """What is held against what, and how to read it."""

    files: tuple[str, ...] = setting((), flag=False)
    baseline: tuple[str, ...] = setting((), "What the candidate must not be worse than.", metavar="SOURCE...")
    candidate: tuple[str, ...] = setting((), "What is to pass.", metavar="SOURCE...")

    def sides(self, question: GateQuestion) -> Read:
        for name in ("baseline", "candidate"):
            if not getattr(self, name):
                raise UsageError(
                    f"a gate holds a candidate against a baseline: name its file with {option(name)}"
                )
        return read_sides(
            list(self.baseline),
            list(self.candidate),
            systems=(question.a, question.b),
            references=self.reference,
            documents=self.documents,
            qrels=self.qrels,
            unretrieved=self.unretrieved,
            **self.reading(question.metric),
        )


@dataclass(frozen=True)
class Exits(Question):
    """What leaves with exit code 1, and who else is told."""

    fail_on: tuple[GateFailure, ...] = setting(
        ("worse",),
        "Exit with 1 where the candidate is shown to be worse (always), unless it passes (undetermined), or where a plan was not kept.",
    )
    github: bool = setting(
        default=False, help="Write a summary, outputs and an annotation where GitHub Actions wants them."
    )
    junit: str | None = setting(None, "Also write the checks as JUnit XML to this file.", metavar="FILE")


@click.command("gate", cls=_SeveralAfterOneFlag, help=_HELP, epilog=examples(EXAMPLES))
@taking(source=GivenChange, question=GateQuestion, exits=Exits, hands=GivenHands)
@page_flags("csv")
@chart_flag("gate")
def command(source: GivenChange, question: GateQuestion, page: Page, exits: Exits, hands: GivenHands) -> None:
    if question.plan is not None:
        question = question.as_planned(given())
        source = source.as_planned(question.plan)
    elif "deviation" in exits.fail_on:
        check_plan(asked=False)
    source, question = source.settled(question)
    question = replace(question, **worked_by(hands))
    question.known_margin  # noqa: B018  (refused before anything is read)
    question.refuse_one_side()
    if exits.junit is not None:
        refuse_unwritable(Path(exits.junit))
    answer = tell(gated(source.sides(question), question), "command line")
    _others(answer, exits)
    show(answer, page)
    answer.require(exits.fail_on)


def _others(answer: Any, exits: Exits) -> None:
    if exits.junit is not None:
        from tellapart.render.junit import junit  # noqa: PLC0415  (only a file needs it)

        write_whole(Path(exits.junit), junit(answer, exits.fail_on))
    if exits.github:
        summarise(answer)
        annotate(answer, exits.fail_on)
