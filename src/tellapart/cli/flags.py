"""Flags made of the fields of a dataclass: said once, and a command gets them as one object."""

import functools
from collections.abc import Callable
from dataclasses import MISSING, Field, field, fields
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def argument(metavar: str) -> Any:
    """A field that takes what stands on the command line without a flag."""
    return field(metadata={"metavar": metavar})


def flag(words: str, default: Any = None, **shown: Any) -> Any:
    """A field that is a flag of its name, with its help; its type says whether it is a switch, a choice, a list or a value."""
    return field(default=default, metadata={"help": words, **shown})


def seed_flag(words: str) -> Any:
    return flag(words, 0, type=click.IntRange(min=0))


def taking(name: str, kind: type) -> Decorator:
    """Give a command the flags of a dataclass, and the dataclass that they fill as its parameter `name`."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def run(**given: Any) -> Any:
            filled = kind(**{entry.name: given.pop(entry.name) for entry in fields(kind)})
            return command(**{name: filled}, **given)

        return stacked([_parameter(entry, hints[entry.name]) for entry in fields(kind)])(run)

    hints = get_type_hints(kind)
    return decorate


def stacked(decorators: list[Decorator]) -> Decorator:
    """Decorators as if they were written above a function in this order."""
    return lambda command: functools.reduce(lambda made, add: add(made), reversed(decorators), command)


def _parameter(entry: Field[Any], kind: Any) -> Decorator:
    if entry.default is MISSING:
        return click.argument(entry.name, nargs=-1, required=True, **entry.metadata)
    shown = entry.default is not None and not isinstance(entry.default, bool | tuple)
    default = {"default": entry.default, "show_default": True} if shown else {}
    return click.option(
        f"--{entry.name.replace('_', '-')}", entry.name, **(_shape(kind) | default | dict(entry.metadata))
    )


def _shape(kind: Any) -> dict[str, Any]:
    """What click calls the type of a field."""
    if kind is bool:
        return {"is_flag": True}
    if get_origin(kind) is Literal:
        return {"type": click.Choice(get_args(kind))}
    if get_origin(kind) is tuple:
        return {"multiple": True}
    if NoneType in get_args(kind):
        return _shape(next(k for k in get_args(kind) if k is not NoneType))
    return {"type": kind}
