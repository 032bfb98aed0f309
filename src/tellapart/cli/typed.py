"""What a shell may hand over that is no text."""

from tellapart.errors import UsageError


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
