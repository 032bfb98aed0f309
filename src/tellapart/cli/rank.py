"""`tellapart rank`: many systems on the same items."""

import click

from tellapart.cli.examples import examples
from tellapart.cli.flags import taking
from tellapart.cli.input import Source
from tellapart.cli.output import format_flag, show
from tellapart.verbs.rank import RankQuestion, leaderboard

EXAMPLES = ("tellapart rank answers.csv", "tellapart rank answers.csv --baseline small --correction holm")


@click.command("rank", epilog=examples(EXAMPLES))
@taking(source=Source, question=RankQuestion)
@format_flag("csv")
def command(source: Source, question: RankQuestion, form: str) -> None:
    """Which of many systems do these items tell apart?

    Every rank comes with the ranks that cannot be excluded; systems share a tier unless one is significantly worse than a system
    of it; and all statements hold together with probability 1 − alpha. FILE is a table of scores as for compare.

    Exit codes: 0 answered, 2 usage, 3 bad data, 4 internal error.
    """
    show(leaderboard(source.scores(question.metric), question), form)
