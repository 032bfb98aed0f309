"""The flag `--chart`: which chart goes into which file, said before anything is computed and written after all is printed."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from tellapart.answers.answer import Answer
from tellapart.cli.flags import Decorator
from tellapart.cli.streams import deliver
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option

CHARTS = "tellapart.answers.drawing"


@dataclass(frozen=True)
class ChartFile:
    """The chart of this name, or the first that there is, in the form that the suffix says."""

    name: str | None
    path: Path


class _ChartOption(click.Option):
    """Its help names the charts, which are looked up only to be shown."""

    kind: str

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        from tellapart.answers.drawing import drawings  # noqa: PLC0415  (only help needs them)

        names = ", ".join(one.name for one in drawings(self.kind))
        self.help = (
            f"Also draw: FILE ends in .svg, .png, .pdf or .json (Vega-Lite); may be repeated. NAME: {names}."
        )
        return super().get_help_record(ctx)


def chart_flag(kind: str) -> Decorator:
    """`--chart`, for a command whose answers are of this kind."""

    def keep(ctx: click.Context, _: click.Parameter, given: tuple[str, ...]) -> None:
        if given:
            ctx.meta[CHARTS] = [_chart_file(kind, text) for text in given]

    class Option(_ChartOption):
        pass

    Option.kind = kind
    return click.option(
        "--chart", cls=Option, multiple=True, metavar="[NAME=]FILE", expose_value=False, callback=keep
    )


def _chart_file(kind: str, text: str) -> ChartFile:
    """What was asked for, or why it cannot be had: an unknown name or ending, a missing library, a file out of reach."""
    from tellapart.answers.drawing import drawings  # noqa: PLC0415  (only a chart needs them)
    from tellapart.answers.drawing.files import SUFFIXES  # noqa: PLC0415
    from tellapart.answers.drawing.theme import required  # noqa: PLC0415
    from tellapart.foundation.files import refuse_unwritable  # noqa: PLC0415

    named = re.fullmatch(r"(\w+)=(.+)", text)
    name, path = (named[1], Path(named[2])) if named else (None, Path(text))
    known = [one.name for one in drawings(kind)]
    if name is not None and name not in known:
        raise UsageError(f"{option('chart', text)}: no chart is called {name!r}; charts: {', '.join(known)}")
    if path.suffix not in SUFFIXES:
        raise UsageError(
            f"{option('chart', text)}: found the ending {path.suffix!r}; wanted {', '.join(SUFFIXES)}"
        )
    for module in ("altair", "vl_convert"):
        required(module)
    refuse_unwritable(path)
    return ChartFile(name, path)


def write_charts(answer: Answer, files: list[Any]) -> None:
    """All charts are drawn before the first is written."""
    from tellapart.answers.drawing import chart  # noqa: PLC0415  (only a chart needs them)
    from tellapart.answers.drawing.files import written  # noqa: PLC0415

    drawn = [(one.path, written(chart(answer, one.name), one.path.suffix)) for one in files]
    for path, content in drawn:
        deliver(path, content)
