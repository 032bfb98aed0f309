"""The command that a question is, run: the answer is that of the command line because it is the command line's."""

import click

from tellapart.cli.commands import group
from tellapart.cli.output import Taken
from tellapart.cli.typed import refuse_undecodable
from tellapart.errors import TellapartError
from tellapart.results.answer import Answer
from tellapart.shelf import Shelf, holding
from tellapart.web.asked import WebQuestion
from tellapart.web.limits import ServeLimits
from tellapart.wording import shown

UNSHOWN = {verb: ["--workers=1"] for verb in ("plan", "rank", "compare")}
"""What is said of how a command runs here and changes nothing in its answer: a worker has one thread."""


def answer_of(question: WebQuestion, limits: ServeLimits) -> Answer:
    """What the command line answers, with a shelf of the given files in place of its disk."""
    words = question.arguments()
    refuse_undecodable(words)
    place = len(question.offer.typed) + bool(question.population)
    run = [*words[:place], *UNSHOWN.get(question.offer.verb, []), *words[place:]]
    taken = Taken()
    shelf = Shelf(
        {one.label: one.content for one in question.files},
        limits.most_expanded,
        limits.most_rows,
        limits.most_systems,
    )
    with holding(shelf), group.make_context("tellapart", run, obj=taken) as context:
        group.invoke(context)
    assert taken.answer is not None, "every verb that is offered shows its answer"
    return taken.answer


def message_of(error: Exception) -> str:
    """What the command line says of an error, without what it says of how to type."""
    if isinstance(error, click.ClickException):
        return shown(error.format_message())
    if isinstance(error, TellapartError):
        return error.told("command line")
    if isinstance(error, MemoryError):
        return "this takes more memory than there is. Ask about fewer items, systems or resamples"
    return "something failed here that should not have. Nothing of what you sent was kept; please report what you asked"
