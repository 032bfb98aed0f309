"""The flags about output that every command shares, and the calls that print."""

import functools
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO

import click

from tellapart.answers.answer import Answer
from tellapart.answers.parts import BadRow
from tellapart.answers.texts import add_text
from tellapart.cli.charts import CHARTS, write_charts
from tellapart.cli.flags import Decorator, stacked
from tellapart.cli.interrupts import Interrupts
from tellapart.cli.streams import TYPED, as_typed, deliver, put, say, say_written
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable
from tellapart.foundation.formatting import shown
from tellapart.foundation.surfaces import option, spell_marks
from tellapart.render import FORMATS, ROWS_ONLY, SUFFIXES, render
from tellapart.render.screen import PAPER, WIDEST, Screen

# The file that an answer is written to: what its name says of the format, and what must not be overwritten.


def file_for(output: str, form: str | None, forms: Sequence[str]) -> tuple[str, Path]:
    """The format, and the file; refused before anything is computed that could not be written, or not there."""
    path = Path(output)
    chosen = _agreed(path, form, forms)
    refuse_given(path)
    refuse_unwritable(path)
    return chosen, path


def _agreed(path: Path, form: str | None, forms: Sequence[str]) -> str:
    """The format that the flag or the name says; both may say it, but not each another."""
    meant = SUFFIXES.get(path.suffix.lower())
    if form is not None and meant in {None, form}:
        return form
    if form is not None:
        raise UsageError(
            f"{option('output', str(path))} ends as {meant} does, and {option('format', form)} says otherwise; leave out "
            f"{option('format')}, or end the name in {_endings([form])}"
        )
    if meant is None:
        raise UsageError(
            f"{option('output', str(path))}: its ending says no format; wanted {_endings(forms)}, or {option('format')} beside it"
        )
    if meant not in forms:
        raise UsageError(
            f"{option('output', str(path))}: this answer is not written as {meant}; end the name in {_endings(forms)}"
        )
    return meant


def _endings(forms: Sequence[str]) -> str:
    return ", ".join(suffix for suffix, form in SUFFIXES.items() if form in forms)


def refuse_given(path: Path) -> None:
    """What a command was given to read is never what it writes: the answer would take the place of the data."""
    for name, value in click.get_current_context().params.items():
        if name != "output" and any(_same(path, word) for word in _words(value)):
            raise UsageError(
                f"{option('output', str(path))} is a file that this command was given; the answer would take its place. Write elsewhere"
            )


def _words(value: Any) -> Iterator[str]:
    """What was typed for a flag or an argument, one by one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from (word for word in value if isinstance(word, str))


def _same(path: Path, word: str) -> bool:
    try:
        return path.samefile(word)
    except (OSError, ValueError):  # no file of this name, or no name of a file
        return False


RAW_CSV = "tellapart.raw_csv"


@dataclass(frozen=True)
class Destination:
    """How an answer leaves the command: its format, and the file that it goes to, or stdout."""

    form: str
    file: Path | None = None


def page_flags(*also: str) -> Decorator:
    """`--format` and `--output`, with the formats every answer has and those that only some have; the command gets a `destination`."""
    forms = [*(name for name in FORMATS if name not in ROWS_ONLY), *also]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(*, form: str | None, output: str | None, **given: Any) -> Any:
            return command(destination=_destination(forms, form, output), **given)

        return stacked(flags)(run)

    flags = [_format_flag(forms), _output_flag(), *([_raw_csv_flag()] if "csv" in also else [])]
    return decorate


def _destination(forms: list[str], form: str | None, output: str | None) -> Destination:
    """What was asked for; a file is looked at by those who write one, so that a plain command loads nothing for it."""
    if output is None or output == "-":
        return Destination(form or "text")

    return Destination(*file_for(output, form, forms))


def _format_flag(forms: list[str]) -> Decorator:
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        show_default="text, or as the name of the output ends",
        help="How to print the answer.",
    )


def _output_flag() -> Decorator:
    return click.option(
        "-o",
        "--output",
        metavar="FILE",
        help="Write the answer to this file, whole or not at all; its ending says the format. - is standard output.",
    )


def _raw_csv_flag() -> Decorator:
    def keep(ctx: click.Context, _: click.Parameter, raw: bool) -> None:
        ctx.meta[RAW_CSV] = raw or ctx.meta.get(RAW_CSV, False)

    return click.option(
        "--raw-csv",
        is_flag=True,
        expose_value=False,
        callback=keep,
        help="In CSV, put no apostrophe before texts that a spreadsheet would run as a formula.",
    )


class Taken:
    """In place of a terminal: whoever runs a command with this as its object gets the answer, and shows it elsewhere."""

    answer: Answer | None = None


def show(answer: Answer, destination: Destination) -> None:
    """Print an answer on stdout, fitted to the terminal where a person reads it, or write it to its file."""
    if (taken := click.get_current_context().find_object(Taken)) is not None:
        taken.answer = answer
        return
    interrupts, partial = (
        click.get_current_context().find_object(Interrupts),
        getattr(answer, "partial", False),
    )
    if interrupts is not None and interrupts.which is not None and not partial:
        # An interrupt that was lost on its way, as in the code of a library: what came after it is not to be trusted.
        raise KeyboardInterrupt
    told = add_text(answer, "command line")
    if sys.stderr.isatty():
        from tellapart.cli.progress import done  # noqa: PLC0415  (only a terminal shows any)

        done()
    if destination.file is None:
        put(_printed(told, destination.form))
    else:
        deliver(destination.file, _rendered(told, destination.form, PAPER))
        say_written(destination.file)
    if interrupts is not None:
        way = "printed" if destination.file is None else "written"
        interrupts.printed = f"the answer that was {way} is {'partial' if partial else 'whole'}"
    if files := click.get_current_context().meta.get(CHARTS):
        write_charts(told, files)


def _printed(told: Answer, form: str) -> str:
    text = _rendered(told, form, screen_of(sys.stdout))
    return _encodable(text, form, sys.stdout) if isinstance(sys.stdout, io.TextIOWrapper) else text


def _rendered(told: Answer, form: str, screen: Screen) -> str:
    meta = click.get_current_context().meta
    raw = form == "csv" and meta.get(RAW_CSV, False)
    if form == "html" and TYPED in meta:
        screen = replace(screen, command=as_typed(meta[TYPED]))
    if raw:
        from tellapart.render.csv import csv  # noqa: PLC0415  (few are asked for)

        return csv(told, raw=True)
    return render(told, form, screen)


def say_bad_rows(file: str | None, rows: tuple[BadRow, ...]) -> None:
    """Name on stderr the rows of a file that could not be used, and why."""
    for row in rows:
        say(shown(f"{file}, line {row.line}: {spell_marks(row.problem, 'command line')}"))


def screen_of(stream: TextIO) -> Screen:
    """The terminal behind a stream, in colour unless told not to (no-color.org), or paper."""
    if not stream.isatty():
        return PAPER
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Screen(min(WIDEST, _columns(stream)), color=not plain, terminal=True)


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDEST
    except OSError:
        return WIDEST


def _encodable(page: str, form: str, out: io.TextIOWrapper) -> str:
    """What the stream can hold: JSON is UTF-8 by its standard and a page says that it is, and elsewhere a minus must stay one."""
    if form in {"json", "html"}:
        out.reconfigure(encoding="utf-8")
        return page
    try:
        page.encode(out.encoding)
    except UnicodeEncodeError:
        out.reconfigure(errors="backslashreplace")
        return page.translate(_PLAIN_SIGNS)
    return page


_PLAIN_SIGNS = str.maketrans(
    {"−": "-", "–": "-", "Δ": "Delta", "±": "+/-", "•": "*", "…": "..."}
    | dict(zip("─├┤└│·●○◆◇▲△■□", "-||+|.*o#%^vx=", strict=True))
)
"""What stands for a sign that an old terminal lacks."""
