"""Help in two lengths: `-h` shows the options that most questions need, `--help-all` every option in groups."""

import inspect
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

import click

GROUPS = {
    "claim": "The claim",
    "population": "Scores assumed",
    "compared": "Systems",
    "planned_raters": "Raters",
    "source": "Your file",
    "table": "Your file",
    "question": "Method",
    "pilot": "Method",
    "evidence": "Method",
    "costs": "Costs",
    "raters": "Costs",
    "runs": "Costs",
    "looks": "Method",
    "simulation": "Simulation",
    "saved": "Plan file",
    "recorded": "Plan file",
    "gates": "Exit code",
    "exits": "Exit code",
    "work": "Speed and storage",
    "output": "Output",
}
"""Headings of groups by the part of a command that brings their options."""
_OUTPUT = {"form", "output", "title", "raw_csv", "changed", "site", "since"}
_COLUMN = 22
"""Characters that flags may take before their help begins in a line of its own."""
RUNNING = "tellapart.running"
"""Key of the command that is run in the `meta` of click's context."""
OTHER = "Options"
"""The heading of options that no part brings."""


class GroupedCommand(click.Command):
    """A command whose help is short unless all of it is asked for; with nothing typed it shows that help."""

    short_paragraphs = 2
    """Paragraphs of its text that the short form keeps."""

    def __init__(self, *words: Any, essential: tuple[str, ...] = (), **shape: Any) -> None:
        required = [one for one in shape.get("params") or () if isinstance(one, click.Argument) and one.required]
        super().__init__(*words, **{"no_args_is_help": bool(required), **shape})
        self.essential = essential

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        if parent is not None:
            parent.meta[RUNNING] = self
        return super().make_context(info_name, args, parent, **extra)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        every = click.Option(
            ["--help-all"],
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=_print_all,
            help="Show every option and exit.",
        )
        return [*super().get_params(ctx), every]

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        text = inspect.cleandoc(self.help or "")
        shown = text if _is_full(ctx) else "\n\n".join(text.split("\n\n")[: self.short_paragraphs])
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(shown)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        by_name = {
            str(one.name): one for one in self.get_params(ctx) if isinstance(one, click.Option) and not one.hidden
        }
        essential = [by_name[name] for name in self.essential]
        others = _grouped(one for one in by_name.values() if one not in essential)
        with formatter.section("Essential" if _is_full(ctx) else "Options"):
            formatter.write_dl(_records(essential, ctx, whole=_is_full(ctx)), col_max=_COLUMN)
        if not _is_full(ctx):
            with formatter.section(f"More ({ctx.command_path} --help-all)"):
                formatter.write("".join(f"  {line}\n" for line in _names(others, formatter.width)))
            return
        for title, members in others.items():
            with formatter.section(title):
                formatter.write_dl(_records(members, ctx, whole=True), col_max=_COLUMN)


def _names(groups: dict[str, list[click.Option]], width: int) -> Iterator[str]:
    """Groups with the names of their options, none of which is broken."""
    indent = max(map(len, groups)) + 2
    for title, members in groups.items():
        if title != OTHER:
            names = " ".join(max(one.opts, key=len) for one in members)
            lines = textwrap.wrap(names, width - indent - 2, break_on_hyphens=False)
            yield from (f"{title if i == 0 else '':{indent}}{line}" for i, line in enumerate(lines))


def _grouped(members: Iterable[click.Option]) -> dict[str, list[click.Option]]:
    found: dict[str, list[click.Option]] = {title: [] for title in [*GROUPS.values(), OTHER]}
    for one in members:
        own = getattr(one, "group", OTHER)
        found[GROUPS["output"] if one.name in _OUTPUT else own].append(one)
    return {title: options for title, options in found.items() if options}


def _records(members: Iterable[click.Option], ctx: click.Context, *, whole: bool) -> list[tuple[str, str]]:
    """Flags and their help, of which the short form keeps the first sentence."""
    records = [record for one in members if (record := one.get_help_record(ctx)) is not None]
    records = [(re.sub(r", --\w+", "", flag) if flag.startswith("--") else flag, text) for flag, text in records]
    return records if whole else [(flag, re.split(r"(?<=[.?])\s", text)[0]) for flag, text in records]


def _is_full(ctx: click.Context) -> bool:
    return bool(ctx.meta.get("help_all"))


def _print_all(ctx: click.Context, _option: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()
