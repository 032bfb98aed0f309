"""`tellapart plan`: one subcommand a population, its flags made of the population's fields."""

import itertools
import sys
from typing import Any

import click

from tellapart.cli.output import format_flag, show
from tellapart.errors import UsageError
from tellapart.populations import POPULATIONS, Population
from tellapart.spelling import Option, options, read_value, split, wanted
from tellapart.verbs.plan import plan

ENGINES = ("formula", "exact", "monte_carlo")


class Populations(click.Group):
    """Finds the population by name and makes its command; a whole spelling may stand in place of the name."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        return list(POPULATIONS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002  (click's signature)
        return population_command(cmd_name)


command = Populations(
    "plan",
    help="How many items, what effect could be found, how often? Give two of --items, --effect and --power; the third is solved.\n\n"
    "Comma lists make a grid; ranges are low:high. Each population has its own flags: tellapart plan gaussian --help.",
    subcommand_metavar="POPULATION [FILE] [OPTIONS]...",
)


def population_command(spelled: str) -> click.Command:
    """The command of one population: its fields as flags, and what every plan takes."""
    kind = POPULATIONS[spelled.partition("(")[0].strip()]
    fields = options(kind)
    flags: list[click.Parameter] = [_flag(o) for o in fields]
    if not kind.from_spelling:
        flags = [*_pilot_flags(), *flags]

    def run(**given: Any) -> None:
        _run(spelled, kind, fields, given)

    summary = (kind.__doc__ or "").partition("\n")[0]
    return click.Command(
        kind.name, params=[*flags, *_shared_flags()], callback=run, help=kind.__doc__, short_help=summary
    )


def _flag(option: Option) -> click.Option:
    names = dict.fromkeys([f"--{option.name.replace('_', '-')}", f"--{option.name}"])
    return click.Option([*names, option.name], metavar="V[,V…]", help=option.help or wanted(option))


def _shared_flags() -> list[click.Parameter]:
    return [
        click.Option(["--items"], metavar="N[,N…]", help="How many items."),
        click.Option(
            ["--power"], metavar="P[,P…]", help="How often the effect should be found, such as 0.8."
        ),
        click.Option(["--test"], metavar="T[,T…]", help="The test that will be run, by its spelling."),
        click.Option(["--alpha"], type=float, default=0.05, show_default=True, help="Level of the test."),
        click.Option(
            ["--comparisons"],
            type=int,
            default=1,
            show_default=True,
            help="How many comparisons share alpha.",
        ),
        click.Option(
            ["--systems"], type=int, metavar="M", help="All pairs of so many systems share alpha, as in rank."
        ),
        click.Option(
            ["--assurance"], type=float, help="Probability that the power holds, the spread being a pilot's."
        ),
        click.Option(
            ["--evidence"],
            metavar="E",
            help="Where the overlap of right-or-wrong systems comes from if not given: a name (tellapart evidence) or a file.",
        ),
        *_engine_flags(),
        *_parameters(format_flag("csv")),
    ]


def _engine_flags() -> list[click.Parameter]:
    return [
        click.Option(["--engine"], type=click.Choice(ENGINES), help="Insist on one way to compute power."),
        click.Option(
            ["--replicates"],
            type=click.IntRange(min=1),
            default=10_000,
            show_default=True,
            help="Simulated evaluations.",
        ),
        click.Option(
            ["--seed"],
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="For what is simulated.",
        ),
        click.Option(
            ["--workers"], type=click.IntRange(min=1), help="Threads to simulate with (default: one a core)."
        ),
    ]


def _pilot_flags() -> list[click.Parameter]:
    from tellapart.cli.input import input_flags  # noqa: PLC0415  (only a pilot needs the readers)

    names = [
        click.Option(["--a"], metavar="S", help="System A of the pilot."),
        click.Option(["--b"], metavar="S", help="System B."),
    ]
    drop = click.Option(
        ["--missing"],
        type=click.Choice(["error", "drop"]),
        default="error",
        show_default=True,
        help="Items only one has.",
    )
    # A plan asks for an effect in either direction and gives no verdict, so there is nothing to turn round.
    read = [flag for flag in _parameters(input_flags) if flag.name != "lower_is_better"]
    return [*read, *names, drop]


def _parameters(decorator: Any) -> list[click.Parameter]:
    """The parameters that a click decorator would add."""

    def bare() -> None: ...

    decorated = decorator(bare)
    return list(reversed(decorated.__click_params__))


def _run(spelled: str, kind: type[Population], fields: list[Option], given: dict[str, Any]) -> None:
    grids = {o.name: _values(kind, o, given.pop(o.name)) for o in fields}
    form, workers = given.pop("form"), given.pop("workers")
    shared = {
        name: given.pop(name)
        for name in (
            "alpha",
            "comparisons",
            "systems",
            "assurance",
            "evidence",
            "engine",
            "replicates",
            "seed",
        )
    }
    items, power = _numbers("items", given.pop("items"), int), _numbers("power", given.pop("power"), float)
    tests = _listed("test", given.pop("test"))
    populations = list(_grid(spelled, kind, grids, given))
    with _bar() as progress:
        answer = plan(
            populations, test=tests, items=items, power=power, executor=workers, progress=progress, **shared
        )
    show(answer, form)


def _listed(name: str, text: str | None) -> list[str] | None:
    """The values of a comma list, commas inside parentheses being part of a value; None where the flag is absent."""
    values = None if text is None else split(text)
    if values == []:
        raise UsageError(f"--{name.replace('_', '-')} is empty; give at least one value, or leave it out")
    return values


def _values(kind: type[Population], option: Option, text: str | None) -> list[Any]:
    if option.name == "effect" and text == "observed" and not kind.from_spelling:
        return [text]
    return [read_value(kind.name, option, part) for part in _listed(option.name, text) or []]


def _numbers(name: str, text: str | None, kind: type) -> list[Any] | None:
    option, values = Option(name, kind, None, always=False, help=""), _listed(name, text)
    return None if values is None else [read_value("plan", option, part) for part in values]


def _grid(spelled: str, kind: type[Population], grids: dict[str, list[Any]], given: dict[str, Any]) -> Any:
    asked = {name: values for name, values in grids.items() if values}
    if not kind.from_spelling:
        from tellapart.cli.pilot import pilots  # noqa: PLC0415  (only a pilot needs the readers)

        yield from pilots(asked.get("effect", [None]), given)
        return
    for combination in itertools.product(*asked.values()):
        changes = dict(zip(asked, combination, strict=True))
        yield POPULATIONS.parse(spelled).replace(**changes) if "(" in spelled else _made(kind, changes)


def _made(kind: type[Population], changes: dict[str, Any]) -> Population:
    absent = [o.name for o in options(kind) if o.required and o.name not in changes]
    if absent:
        raise UsageError(
            f"{kind.name} needs {' and '.join('--' + name.replace('_', '-') for name in absent)}"
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
