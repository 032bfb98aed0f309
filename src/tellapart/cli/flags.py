"""Flags made of options: said once where the question is, and a command gets them as one object."""

import functools
import re
from collections.abc import Callable
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click

from tellapart.doors import spelled
from tellapart.errors import UsageError
from tellapart.spelling import Option, alternatives, options, read_value, split

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def taking(**kinds: type) -> Decorator:
    """Give a command the flags of these questions, in this order, and each question that they fill under its name."""
    offered = {name: [one for one in options(kind) if one.flag] for name, kind in kinds.items()}

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            filled = {
                name: kind(**{one.name: _typed(one, given.pop(one.name)) for one in offered[name]})
                for name, kind in kinds.items()
            }
            return command(**filled, **given)

        return stacked([_parameter(one) for shown in offered.values() for one in shown])(run)

    return decorate


def _typed(option: Option, value: Any) -> Any:
    """What was typed: of an option that makes a grid, the values of a comma list."""
    if not option.many or value is None:
        return value
    if any(re.fullmatch(r"0\d\d", part) for part in split(value)):
        raise UsageError(
            f"--{option.name} {value} is a list, as commas make one; write thousands without a comma"
        )
    return [read_value(_command(), option, part) for part in listed(option.name, value)]


def given() -> set[str]:
    """The options that were typed, and not left at their defaults."""
    context = click.get_current_context()
    typed = click.core.ParameterSource.COMMANDLINE
    return {name for name in context.params if context.get_parameter_source(name) is typed}


def _command() -> str:
    """The command that is run, as it is typed behind the program's name."""
    return click.get_current_context().command_path.partition(" ")[2].strip()


def listed(name: str, text: str) -> list[str]:
    """The values of a comma list, commas inside parentheses being part of a value."""
    values = split(text)
    if not values:
        raise UsageError(f"--{name.replace('_', '-')} is empty; give at least one value, or leave it out")
    return values


def stacked(decorators: list[Decorator]) -> Decorator:
    """Decorators as if they were written above a function in this order."""
    return lambda command: functools.reduce(lambda made, add: add(made), reversed(decorators), command)


class _Flag(click.Option):
    """A flag whose help is made where somebody asks for it."""

    def __init__(self, *names: Any, told: Callable[[], str], **shape: Any) -> None:
        super().__init__(*names, **shape)
        self._told = told

    @property
    def help(self) -> str:
        return self._told()

    @help.setter  # noqa: A003  (the name that click gives it)
    def help(self, _nothing: str | None) -> None:
        pass


def _parameter(option: Option) -> Decorator:
    if option.kind == "argument":
        return click.argument(option.name, nargs=-1, required=True, metavar=option.metavar)
    shown = option.default is not None and not isinstance(option.default, bool | tuple)
    default = {"default": option.default, "show_default": True} if shown else {}
    return click.option(
        f"--{option.name.rstrip('_').replace('_', '-')}",  # Python has a word `as` of its own
        option.name,
        cls=_Flag,
        told=lambda: spelled(option.help, "command line"),
        # Told of in the help of another flag: sd_a in that of sd.
        hidden=not option.told,
        metavar=f"{option.metavar}[,{option.metavar}…]" if option.many else option.metavar,
        **(_shape(option) | default),
    )


def _shape(option: Option) -> dict[str, Any]:
    """What click calls the type of an option; what no shell can write is left to the question."""
    kinds = [str] if option.many else [kind for kind in alternatives(option.type) if kind is not NoneType]
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
    return {"type": kinds[0] if kinds[0] in {int, float} else str}
