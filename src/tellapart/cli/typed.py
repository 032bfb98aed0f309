"""What was typed behind the program's name, and what a shell may hand over that is no text."""

from tellapart.errors import UsageError

TYPED = "tellapart.typed"
"""Under which the arguments of a command are kept while it runs."""


def as_typed(arguments: list[str]) -> str:
    """The command, quoted as a shell takes it.

    >>> as_typed(["compare", "my scores.csv"])
    "tellapart compare 'my scores.csv'"
    """
    import shlex  # noqa: PLC0415  (only a page that is kept needs it)

    return shlex.join(["tellapart", *arguments])


def refuse_undecodable(arguments: list[str]) -> None:
    """A byte that is not UTF-8 can be passed on, but not printed, stored in JSON or compared with what a file says."""
    for place, argument in enumerate(arguments, 1):
        try:
            argument.encode()
        except UnicodeEncodeError:
            shown = argument.encode(errors="backslashreplace").decode()
            raise UsageError(
                f"argument {place} ({shown}) holds bytes that are not UTF-8 text. Type it as UTF-8; if it is a file, rename it or "
                "pass its content as standard input (-)"
            ) from None
