"""`tellapart evidence`: what past results say, and evidence of one's own."""

from dataclasses import dataclass

import click

from tellapart.cli.charts import chart_flag
from tellapart.cli.examples import examples
from tellapart.cli.flags import taking
from tellapart.cli.limits import limit_setting, limits_of
from tellapart.cli.output import Page, page_flags, say_bad_rows, show
from tellapart.spelling import Question

EXAMPLES = ("tellapart evidence", "tellapart evidence fit results.csv")
FIT_EXAMPLES = (
    "tellapart evidence fit results.csv",
    "tellapart evidence fit results.csv --output evidence.json",
)


@click.group("evidence", invoke_without_command=True, epilog=examples(EXAMPLES))
@page_flags("csv")
@click.pass_context
def command(ctx: click.Context, page: Page) -> None:
    """What do past results say when nothing is known?

    Lists the evidence that `plan` and `audit` fall back on, with its source, its range and its uncertainty.
    """
    # A format or a file before the name of a subcommand is meant for it.
    ctx.default_map = {name: dict(ctx.params) for name in command.commands}
    if ctx.invoked_subcommand is None:
        from tellapart.verbs.evidence.known import known_evidence  # noqa: PLC0415  (only the list needs it)

        show(known_evidence(), page)


@dataclass(frozen=True)
class Size(Question):
    """How large a file may be."""

    limit: tuple[str, ...] = limit_setting()


@command.command("fit", epilog=examples(FIT_EXAMPLES))
@click.argument("file")
@taking(size=Size)
@page_flags()
@chart_flag("evidence_fit")
def fit(file: str, size: Size, page: Page) -> int:
    """Fit evidence of your own to a table of past results, or to scores of several systems on the same items.

    Scores (a column of items, as for compare and rank): every pair of systems, its correlation, discordance and gain. Results, one
    per row: columns baseline (or accuracy_a), new (or accuracy_b) or gap, and agreement (overlap) or discordance if known. Write it with
    --output FILE.json and give that to plan or audit: --evidence FILE.json.

    Exit codes: 0 answered, 2 usage, 3 some rows could not be used (they are named on stderr), 4 internal error.
    """
    from tellapart.verbs.evidence.fit import fit_evidence  # noqa: PLC0415

    answer = fit_evidence(file, limits_of(size.limit))
    say_bad_rows(file, answer.bad_rows)
    show(answer, page)
    return 3 if answer.bad_rows else 0
