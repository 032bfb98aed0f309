"""Flags about output that commands share (--format, --output, --raw-csv, --chart), and the functions that print an answer."""

import functools
import io
import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TextIO, TypeVar

import click

from tellapart import answers
from tellapart.answers.answer import Answer
from tellapart.answers.parts import BadRow
from tellapart.answers.texts import add_text
from tellapart.cli import flags, progress
from tellapart.cli.grouped_help import GROUPS
from tellapart.cli.interrupts import Interrupts
from tellapart.cli.streams import TYPED, Unwritten, in_ci, put, say, without_commands
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.formatting import shown
from tellapart.foundation.surfaces import option, spell_marks
from tellapart.render import FORMATS, ROWS_ONLY, SUFFIXES, render
from tellapart.render.screen import PAPER, WIDEST, Screen, wrapped

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True)
class Destination:
    """Where an answer goes: its format, its file (None for stdout), and its charts by name (None for the first) with their files."""

    form: str
    file: Path | None = None
    raw_csv: bool = False
    title: str = ""
    charts: tuple[tuple[str | None, Path], ...] = ()


def output_flags(*charts: str, csv: bool = False) -> flags.Decorator:
    """The flags of a command whose answers are drawn by the charts of these kinds and, with `csv`, have rows; it gets a `destination`."""
    forms = [name for name in FORMATS if name not in ROWS_ONLY] + [name for name in ROWS_ONLY if csv]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(
            *,
            form: str | None,
            output: str | None,
            raw_csv: bool = False,
            title: str = "",
            chart: tuple[str, ...] = (),
            **given: Any,
        ) -> Any:
            drawn = tuple(_chart_file(charts, text) for text in chart)
            to_file = output is not None and output != "-"
            chosen, file = file_for(str(output), form, forms) if to_file else (form or "text", None)
            return command(destination=Destination(chosen, file, raw_csv, title, drawn), **given)

        shared = [_format_flag(forms), _OUTPUT_FLAG, _TITLE_FLAG, *([_RAW_CSV_FLAG] if csv else [])]
        return flags.stack_decorators([*shared, *([_chart_flag(charts)] if charts else [])])(run)

    return decorate


def _format_flag(forms: list[str]) -> flags.Decorator:
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        show_default="text, or as the name of the output ends",
        help="How to print the answer.",
    )


_OUTPUT_FLAG = click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write to this file, in the format of its ending. It is written whole or not at all; - is standard output.",
)
_TITLE_FLAG = click.option("--title", default="", metavar="TEXT", help="Title of an HTML page.")
_RAW_CSV_FLAG = click.option(
    "--raw-csv",
    is_flag=True,
    help="In CSV, put no apostrophe before texts that a spreadsheet would run as a formula.",
)


def _chart_flag(kinds: tuple[str, ...]) -> flags.Decorator:
    def help_text() -> str:
        names = ", ".join(_chart_names(kinds))
        return f"Also draw: FILE ends in .svg, .png, .pdf or .json (Vega-Lite); may be repeated. NAME: {names}."

    return click.option(
        "--chart",
        cls=flags.LazyHelpOption,
        make_help=help_text,
        group=GROUPS["output"],
        multiple=True,
        metavar="[NAME=]FILE",
    )


def _chart_names(kinds: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(chart.name for kind in kinds for chart in answers.drawings(kind)))


def _chart_file(kinds: tuple[str, ...], text: str) -> tuple[str | None, Path]:
    """The chart and its file, or a refusal: an unknown name or ending, a missing library, a file out of reach."""
    named = re.fullmatch(r"(\w+)=(.+)", text)
    name, path = (named[1], Path(named[2])) if named else (None, Path(text))
    known, endings = _chart_names(kinds), answers.CHART_SUFFIXES
    if name is not None and name not in known:
        raise UsageError(f"{option('chart', text)}: no chart is called {name!r}; charts: {', '.join(known)}")
    if path.suffix not in endings:
        raise UsageError(f"{option('chart', text)}: found the ending {path.suffix!r}; wanted {', '.join(endings)}")
    for module in ("altair", "vl_convert"):
        answers.required(module)
    refuse_unwritable(path)
    return name, path


# The file of `--output`: its format by its ending, and what must not be overwritten.


def file_for(output: str, form: str | None, forms: Sequence[str]) -> tuple[str, Path]:
    """The format, and the file; refused before anything is computed that could not be written, or not there."""
    path = Path(output)
    chosen = _output_agreed(path, form, forms)
    refuse_given(path)
    refuse_unwritable(path)
    return chosen, path


def _output_agreed(path: Path, form: str | None, forms: Sequence[str]) -> str:
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
            f"{option('output', str(path))}: unknown ending; wanted {_endings(forms)}, or add {option('format')}"
        )
    if meant not in forms:
        raise UsageError(
            f"{option('output', str(path))}: this answer cannot be written as {meant}; end the name in {_endings(forms)}"
        )
    return meant


def _endings(forms: Sequence[str]) -> str:
    return ", ".join(suffix for suffix, form in SUFFIXES.items() if form in forms)


def refuse_given(path: Path) -> None:
    """Refuse to write an answer over a file that the command reads."""
    for name, value in click.get_current_context().params.items():
        if name != "output" and any(_same(path, word) for word in _output_words(value)):
            raise UsageError(
                f"{option('output', str(path))} is an input file and would be overwritten. Write to another file"
            )


def _output_words(value: Any) -> Iterator[str]:
    """The typed words of a flag or an argument."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        yield from (word for word in value if isinstance(word, str))


def _same(path: Path, word: str) -> bool:
    try:
        return path.samefile(word)
    except (OSError, ValueError):  # no file of this name, or no name of a file
        return False


class CapturedAnswer:
    """Context object of a program that runs a command, such as the server: it receives the answer, and nothing is printed."""

    answer: Answer | None = None


def show(answer: A, destination: Destination) -> A:
    """Print an answer, fitted to a terminal, or write it to its file, then its charts; returns the answer with its sentences."""
    context = click.get_current_context()
    if (captured := context.find_object(CapturedAnswer)) is not None:
        captured.answer = answer
        return answer
    interrupts, partial = context.find_object(Interrupts), getattr(answer, "partial", False)
    if interrupts is not None and interrupts.which is not None and not partial:
        # An interrupt that was lost on its way, as in the code of a library: what came after it is not to be trusted.
        raise KeyboardInterrupt
    answer = add_text(answer, "command line")
    screen = screen_of(sys.stdout) if destination.file is None else PAPER
    progress.close_bar()
    typed = typed_command()
    text = render(
        answer,
        destination.form,
        replace(screen, command=typed, raw_csv=destination.raw_csv, title=destination.title),
    )
    if destination.file is None:
        text = without_commands(text, destination.form) if in_ci() else text
        put(_encodable(text, destination.form, sys.stdout) if isinstance(sys.stdout, io.TextIOWrapper) else text)
    else:
        write_file(destination.file, text)
        say_written(destination.file)
    if destination.form == "html" and answer.charts and not answers.ready():
        say(f"the page has no charts: {answers.no_room() or f'install what draws them with {answers.INSTALL}'}")
    if interrupts is not None:
        way = "printed" if destination.file is None else "written"
        interrupts.printed = f"the answer that was {way} is {'partial' if partial else 'whole'}"
    # All charts are drawn before the first is written.
    drawn = [(path, answers.written(answers.chart(answer, name), path.suffix)) for name, path in destination.charts]
    for path, content in drawn:
        write_file(path, content)
    return answer


def typed_command() -> str:
    """The command as it was typed, where one was."""
    context = click.get_current_context()
    return shlex.join(["tellapart", *context.meta[TYPED]]) if TYPED in context.meta else ""


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file whole, or say that it could not be; what no encoding has is spelled out, as on stdout."""
    try:
        write_whole(path, content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise Unwritten(
            f"{path} could not be written ({error.strerror or error}); no existing file was changed"
        ) from None


def say_written(path: Path) -> None:
    """Name on stderr the file that an answer went to."""
    say(shown(f"written: {path}"))


def report_bad_rows(file: str | None, rows: tuple[BadRow, ...]) -> None:
    """Name on stderr the rows of a file that could not be used, and why."""
    for row in rows:
        say(shown(f"{file}, line {row.line}: {spell_marks(row.problem, 'command line')}"))


def screen_of(stream: TextIO) -> Screen:
    """The terminal behind a stream, in colour unless told not to (no-color.org), or paper."""
    if not stream.isatty():
        return PAPER
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return Screen(min(WIDEST, _output_columns(stream)), color=not plain, terminal=True)


def say_wrapped(message: str) -> None:
    """A message on stderr, broken between words as wide as its terminal; commands stay whole, so that they can be pasted."""
    width = screen_of(sys.stderr).width
    lines = ([line] if line.startswith("  tellapart ") else wrapped(line, width) for line in message.splitlines())
    say("\n".join(part for parts in lines for part in parts))


def _output_columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or WIDEST
    except OSError:
        return WIDEST


def _encodable(text: str, form: str, out: io.TextIOWrapper) -> str:
    """The text with signs that the stream can encode: JSON and pages are UTF-8, and elsewhere a minus must stay a minus."""
    if form in {"json", "html"}:
        out.reconfigure(encoding="utf-8")
        return text
    try:
        text.encode(out.encoding)
    except UnicodeEncodeError:
        out.reconfigure(errors="backslashreplace")
        return text.translate(_PLAIN_SIGNS)
    return text


_PLAIN_SIGNS = str.maketrans(
    {"−": "-", "–": "-", "Δ": "Delta", "±": "+/-", "•": "*", "…": "..."}
    | dict(zip("─├┤└│·●○◆◇▲△■□", "-||+|.*o#%^vx=", strict=True))
)
"""Substitutes for signs that an old terminal lacks."""
