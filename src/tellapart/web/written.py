"""A question as something to take along: a command for a shell, and an address."""

import re
import shlex
from urllib.parse import urlencode

from tellapart.web.asked import WebQuestion
from tellapart.web.offers import KIND


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
    # Byte by byte: what follows an escape of several digits could be taken for another of them.
    return "".join(f"\\x{byte:02x}" for byte in char.encode())


def command(question: WebQuestion) -> str:
    """What to type for the same answer."""
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
