"""Writing to stdout and stderr: complete output or a reported failure."""

import contextlib
import io
import os
import re
import sys
from typing import TextIO

import click

from tellapart.foundation.errors import TellapartError, UsageError

TYPED = "tellapart.typed"
"""Key of the typed arguments in the `meta` of click's context."""


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


class Unwritten(TellapartError):
    """The answer is there and could not be delivered: exit code 4."""


def prepare() -> None:
    """Before anything is opened: a stream that was closed keeps its number, or the next file would get its messages."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  (open as long as the process)
    if sys.stdout is None:
        raise Unwritten("standard output is closed, so no answer can be printed. Send it to a file, or to /dev/null")
    if isinstance(raw := getattr(sys.stdout, "buffer", None), io.RawIOBase):
        # Under PYTHONUNBUFFERED, as containers set it, Python drops what a full disk does not take, and says nothing.
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), sys.stdout.encoding, line_buffering=True)
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.set_blocking(
            sys.stdout.fileno(), True
        )  # a pipe that was made for another program may not wait for its reader
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test may have put another one there
            with contextlib.suppress(ValueError):
                stream.reconfigure(errors="backslashreplace")


# A runner of continuous integration takes lines of the log that begin with `::`, and `##[` anywhere, for commands.

_COMMAND_MARK = re.compile(r"((?:\A|[\r\n])\s*)::|##\[")
_INERT = {"json": ("::", r"#\u0023["), "csv": ("'::", "#'#["), "latex": ("{:}:", "#{}#[")} | dict.fromkeys(
    ("markdown", "html"), ("&#58;:", "#&#35;[")
)
"""How each format writes the marks of a command; elsewhere they are spelled out as control characters are."""


def in_ci() -> bool:
    """Whether what is printed goes to the log of a job."""
    context = click.get_current_context(silent=True)
    return bool(os.environ.get("CI") or (context is not None and context.params.get("github")))


def without_commands(text: str, form: str = "text") -> str:
    r"""A text in which no line is a workflow command, whatever names it holds or begins with.

    >>> without_commands("::error::x\n  ::warning::y\na ::b"), without_commands('["##[group]"]', "json")
    ('\\x3a:error::x\n  \\x3a:warning::y\na ::b', '["#\\u0023[group]"]')
    """
    colons, hashes = _INERT.get(form, (r"\x3a:", r"#\x23["))
    return _COMMAND_MARK.sub(lambda found: hashes if found[1] is None else found[1] + colons, text)


def put(page: str) -> None:
    """Print on stdout. A reader that left early, as `head` does, is no failure; any other is an error."""
    try:
        sys.stdout.write(page)
        sys.stdout.flush()
    except BrokenPipeError:
        _discard(sys.stdout)
    except (OSError, ValueError) as error:
        _discard(sys.stdout)
        raise Unwritten(lost(error)) from None


def lost(error: Exception) -> str:
    """The message where part of an answer may have been printed."""
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
    return f"the answer could not be printed whole ({reason}). Make room, or print elsewhere"


def say(message: str, *, command: bool = False) -> None:
    """Print a line on stderr, if there is anybody to read it; only a `command` of ours may be one to a runner."""
    text = message if command else without_commands(message)
    try:
        sys.stderr.write(text + "\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        _discard(sys.stderr)


def settle() -> None:
    """Deliver what others wrote (help, a version), as `put` does."""
    put("")


def give_up() -> None:
    """After an error: what is still waiting is delivered if it can be."""
    with contextlib.suppress(Unwritten, AttributeError):
        put("")


def _discard(stream: TextIO) -> None:
    """Discard buffered output, as the interpreter would fail over it at its end."""
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
