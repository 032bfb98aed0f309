"""`tellapart plan`: one subcommand per population, its flags made of the population's fields."""

import itertools
import sys
from dataclasses import dataclass, replace
from typing import Any

import click

from tellapart.cli.examples import examples
from tellapart.cli.flags import Decorator, listed, stacked, taking
from tellapart.cli.output import format_flag, show
from tellapart.cli.plan_examples import EXAMPLES, OF_POPULATIONS
from tellapart.errors import UsageError
from tellapart.populations import POPULATIONS, Population
from tellapart.spelling import Option, Question, Range, name_of, options, read_value, setting, wanted
from tellapart.verbs.plan import PlanQuestion, planned


class Populations(click.Group):
    """Finds the population by name and makes its command; a whole spelling may stand in place of the name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        return list(POPULATIONS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002  (click's signature)
        return population_command(cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise UsageError(
                f"found {error.option_name} before the population; name what the scores are like first, as in "
                f"tellapart plan gaussian {error.option_name} …; populations: {', '.join(POPULATIONS)}"
            ) from None


command = Populations(
    "plan",
    help="How many items, what effect could be found, how often? Give two of --items, --effect and --power; the third is solved.\n\n"
    "Comma lists make a grid; ranges are low:high. Each population has its own flags: tellapart plan gaussian --help.",
    epilog=examples(EXAMPLES),
    subcommand_metavar="POPULATION [FILE] [OPTIONS]...",
)


@dataclass(frozen=True)
class Hands(Question):
    """Who simulates."""

    workers: int | None = setting(
        None, "Threads to simulate with (default: one per core).", range=Range(least=1)
    )


def population_command(spelled: str) -> click.Command:
    """The command of one population: its fields as flags, and what every plan takes."""
    kind = POPULATIONS[name_of(spelled)]
    fields = options(kind)

    def run(question: PlanQuestion, hands: Hands, form: str, **given: Any) -> None:
        grids = {o.name: _values(kind, o, given.pop(o.name)) for o in fields}
        populations = list(_grid(spelled, kind, grids, given))
        with _bar() as progress:
            answer = planned(populations, replace(question, executor=hands.workers, progress=progress))
        show(answer, form)

    flags = [*map(_flag, fields), taking(question=PlanQuestion, hands=Hands), format_flag("csv")]
    if not kind.from_spelling:
        from tellapart.cli.pilot import pilot_flags  # noqa: PLC0415  (only a pilot needs the readers)

        flags = [pilot_flags(), *flags]
    summary = (kind.__doc__ or "").partition("\n")[0]
    epilog = examples(OF_POPULATIONS.get(kind.name, EXAMPLES))
    return click.command(kind.name, help=kind.__doc__, short_help=summary, epilog=epilog)(stacked(flags)(run))


def _flag(option: Option) -> Decorator:
    names = dict.fromkeys([f"--{option.name.replace('_', '-')}", f"--{option.name}"])
    return click.option(*names, option.name, metavar="V[,V…]", help=option.help or wanted(option))


def _values(kind: type[Population], option: Option, text: str | None) -> list[Any]:
    if option.name == "effect" and text == "observed" and not kind.from_spelling:
        return [text]
    return [
        read_value(kind.name, option, part) for part in ([] if text is None else listed(option.name, text))
    ]


def _grid(spelled: str, kind: type[Population], grids: dict[str, list[Any]], given: dict[str, Any]) -> Any:
    asked = {name: values for name, values in grids.items() if values}
    if not kind.from_spelling:
        from tellapart.cli.pilot import pilots  # noqa: PLC0415  (only a pilot needs the readers)

        yield from pilots(asked.get("effect", [None]), **given)
        return
    for combination in itertools.product(*asked.values()):
        changes = dict(zip(asked, combination, strict=True))
        yield POPULATIONS.parse(spelled).replace(**changes) if "(" in spelled else _made(kind, changes)


def _made(kind: type[Population], changes: dict[str, Any]) -> Population:
    absent = [o.name for o in options(kind) if o.required and o.name not in changes]
    if absent:
        raise UsageError(
            f"{kind.name} needs {' and '.join('--' + name.replace('_', '-') for name in absent)}; "
            f"tellapart plan {kind.name} --help says what they are"
        )
    return kind(**changes)


class _bar:  # noqa: N801  (used as a context, like a function)
    """A progress bar on stderr while simulating, and silence where nobody looks."""

    def __enter__(self) -> Any:
        self.shown: Any = None
        return self.advance if sys.stderr.isatty() else None

    def advance(self, done: int, total: int) -> None:
        if self.shown is None:
            from rich.console import Console  # noqa: PLC0415
            from rich.progress import Progress  # noqa: PLC0415

            self.shown = Progress(console=Console(stderr=True), transient=True)
            self.task = self.shown.add_task("simulating", total=total)
            self.shown.start()
        self.shown.update(self.task, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        if self.shown is not None:
            self.shown.stop()
