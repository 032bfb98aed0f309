"""`tellapart evidence`: list the evidence from past results, or fit your own."""

from dataclasses import dataclass

import click

from tellapart.cli.flags import format_examples, limits_of, question_flags
from tellapart.cli.input import GivenFiles
from tellapart.cli.output import Destination, output_flags, report_bad_rows, show
from tellapart.foundation.spelling import setting
from tellapart.verbs import evidence

EXAMPLES = ("tellapart evidence squad2_pairs", "tellapart evidence fit results.csv")
FIT_EXAMPLES = (
    "tellapart evidence fit results.csv --output evidence.json",
    "tellapart evidence fit a.txt b.txt --reference ref.txt --metric bleu",
)


class Pieces(click.Group):
    """Its subcommands, and every piece of evidence by its spelling."""

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        return super().get_command(ctx, name) or _evidence_piece(name)


def _evidence_piece(spelling: str) -> click.Command:
    """The command that says all of one piece."""

    @click.command(spelling, epilog=format_examples(EXAMPLES))
    @output_flags("evidence", csv=True)
    def command(destination: Destination) -> None:
        """What is this piece of evidence made of, and how far may it be off?"""
        _show(destination, spelling)

    return command


def _show(destination: Destination, spelling: str | None = None) -> None:
    show(evidence.known_evidence(spelling), destination)


@click.group(
    "evidence",
    cls=Pieces,
    invoke_without_command=True,
    epilog=format_examples(EXAMPLES),
    subcommand_metavar="[NAME | fit FILE...]",
)
@output_flags("evidence", csv=True)
@click.pass_context
def command(ctx: click.Context, destination: Destination) -> None:
    """What do past results say when nothing is known?

    Lists the evidence that `plan` and `audit` fall back on; with the NAME of a piece its numbers, source and uncertainty.
    """
    if ctx.invoked_subcommand is None:
        _show(destination)
    else:
        # A format or a file before the name of a subcommand is meant for it.
        ctx.default_map = {ctx.invoked_subcommand: dict(ctx.params)}


@dataclass(frozen=True)
class GivenResults(GivenFiles):
    """Files to learn from, and what of outputs is compared."""

    metric: str | None = setting(None, "How outputs become one number; for files of texts or predictions.", metavar="M")

    @property
    def asks_for_scores(self) -> bool:
        """Whether something is asked that only scores, outputs and runs have; else one file may be a table of results."""
        plain = GivenResults(files=self.files, limit=self.limit)
        return len(self.files) > 1 or self != plain


@command.command("fit", epilog=format_examples(FIT_EXAMPLES))
@question_flags(source=GivenResults)
@output_flags("evidence_fit")
def fit(source: GivenResults, destination: Destination) -> int:
    """Fit evidence of your own to a table of past results, to scores of several systems on the same items, or to their outputs.

    Scores (a column of items, as for compare and rank): every pair of systems, its correlation, discordance and gain. Results, one
    per row: columns baseline (or accuracy_a), new (or accuracy_b) or gap, and agreement (overlap) or discordance if known. Outputs,
    with --metric and --reference as for compare: what items contribute to a difference. Runs, with --qrels and --measure: how scores
    of queries spread. Write it with --output FILE.json and give that to plan or audit: --evidence FILE.json.

    Exit codes: 0 answered, 2 usage, 3 some rows could not be used (they are named on stderr), 4 internal error.
    """
    name = ", ".join(source.files)
    if source.asks_for_scores:
        settled, asked = source.settled(source)
        answer = evidence.fit_scores(settled.scores(asked.metric), name)
    else:
        answer = evidence.fit_evidence(name, limits_of(source.limit))
    report_bad_rows(name, answer.bad_rows)
    show(answer, destination)
    return 3 if answer.bad_rows else 0
