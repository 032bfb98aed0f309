"""`tellapart plan`: power or sample size, with flags generated from the fields of the population."""

import importlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import click

from tellapart.cli.flags import (
    Decorator,
    LazyHelpOption,
    LongWorkFlags,
    comma_values,
    exit_code,
    format_examples,
    question_flags,
    stack_decorators,
)
from tellapart.cli.grouped_help import GROUPS, GroupedCommand
from tellapart.cli.output import Destination, output_flags, show
from tellapart.cli.plan_examples import EXAMPLES, Kept, population_examples
from tellapart.cli.progress import simulation_progress
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Option, name_of, options, read_value, setting, wanted
from tellapart.foundation.surfaces import option
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.wrapper import Wrapper
from tellapart.verbs.measure_rules import SeveralMeasures
from tellapart.verbs.plan import PlanQuestion, planned
from tellapart.verbs.plan.population_options import (
    every_option,
    infer_population,
    make_named,
    make_unnamed,
    wrapped_kinds,
)

UNNAMED = ""
"""In place of a population's name: its flags say which it is."""
OF_THEIR_OWN = ("arena", "judged")
"""Plans that are no population of two systems: a leaderboard of votes, and a judge with people's labels."""
MOST_COMMANDS = 64
"""Commands that a server keeps, because making one takes as long as parsing a plan."""


class _UnnamedContext(click.Context):
    """A context without a name, so that usage lines have no blank in its place."""

    @property
    def command_path(self) -> str:
        return super().command_path.rstrip()


class _PlanCommand(Kept, GroupedCommand):
    """A plan of one population, whose short help leaves out what is assumed."""

    short_paragraphs = 1


class _Unnamed(_PlanCommand):
    short_paragraphs = 2
    context_class = _UnnamedContext


class Populations(click.Group):
    """Finds the population by name and makes its command; a whole spelling may stand in place of the name, or nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (click's signature)
        return [*POPULATIONS, *OF_THEIR_OWN]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:  # noqa: ARG002  (click's signature)
        if cmd_name == UNNAMED:
            return unnamed_command()
        if cmd_name in OF_THEIR_OWN:
            found: click.Command = importlib.import_module(
                f"tellapart.cli.plan_{cmd_name}"
            ).command  # needs the readers
            return found
        if name_of(cmd_name) not in POPULATIONS and os.path.exists(cmd_name):  # noqa: PTH110  (False for what can be no path)
            raise UsageError(
                f"{cmd_name} is a file; what it holds is planned from as a pilot: tellapart plan pilot {cmd_name} …"
            )
        return population_command(cmd_name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        flag_first = args and args[0].startswith("-") and args[0] not in ctx.help_option_names
        if flag_first:
            _refuse_populations(args)
        return super().parse_args(ctx, [UNNAMED, *args] if flag_first else args)


command = Populations(
    "plan",
    help="How many items, what effect could be found, how often? Give two of --items, --effect and --power; the third is solved. "
    "Power is 0.8 if you give only one.\n\n"
    "Comma lists make a grid; ranges are low:high. Each population has flags of its own (tellapart plan gaussian --help), and its name "
    "may be left out where they say which it is (tellapart plan --help-all).",
    epilog=format_examples(EXAMPLES),
    subcommand_metavar="[POPULATION] [FILE] [OPTIONS]...",
)


@dataclass(frozen=True)
class Recorded(SeveralMeasures):
    """Facts for a plan file about the files that will be compared, and the rules that several measures are judged by."""

    measures: None = setting(None, flag=False)

    measure: str | None = setting(None, f"With {option('save')}: which score will be compared.", metavar="M")
    dataset: str | None = setting(None, f"With {option('save')}: on which dataset alone.", metavar="D")


def population_command(spelling: str) -> click.Command:
    """The command of one population: its fields as flags, and what every plan takes."""
    return _population_command(spelling, POPULATIONS[name_of(spelling)])


@lru_cache(MOST_COMMANDS)
def _population_command(spelling: str, kind: type[Population]) -> click.Command:
    own = {one.name: one for one in options(kind)}
    within = _wrapped_options(kind) if spelling == kind.name else {}
    known = {**own, **within}

    def populations(texts: dict[str, str], **given: Any) -> list[Population]:
        owners = {one.name: (who, one) for who in reversed(wrapped_kinds(kind, texts)) for one in options(who)}
        # An option of a population that is not wrapped here stays a text: it is refused below, by name.
        grids = {name: _flag_values(*owners[name], text) if name in owners else [text] for name, text in texts.items()}
        if kind.name == "runs":
            from tellapart.cli.pilot import runs_of_log  # noqa: PLC0415  (only a log needs the readers)

            return make_named(spelling, runs_of_log(grids, given["compared"], given["source"]))
        if kind.from_spelling:
            return make_named(spelling, grids)
        from tellapart.cli.pilot import pilots  # noqa: PLC0415  (only a pilot needs the readers)

        return list(pilots(grids.get("effect", [None]), **given))

    flags = [_plan_flag(one.name, _capitalised(one.help or wanted(one))) for one in own.values()]
    telling = ("effect", *(name for name in own if name != "effect" and f"{name}=" in kind.examples[0]))
    flags += [_plan_flag(name, "", hidden=True) for name in within]
    if kind.name == "runs":
        from tellapart.cli.pilot import log_flags  # noqa: PLC0415  (only a log needs the readers)

        flags = [log_flags(), *flags]
    elif kind.from_spelling:
        flags.append(question_flags(recorded=Recorded))
    else:
        from tellapart.cli.pilot import pilot_flags  # noqa: PLC0415  (only a pilot needs the readers)

        flags = [pilot_flags(), *flags]
        telling = ("a", "b", "measure", *telling)
    made = _with_help(kind, (*telling, *ESSENTIAL))(_planning(known, flags, populations))
    made.params = list({param.name: param for param in reversed(made.params)}.values())[::-1]
    return _hide_groups(made, _idle_groups(kind))


def _with_help(kind: type[Population], essential: tuple[str, ...]) -> Callable[[Any], click.Command]:
    epilog = format_examples(population_examples(kind))
    told: dict[str, Any] = {"help": kind.__doc__, "short_help": kind.label, "epilog": epilog}
    return click.command(kind.name, cls=_PlanCommand, essential=essential, **told)


ESSENTIAL = ("items", "power", "test", "output")
"""Flags of every plan that its short help shows."""


def _idle_groups(kind: type[Population]) -> set[str]:
    """Groups of flags that say nothing of this population: typed all the same, they are refused with the reason."""
    rated, of_runs = kind.by_raters or not kind.from_spelling, kind.name == "runs"
    told_by_evidence = (
        kind.evidence_kind or issubclass(kind, Wrapper) or kind.options_beside(("evidence",)) != options(kind)
    )
    told = {"evidence": told_by_evidence, "pilot": not kind.from_spelling, "raters": rated, "runs": of_runs}
    return {group for group, used in {**told, "costs": rated or of_runs}.items() if not used}


def _hide_groups(made: click.Command, groups: set[str]) -> click.Command:
    idle = {one.name for one in options(PlanQuestion) if one.group in groups}
    for param in made.params:
        if isinstance(param, click.Option) and param.name in idle:
            param.hidden = True
    return made


def unnamed_command() -> click.Command:
    """The command that takes every flag of a population, and finds out whose they are."""
    return _unnamed_command(tuple(POPULATIONS[name] for name in POPULATIONS))


@lru_cache(1)
def _unnamed_command(_: tuple[type[Population], ...]) -> click.Command:
    known = every_option()

    def populations(texts: dict[str, str], words: tuple[str, ...]) -> Any:
        _plan_refuse(words)
        kinds = infer_population(texts)
        own = {one.name: (kind, one) for kind in reversed(kinds) for one in options(kind)}
        return make_unnamed({name: _flag_values(*own[name], text) for name, text in texts.items()})

    flags = [
        *(_plan_flag(name, _meanings(owners)) for name, owners in known.items()),
        question_flags(recorded=Recorded),
    ]
    made = click.command(
        UNNAMED,
        cls=_Unnamed,
        essential=("effect", *ESSENTIAL),
        help=command.help,
        epilog=format_examples(EXAMPLES),
    )
    words = click.argument("words", nargs=-1, metavar="")
    return made(words(_planning(known, flags, populations)))


def _planning(known: Mapping[str, Any], flags: list[Decorator], populations: Callable[..., Any]) -> Any:
    """A plan of the populations that are made of these flags."""

    def run(question: PlanQuestion, work: LongWorkFlags, destination: Destination, **given: Any) -> int:
        if "source" in given and question.item_order is None:
            question = replace(question, universe=None)  # it is that of the pilot's files
        texts = {name: text for name in known if (text := given.pop(name)) is not None}
        recorded = _recorded(given, question)
        subject = populations(texts, **given)
        asked = replace(
            question,
            **work.options,
            progress=simulation_progress(),
            **recorded,
        )
        answer = planned(subject, asked)
        show(answer, destination)
        return exit_code(answer)

    return stack_decorators(
        [
            *flags,
            question_flags(question=PlanQuestion, work=LongWorkFlags),
            output_flags("plan", csv=True),
        ]
    )(run)


def _recorded(given: dict[str, Any], question: PlanQuestion) -> dict[str, Any]:
    """The measure and the dataset that a plan file records. A pilot has read them, and what it has read needs no file."""
    recorded, source = given.pop("recorded", None), given.get("source")
    rules = () if recorded is None else recorded.rule_texts
    if source is not None and question.save is not None:
        recorded, _ = source.settled(given["compared"])
        if source.qrels and question.lower_is_better:
            raise UsageError(f"--lower-is-better was given, but higher {recorded.measure} is better; leave it out")
    return {} if recorded is None else {"measure": recorded.measure, "dataset": recorded.dataset, "rules": rules}


def _plan_flag(name: str, meaning: str, *, hidden: bool = False) -> Decorator:
    names = dict.fromkeys([f"--{name.replace('_', '-')}", f"--{name}"])
    group = GROUPS["population"]
    return click.option(
        *names, name, cls=LazyHelpOption, make_help=lambda: meaning, group=group, metavar="V[,V…]", hidden=hidden
    )


def _capitalised(meaning: str) -> str:
    """A sentence, as in the help of other flags.

    >>> _capitalised("items in a cluster")
    'Items in a cluster.'
    """
    return f"{meaning[:1].upper()}{meaning[1:]}."


def _wrapped_options(kind: type[Population]) -> dict[str, Option]:
    """The options of what a wrapper wraps, which may be given beside its own; their help is that of the populations."""
    if not issubclass(kind, Wrapper):
        return {}
    own = {one.name for one in options(kind)}
    return {name: owners[0][1] for name, owners in every_option().items() if name not in own}


def _meanings(owners: list[tuple[str, Option]]) -> str:
    """The meaning of an option for each population that has it."""
    meant: dict[str, list[str]] = {}
    for owner, one in owners:
        meaning = one.told if isinstance(one.told, str) else one.help
        meant.setdefault(meaning or wanted(one), []).append(owner)
    if len(meant) == 1:
        return _capitalised(next(iter(meant)))
    return "; ".join(f"{', '.join(names)}: {meaning}" for meaning, names in meant.items())


def _plan_refuse(words: tuple[str, ...]) -> None:
    if words:
        raise UsageError(
            f"found {words[0]!r} behind flags; name the population, and a file, before them: tellapart plan {words[0]} …; "
            f"populations: {', '.join(POPULATIONS)}"
        )


def _refuse_populations(args: list[str]) -> None:
    """A population that was typed as a flag: `--pilot FILE`."""
    typed = {arg: arg.partition("=")[0].lstrip("-").replace("-", "_") for arg in args if arg.startswith("--")}
    for arg, name in typed.items():
        if name in POPULATIONS and name not in every_option():
            file = "" if POPULATIONS[name].from_spelling else " FILE"
            raise UsageError(f"{arg} is not a flag; the population comes first: tellapart plan {name}{file} …")


def _flag_values(kind: type[Population], option: Option, text: str) -> list[Any]:
    if option.name == "effect" and text == "observed" and not kind.from_spelling:
        return [text]
    return [read_value(kind.name, option, part) for part in comma_values(option.name, text)]
