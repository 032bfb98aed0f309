"""Populations told option by option, beside their name or without it."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_origin

from tellapart.doors import option
from tellapart.errors import SpellingError, UsageError, nearest
from tellapart.populations import POPULATIONS, Population
from tellapart.spelling import alternatives, name_of, options
from tellapart.verbs.plan.inferred import (
    EFFECT,
    WRAPPED,
    Kinds,
    every_option,
    flags,
    inferred,
    names,
    on_different_items,
    otherwise,
)

Populations = Population | str | Iterable[Population | str]
Grids = Mapping[str, Sequence[Any]]
"""Options of populations by name, each with the values that make a grid."""


@dataclass(frozen=True)
class Described:
    """Populations that nobody named; `apart` are those that the same options describe where systems share no items."""

    populations: tuple[Population, ...]
    apart: tuple[str, ...]


def told(given: Populations | None, values: Mapping[str, Any]) -> Populations | Described:
    """What a user of Python gives: populations, options of them, or both."""
    grids = {name: _values(name, value) for name, value in values.items() if value is not None}
    if given is None and WRAPPED in grids and not _wraps(grids):
        given = grids.pop(WRAPPED)
    if given is None:
        return described(grids)
    return [whole for one in listed(given) for whole in named(one, grids)] if grids else given


def listed(given: Populations | Described) -> list[Population | str]:
    if isinstance(given, Described):
        return list(given.populations)
    return list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]


def _values(name: str, value: Any) -> list[Any]:
    """The values of an option; two numbers in a tuple are one value where a range is asked for."""
    ranges = any(
        get_origin(kind) is tuple for _, one in every_option()[name] for kind in alternatives(one.type)
    )
    several = (
        isinstance(value, Iterable)
        and not isinstance(value, str)
        and not (ranges and isinstance(value, tuple))
    )
    return list(value) if several else [value]


def _wraps(given: Collection[str]) -> bool:
    """Whether the population among these options is one that another wraps."""
    owners = [{owner for owner, _ in every_option()[name]} for name in given]
    return bool(set(given) - {EFFECT, WRAPPED}) and bool(set.intersection(*owners))


def described(grids: Grids) -> Described:
    """The populations that these options describe by themselves."""
    kinds = inferred(grids)
    try:
        made = tuple(_made(kinds, values) for values in _combinations(grids))
    except UsageError as error:
        raise type(error)(f"{error.message}{otherwise(grids)}") from None
    return Described(made, on_different_items(grids))


def named(population: Population | str, grids: Grids) -> list[Population]:
    """A population by its name or spelling, with the options given beside it."""
    if isinstance(population, Population) or "(" in population:
        whole = Population.parse(population)
        _refuse_strange(type(whole), grids)
        return [whole.replace(**values) if values else whole for values in _combinations(grids)]
    kind = POPULATIONS[name_of(population)]
    _refuse_strange(kind, grids)
    return [_made((kind,), values) for values in _combinations(grids)]


def _combinations(grids: Grids) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*grids.values()):
        yield dict(zip(grids, values, strict=True))


def _made(kinds: Kinds, values: Mapping[str, Any]) -> Population:
    """Each value is given to the class whose option it is; the effect is that of the outermost."""
    kind, *within = kinds
    taken = {name: value for name, value in values.items() if name in names(kind)}
    kind = _open(kind, taken)
    if within:
        rest = {name: value for name, value in values.items() if name not in taken}
        taken[WRAPPED] = _made(tuple(within), rest)
    lacking = [one for one in options(kind) if one.required and one.name not in taken]
    if lacking:
        meaning = ", ".join(f"{one.name} is {one.help}" for one in lacking)
        raise UsageError(f"{kind.name} needs {flags(one.name for one in lacking)}: {meaning}")
    return kind(**taken)


def _open(kind: type[Population], given: Collection[str]) -> type[Population]:
    """The kind that these options make: a variant that evidence completes, where it has one for what was left out."""
    variant = kind.taking(given)
    return variant if issubclass(variant, Population) else kind


def _refuse_strange(kind: type[Population], given: Iterable[str]) -> None:
    """Options that this population has not, with those that have them."""
    known = names(kind)
    for name in given:
        if name not in known:
            others = " and ".join(owner for owner, _ in every_option().get(name, ()))
            where = f"; {others} {'have' if ' and ' in others else 'has'} it" if others else ""
            raise SpellingError(f"{kind.name} has no {option(name)}; {nearest(name, sorted(known))}{where}")
