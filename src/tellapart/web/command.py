"""Execution of a web question as its command line, and the equivalent shell command and URL."""

import re
import shlex
from urllib.parse import urlencode

import click

from tellapart.answers.answer import Answer
from tellapart.cli.commands import group
from tellapart.cli.output import CapturedAnswer
from tellapart.cli.streams import refuse_undecodable
from tellapart.foundation.errors import TellapartError
from tellapart.foundation.files import UploadedFiles, reading_uploads
from tellapart.foundation.formatting import shown
from tellapart.web.limits import ServeLimits
from tellapart.web.request_parsing import WebQuestion
from tellapart.web.served_verbs import KIND

# A question as something to take along: a command for a shell, and an address.


def shell_word(word: str) -> str:
    r"""A word as a shell reads it back; what cannot be seen is spelled out.

    >>> shell_word("my file"), shell_word("it's"), shell_word("a\nb\x1b")
    ("'my file'", '\'it\'"\'"\'s\'', "$'a\\nb\\x1b'")
    """
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_spelled_out, word))}'"


def _spelled_out(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char.isprintable():
        return char
    # Byte by byte: what follows an escape of several digits could be captured for another of them.
    return "".join(f"\\x{byte:02x}" for byte in char.encode())


def command(question: WebQuestion) -> str:
    """The command line with the same answer."""
    words = [_shown(word) for word in question.arguments()]
    return " ".join(["tellapart", *(shell_word(part) for word in words for part in word)])


def elsewhere(refusal: str, question: WebQuestion) -> str:
    """A refusal that ends in what can be done at a command line, with what to type there."""
    return f"{refusal}: {command(question)}"


def _shown(word: str) -> tuple[str, ...]:
    """A flag and its value as people write them, unless the value looks like a flag itself."""
    found = re.fullmatch(r"(--[a-z-]+)=([^-].*)", word, re.DOTALL)
    return (word,) if found is None else (found[1], found[2])


def address(question: WebQuestion) -> str:
    """All but the files, to be sent to somebody."""
    kind = [(KIND, question.population)] if question.population else []
    said = [(name, text or "true") for name, texts in question.fields.items() for text in texts]
    return f"/{question.offer.path}?{urlencode([*kind, *said])}"


UNSHOWN = {verb: ["--workers=1"] for verb in ("plan", "rank", "compare")}
"""Options about how a command runs here, which leave its answer unchanged: a worker has one thread."""


def answer_of(question: WebQuestion, limits: ServeLimits) -> Answer:
    """The answer of the command line, with uploads in place of the disk."""
    words = question.arguments()
    refuse_undecodable(words)
    place = len(question.offer.typed) + bool(question.population)
    run = [*words[:place], *UNSHOWN.get(question.offer.verb, []), *words[place:]]
    captured = CapturedAnswer()
    uploads = UploadedFiles(
        {one.label: one.content for one in question.files}, limits.most_expanded, limits.most_rows, limits.most_systems
    )
    with reading_uploads(uploads), group.make_context("tellapart", run, obj=captured) as context:
        group.invoke(context)
    assert captured.answer is not None, "every verb that is offered shows its answer"
    return captured.answer


def message_of(error: Exception) -> str:
    """The error message of the command line, without advice on typing."""
    if isinstance(error, click.ClickException):
        return shown(error.format_message())
    if isinstance(error, TellapartError):
        return error.message_for("command line")
    if isinstance(error, MemoryError):
        return "there is not enough memory. Use fewer items, systems or resamples"
    return "something failed here that should not have. Nothing of what you sent was kept; please report what you asked"
