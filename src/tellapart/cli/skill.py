"""`tellapart skill`: print instructions for coding agents that use tellapart, as Markdown."""

from importlib import resources

import click

from tellapart.cli import flags
from tellapart.cli.streams import put

EXAMPLES = ("tellapart skill", "tellapart skill > SKILL.md")


@click.command("skill", epilog=flags.format_examples(EXAMPLES))
def command() -> None:
    """How a coding agent uses tellapart.

    Print one page: which command for which question, the JSON fields to read, what never to claim.

    Exit codes: 0 answered, 4 internal error.
    """
    put((resources.files("tellapart.cli") / "agents.md").read_text(encoding="utf-8"))
