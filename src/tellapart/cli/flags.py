"""Command-line flags generated from the fields of question dataclasses, and the flags that many commands share."""

import functools
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click

from tellapart.cli.grouped_help import GROUPS, OTHER
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import (
    Option,
    Question,
    alternatives,
    hundredths,
    options,
    read_value,
    setting,
    split,
)
from tellapart.foundation.surfaces import spell_marks, verb
from tellapart.verbs.work_options import LIMIT, MIXED, STORE, WORKERS

# The examples that end the help of every command; each command says its own, beside its flags.

_WIDEST = 74
"""Characters: with the indent of help, eighty columns hold them."""
_NEXT_LINE = " \\\n      "


def format_examples(lines: tuple[str, str]) -> str:
    """Click's epilog of examples; a long command continues on the next line, as a shell reads it."""
    return "\n".join(["\b", "Examples:", *(f"  {_NEXT_LINE.join(_flags_broken(line))}" for line in lines)])


def _flags_broken(line: str) -> list[str]:
    """A command in lines that end before a flag.

    >>> _flags_broken("tellapart " + "--effect 0.02 " * 6)
    ['tellapart --effect 0.02 --effect 0.02 --effect 0.02 --effect 0.02', '--effect 0.02 --effect 0.02']
    """
    # What belongs to a flag is one word while lines are broken.
    joined = re.sub(r"(--\S+) (?!-)", "\\1\0", line.strip())
    return [part.replace("\0", " ") for part in textwrap.wrap(joined, _WIDEST, break_on_hyphens=False)]


# What a flag that may be repeated says as key=value.


def key_values(flag: str, given: Iterable[str], shape: str, example: str) -> dict[str, str]:
    """Every key with its value; one that is given two values is refused."""
    said: dict[str, str] = {}
    for text in given:
        key, equals, value = (s.strip() for s in text.partition("="))
        if not (key and equals and value):
            raise UsageError(f"--{flag} {text!r} should be {shape}, for example --{flag} {example}")
        if said.setdefault(key, value) != value:
            raise UsageError(f"--{flag} says that {key} is {said[key]!r} and {value!r}; name one")
    return said


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def question_flags(**kinds: type) -> Decorator:
    """Give a command the flags of these questions, in this order, and each question that they fill under its name."""
    offered = {name: [one for one in options(kind) if one.flag] for name, kind in kinds.items()}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            # What two questions of one command ask by the same flag, both hear.
            said = click.get_current_context().params | given
            typed = {
                name: {one.name: _flags_typed(one, said[one.name]) for one in shown} for name, shown in offered.items()
            }
            taken = {one.name for shown in offered.values() for one in shown}
            given = {name: value for name, value in given.items() if name not in taken}
            return command(**{name: kind(**typed[name]) for name, kind in kinds.items()}, **given)

        made = [
            _parameter(one, GROUPS.get(one.group or name, OTHER)) for name, shown in offered.items() for one in shown
        ]
        return stack_decorators(made)(run)

    return decorate


def _flags_typed(option: Option, value: Any) -> Any:
    """The typed values by option; for options that make a grid, the values of a comma list."""
    if not option.many or value is None:
        return value
    if any(re.fullmatch(r"0\d\d", part) for part in split(value)):
        raise UsageError(f"--{option.name} {value} is read as a list; write thousands without a comma")
    return [read_value(_command(), option, part) for part in comma_values(option.name, value)]


def typed_options() -> set[str]:
    """The options that were typed, and not left at their defaults."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    return {name for name in context.params if context.get_parameter_source(name) is typed}


def _command() -> str:
    """The command that is run, as it is typed behind the program's name."""
    return click.get_current_context().command_path.partition(" ")[2].strip()


def comma_values(name: str, text: str) -> list[str]:
    """The values of a comma list, commas inside parentheses being part of a value."""
    values = split(text)
    if not values:
        raise UsageError(f"--{name.replace('_', '-')} is empty; give at least one value, or leave it out")
    return values


def stack_decorators(decorators: list[Decorator]) -> Decorator:
    """Decorators as if they were written above a function in this order."""
    return lambda command: functools.reduce(lambda made, add: add(made), reversed(decorators), command)


class LazyHelpOption(click.Option):
    """A flag whose help is made when it is shown, in a group of its command's help."""

    def __init__(self, *names: Any, make_help: Callable[[], str], group: str = OTHER, **shape: Any) -> None:
        super().__init__(*names, **shape)
        self._make_help, self.group = make_help, group

    @property
    def help(self) -> str:
        return self._make_help()

    @help.setter  # noqa: A003  (the name that click gives it)
    def help(self, _nothing: str | None) -> None:
        pass


def _parameter(option: Option, group: str) -> Decorator:
    if option.kind == "argument":
        optional = (option.metavar or "").startswith("[")
        return click.argument(option.name, nargs=-1, required=not optional, metavar=option.metavar)
    shown = option.default is not None and not isinstance(option.default, bool | tuple)
    default = {"default": option.default, "show_default": True} if shown else {}
    spelled = option.name.rstrip("_").replace("_", "-")  # Python has a word `as` of its own
    return click.option(
        *([f"-{spelled}"] if len(spelled) == 1 else []),
        f"--{spelled}",
        option.name,
        cls=LazyHelpOption,
        group=group,
        make_help=lambda: spell_marks(option.help, "command line"),
        # Told of in the help of another flag: sd_a in that of sd.
        hidden=not option.told,
        metavar=f"{option.metavar}[,{option.metavar}…]" if option.many else option.metavar,
        **(_flags_shape(option) | default),
    )


def _flags_shape(option: Option) -> dict[str, Any]:
    """The click type of an option; types that no shell can write are left to the question."""
    several = () if option.many or isinstance(option.type, type) else alternatives(option.type)
    kinds = [kind for kind in several if kind is not NoneType] or [str if option.many else option.type]
    if kinds == [bool]:
        return {"is_flag": True, "default": option.default}
    if len(kinds) == 1 and get_origin(kinds[0]) is Literal:
        return {"type": click.Choice(get_args(kinds[0]))}
    if len(kinds) == 1 and get_origin(kinds[0]) is tuple:
        (each, _) = get_args(kinds[0])
        return {
            "multiple": True,
            **({"type": click.Choice(get_args(each))} if get_origin(each) is Literal else {}),
        }
    return {"type": Number() if kinds[0] is float else int if kinds[0] is int else str}


class Number(click.types.FloatParamType):
    """A number, or a share in percent: `2%` is 0.02."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        share = hundredths(value) if isinstance(value, str) else None
        return super().convert(value, param, ctx) if share is None else share


# Who does the work of a command that can take long.

LOST = 4
"""The exit code of an answer that is partial because work was lost."""


@dataclass(frozen=True)
class WorkFlags(Question):
    """Who computes, and whether workers may differ."""

    workers: str | None = setting(None, WORKERS, metavar="W")
    mixed: bool = setting(default=False, help=MIXED)

    @property
    def options(self) -> dict[str, Any]:
        """The given values, as fields of a question."""
        given = {"executor": self.workers} if self.workers is not None else {}
        return {**given, "mixed": True} if self.mixed else given


@dataclass(frozen=True)
class LongWorkFlags(WorkFlags):
    """Worker flags, with a store and a time limit."""

    store: str | None = setting(None, STORE, metavar="FILE")
    time_limit: str | None = setting(None, LIMIT, metavar="TIME")

    @property
    def options(self) -> dict[str, Any]:
        kept = {"store": self.store, "time_limit": self.time_limit}
        return super().options | {name: value for name, value in kept.items() if value is not None}


def exit_code(answer: Any) -> int:
    """The exit code of an answer: an error where a piece of the work was lost, whatever was answered without it."""
    return LOST if any(note.code == "work_lost" for note in answer.notes) else 0


# Flags of commands that read files: which logs are taken and how, and the one that lets larger files
# through than usual.


def partial_setting() -> Any:
    return setting(default=False, help="Also read logs of unfinished evaluations.")


def same_system_setting() -> Any:
    return setting(None, "How to treat two logs of one system: as two systems, as repeats, or only the newest.")


def format_setting() -> Any:
    return setting(
        None,
        f"Format of the files, if their content does not show it (see {verb('formats')}).",
        metavar="NAME",
    )


def limit_setting() -> Any:
    return setting(
        (),
        "Raise limits on input files: bytes (8 GiB once unpacked), ratio (500 times its size, past 64 MiB), line (64 "
        "MiB), record (256 MiB), columns (100000), nesting (200), members (200000), entries (100000), depth (8).",
        metavar="LIMIT=N",
    )


def limits_of(given: tuple[str, ...]) -> dict[str, str]:
    """The limits that the flag sets, by name."""
    return key_values("limit", given, "limit=number", "bytes=1e10")
