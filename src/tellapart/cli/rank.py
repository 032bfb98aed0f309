"""`tellapart rank`: rank many systems on the same items, and show which pairs differ significantly."""

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from tellapart import render
from tellapart.answers.arena import Arena
from tellapart.answers.gate_rules import BoardFailure, Requirement, check_baseline, check_margin, check_plan
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.leaderboard.published_page import Since
from tellapart.cli import flags, output
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.cli.input import GivenFiles, SliceFlags
from tellapart.data.votes import Votes
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.files import refuse_unwritable
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import option
from tellapart.metrics import Metric
from tellapart.verbs.given_scores import Grouping
from tellapart.verbs.rank import RankQuestion, ranked

EXAMPLES = (
    "tellapart rank answers.csv",
    "tellapart rank answers.csv --baseline small --margin 0.05 --require not-worse",
)


@dataclass(frozen=True)
class RankedFiles(GivenFiles):
    """Files of scores or votes."""

    control: str | None = setting(
        None,
        "For votes: adjust for this column of numbers, a minus b, such as a difference of lengths.",
        metavar="COL",
    )

    def reading(self, metric: Metric | str | None) -> dict[str, Any]:
        found = super().reading(metric)
        return found if self.control is None else {**found, "columns": {**found["columns"], "control": self.control}}


@dataclass(frozen=True)
class BaselineGates(Question):
    """What must be shown of the systems beside a baseline for the command to exit with 0."""

    require: tuple[Requirement, ...] = setting(
        (),
        f"With {option('baseline')}: exit with 1 unless this is shown of every other system; several may be given, and all must be.",
    )
    fail_on: tuple[BoardFailure, ...] = setting(
        (),
        f"Exit with 1 on this outcome, with {option('baseline')}. Worse: another system is shown to be worse (with a margin: and not to be within it); "
        "not-better: one is not shown to be better; undetermined: nothing is shown of one; deviation: the plan was not kept.",
    )

    def check(self, question: RankQuestion) -> None:
        """Refuse what cannot be shown as the question is asked, before anything is computed."""
        if "deviation" in self.fail_on:
            check_plan(asked=question.plan is not None)
        if self.require or set(self.fail_on) - {"deviation"}:
            check_baseline(question.baseline)
            check_margin(self.require, question.margin)


@dataclass(frozen=True)
class SiteFolder(Question):
    """A folder of static files to publish, and the board that it is compared with."""

    site: str | None = setting(
        None,
        "Also write the board to this folder as a page to publish, with board.json, board.csv and badge.svg beside it.",
        metavar="DIR",
    )
    since: str | None = setting(
        None, f"With {option('site')}: board.json of the last board, to show what changed since.", metavar="OLD.json"
    )

    def earlier(self) -> Since | None:
        """The last board, and refusals of what cannot be written or read before anything is computed."""
        if self.site is None and self.since is not None:
            raise UsageError(f"{option('since')} is shown on a page to publish: name its folder with {option('site')}")
        for name in render.SITE_FILES if self.site is not None else ():
            refuse_unwritable(Path(str(self.site)) / name)
        if self.since is None:
            return None
        try:
            return Since.of(json.loads(Path(self.since).read_bytes()))
        except OSError as error:
            raise ReadError(f"{self.since} cannot be read ({error.strerror or error})") from None
        except (KeyError, TypeError, ValueError, RecursionError):
            raise ReadError(
                f"{self.since} is not a board; wanted the board.json of an earlier {option('site')}"
            ) from None

    def write(self, answer: Leaderboard | Arena, title: str, since: Since | None) -> None:
        if self.site is None:
            return
        for name, content in render.site_files(answer, title, output.typed_command(), since).items():
            output.write_file(Path(self.site) / name, content)
        output.say_written(Path(self.site) / "index.html")


ESSENTIAL = ("measure", "baseline", "margin", "cluster", "slice", "fail_on", "output")
"""The flags that short help shows."""


@click.command("rank", cls=GroupedCommand, essential=ESSENTIAL, epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(
    source=RankedFiles,
    question=RankQuestion,
    site=SiteFolder,
    slicing=SliceFlags,
    work=flags.LongWorkFlags,
    gates=BaselineGates,
)
@output.output_flags("leaderboard", "arena", csv=True)
def command(
    source: RankedFiles,
    question: RankQuestion,
    site: SiteFolder,
    slicing: SliceFlags,
    work: flags.LongWorkFlags,
    destination: output.Destination,
    gates: BaselineGates,
) -> int:
    """Which of many systems do these items tell apart?

    Every rank comes with the ranks that cannot be excluded; systems share a tier unless one is significantly worse than a system
    of it; and all statements hold together with probability 1 − alpha. FILE is a table of scores as for compare.

    Exit codes: 0 answered, 1 a gate (--require, --fail-on) failed, 2 usage, 3 bad data, 4 internal error.
    """
    if question.plan is not None:
        question = question.as_planned(flags.typed_options())
        source = source.as_planned(question.plan)
    if slicing.slice:
        question = replace(question, slices=slicing.slice)
    gates.check(question)
    since = site.earlier()
    source, question = source.settled(question)
    if work.options:
        question = replace(question, **work.options)
    with question.naming_systems():
        given = source.scores(question.metric, question.named_systems, Grouping(slices=question.slice_columns))
        if source.control is not None and not isinstance(given, Votes):
            raise UsageError(f"{option('control', source.control)} is about votes, and these are scores; leave it out")
        answer = ranked(given, question)
    answer = output.show(answer, destination)
    site.write(answer, destination.title, since)
    lost = flags.exit_code(answer)
    if not lost and (gates.require or gates.fail_on):
        answer.require(*gates.require, fail_on=gates.fail_on)
    return lost
