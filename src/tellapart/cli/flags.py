"""Flags made of options: said once where the question is, and a command gets them as one object."""

import functools
from collections.abc import Callable
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import click

from tellapart.doors import spelled
from tellapart.spelling import Option, alternatives, options

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def taking(name: str, kind: type) -> Decorator:
    """Give a command the flags of a question, and the question that they fill as its parameter `name`."""
    flags = [one for one in options(kind) if one.flag]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            filled = kind(**{one.name: given.pop(one.name) for one in flags})
            return command(**{name: filled}, **given)

        return stacked([_parameter(one) for one in flags])(run)

    return decorate


def stacked(decorators: list[Decorator]) -> Decorator:
    """Decorators as if they were written above a function in this order."""
    return lambda command: functools.reduce(lambda made, add: add(made), reversed(decorators), command)


def _parameter(option: Option) -> Decorator:
    if option.kind == "argument":
        return click.argument(option.name, nargs=-1, required=True, metavar=option.metavar)
    shown = option.default is not None and not isinstance(option.default, bool | tuple)
    default = {"default": option.default, "show_default": True} if shown else {}
    return click.option(
        f"--{option.name.replace('_', '-')}",
        option.name,
        help=spelled(option.help, "command line"),
        # Told of in the help of another flag: sd_a in that of sd.
        hidden=not option.help,
        metavar=option.metavar,
        **(_shape(option) | default),
    )


def _shape(option: Option) -> dict[str, Any]:
    """What click calls the type of an option; what no shell can write is left to the question."""
    kinds = [kind for kind in alternatives(option.type) if kind is not NoneType]
    if kinds == [bool]:
        return {"is_flag": True, "default": option.default}
    if len(kinds) == 1 and get_origin(kinds[0]) is Literal:
        return {"type": click.Choice(get_args(kinds[0]))}
    if len(kinds) == 1 and get_origin(kinds[0]) is tuple:
        return {"multiple": True}
    return {"type": kinds[0] if kinds[0] in {int, float} else str}
