"""Inference of an unnamed population from the options that were given."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_origin

from tellapart import populations
from tellapart.foundation.errors import SpellingError, UsageError, nearest
from tellapart.foundation.spelling import Option, alternatives, name_of, options
from tellapart.foundation.surfaces import option
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.wrapper import Wrapper

EFFECT, WRAPPED = "effect", "population"
"""The option of every population, and the option of wrappers."""

Kinds = tuple[type[Population], ...]
"""A population by its classes, from the outermost in: a wrapper, and what it wraps."""


def infer_population(given: Collection[str]) -> Kinds:
    """The only population that options of these names describe, alone or with evidence; several are refused by name, and so is none."""
    found = list(_described_kinds(set(given)))
    if len(found) == 1:
        return found[0]
    supposed = [kind for kind in _paired_populations() if _is_completed(kind, set(given))]
    if not found and len(supposed) == 1:
        return (supposed[0],)
    raise _ambiguous(given, found) if found else _none(set(given))


def wrapped_kinds(kind: type[Population], given: Collection[str]) -> Kinds:
    """A population by its name and, where it is a wrapper, what the options that are not its own describe."""
    within = set(given) - option_names(kind)
    if not issubclass(kind, Wrapper) or not within or WRAPPED in given:
        return (kind,)
    return (kind, *infer_population(within))


def unpaired_populations(given: Collection[str]) -> tuple[str, ...]:
    """Populations of systems that share no items, if the same options describe one."""
    return tuple(kind.name for kind in _spelled_populations() if not kind.paired and _is_described(kind, set(given)))


def clause_of_others(given: Collection[str]) -> str:
    """A clause with the populations that these options and a few more would describe, if there are any."""
    telling = set(given) - {EFFECT}
    having = [
        kind for kind in _paired_populations() if telling <= option_names(kind) and not _is_described(kind, set(given))
    ]
    return f". {_lacking_words(telling, having)}" if having else ""


def every_option() -> dict[str, list[tuple[str, Option]]]:
    """All options that describe a population, each with the names of the populations that have it."""
    found: dict[str, list[tuple[str, Option]]] = {}
    for kind in _spelled_populations():
        for one in options(kind):
            found.setdefault(one.name, []).append((kind.name, one))
    return found


def option_names(kind: type[Population]) -> frozenset[str]:
    return _option_sets(kind)[0]


def join_options(given: Iterable[str]) -> str:
    """Options in a message, as the door spells them."""
    *most, last = map(option, given)
    return f"{', '.join(most)} and {last}" if most else last


def _spelled_populations() -> Iterator[type[Population]]:
    """Populations that options alone describe; a pilot needs its file."""
    return (kind for kind in POPULATIONS.every() if kind.from_spelling)


def _paired_populations() -> Iterator[type[Population]]:
    # Systems on different items take several times as many: whoever plans for that says so.
    return (kind for kind in _spelled_populations() if kind.paired)


def _described_kinds(given: set[str]) -> Iterator[Kinds]:
    for kind in _paired_populations():
        if issubclass(kind, Wrapper) and WRAPPED not in given:
            if _required(kind) - {WRAPPED} <= given:
                within = given - (option_names(kind) - {EFFECT})
                yield from ((kind, *inner) for inner in _described_kinds(within))
        elif _is_described(kind, given):
            yield (kind,)


def _is_described(kind: type[Population], given: set[str]) -> bool:
    """Whether the options are all its own, lack none that it needs, and say more than the effect, which all have."""
    return _required(kind) <= given <= option_names(kind) and bool(given - {EFFECT})


def _is_completed(kind: type[Population], given: set[str]) -> bool:
    """Whether evidence says what these options, all its own, leave open of a population that they say something of."""
    lacking = _required(kind) - given
    own = given <= option_names(kind) and bool(given - {EFFECT})
    return own and bool(lacking) and kind.completed_by_plan(lacking)


def _required(kind: type[Population]) -> frozenset[str]:
    return _option_sets(kind)[1]


def _option_sets(kind: type[Population]) -> tuple[frozenset[str], frozenset[str]]:
    """The names of all its options, and of those that it needs."""
    if kind not in _NAMES:
        # Of all populations at once: who asks about one asks about the others.
        own = {one: options(one) for one in (kind, *POPULATIONS.every())}
        _NAMES.update(
            {
                one: (frozenset(x.name for x in of), frozenset(x.name for x in of if x.required))
                for one, of in own.items()
            }
        )
    return _NAMES[kind]


_NAMES: dict[type[Population], tuple[frozenset[str], frozenset[str]]] = {}


def _ambiguous(given: Collection[str], found: list[Kinds]) -> UsageError:
    meant = " or ".join(f"{' of '.join(kind.name for kind in kinds)} ({kinds[0].label})" for kinds in found)
    return UsageError(f"{join_options(given)} may describe {meant}; name the population")


def _none(given: set[str]) -> UsageError:
    telling = given - {EFFECT}
    if not telling:
        return _nothing_said()
    for kind in _paired_populations():
        own = telling & option_names(kind) - {WRAPPED}
        if issubclass(kind, Wrapper) and own and (lacking := _required(kind) - given - {WRAPPED}):
            return UsageError(
                f"{join_options(sorted(own))} belong{'s' if len(own) == 1 else ''} to {kind.label} ({kind.name}), which also take {join_options(sorted(lacking))}"
            )
    having = [kind for kind in _paired_populations() if telling <= option_names(kind)]
    return _incomplete(telling, having) if having else _no_population(telling)


def _nothing_said() -> UsageError:
    plain = [kind for kind in _paired_populations() if not issubclass(kind, Wrapper)]
    ways = "; ".join(f"{join_options(_known_by(kind))} for {kind.label}" for kind in plain)
    return UsageError(
        f"nothing says what the scores are like; give {ways}; or name a population: {', '.join(POPULATIONS)}"
    )


def _known_by(kind: type[Population]) -> list[str]:
    """The least options that identify a population: those it requires, else the first of its own."""
    own = [one.name for one in options(kind) if one.name != EFFECT]
    return [one.name for one in options(kind) if one.required] or own[:1]


def _incomplete(telling: set[str], having: list[type[Population]]) -> UsageError:
    return UsageError(
        f"{join_options(sorted(telling))} alone is not enough: {_lacking_words(telling, having)}. Give more, or name the population"
    )


def _lacking_words(telling: set[str], having: list[type[Population]]) -> str:
    return "; ".join(f"{kind.name} ({kind.label}) {_more_words(kind, telling)}" for kind in having)


def _more_words(kind: type[Population], telling: set[str]) -> str:
    """Further options that a population needs: from the caller, or from evidence where it is named."""
    lacking = join_options(sorted(_required(kind) - telling))
    if _is_completed(kind, telling):
        return f"takes {lacking} from evidence, if it is named"
    return f"needs {lacking} too"


def _no_population(telling: set[str]) -> UsageError:
    """The populations that have most of these options, and what each of them has not."""
    strange = {kind: telling - option_names(kind) for kind in _paired_populations()}
    fewest = min(map(len, strange.values()))
    near = "; ".join(
        f"{kind.name} ({kind.label}) has no {join_options(sorted(lacks))}"
        for kind, lacks in strange.items()
        if len(lacks) == fewest
    )
    return UsageError(f"no population has {join_options(sorted(telling))}: {near}")


# Populations told option by option, beside their name or without it.

Populations = Population | str | Iterable[Population | str]
Grids = Mapping[str, Sequence[Any]]
"""Options of populations by name, each with the values that make a grid."""


@dataclass(frozen=True)
class Described:
    """Unnamed populations by their options; `apart` are those that the options describe where systems share no items."""

    populations: tuple[Population, ...]
    apart: tuple[str, ...]


def make_populations(given: Populations | None, values: Mapping[str, Any]) -> Populations | Described:
    """Populations from Python arguments: populations, options of them, or both."""
    grids = {name: _grid_values(name, value) for name, value in values.items() if value is not None}
    if given is None and WRAPPED in grids and not _wraps(grids):
        given = grids.pop(WRAPPED)
    if given is None:
        return make_unnamed(grids)
    return [whole for one in list_populations(given) for whole in make_named(one, grids)] if grids else given


def list_populations(given: Populations | Described) -> list[Population | str]:
    if isinstance(given, Described):
        return list(given.populations)
    return list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]


def _grid_values(name: str, value: Any) -> list[Any]:
    """The values of an option; two numbers in a tuple are one value where a range is asked for."""
    ranges = any(get_origin(kind) is tuple for _, one in every_option()[name] for kind in alternatives(one.type))
    several = isinstance(value, Iterable) and not isinstance(value, str) and not (ranges and isinstance(value, tuple))
    return list(value) if several else [value]


def _wraps(given: Collection[str]) -> bool:
    """Whether the population among these options is one that another wraps."""
    owners = [{owner for owner, _ in every_option()[name]} for name in given]
    return bool(set(given) - {EFFECT, WRAPPED}) and bool(set.intersection(*owners))


def make_unnamed(grids: Grids) -> Described:
    """The populations that these options describe by themselves."""
    kinds = infer_population(grids)
    try:
        made = tuple(_population_of(kinds, values) for values in _combinations(grids))
    except UsageError as error:
        raise type(error)(f"{error.message}{clause_of_others(grids)}") from None
    return Described(made, unpaired_populations(grids))


def make_named(population: Population | str, grids: Grids) -> list[Population]:
    """A population by its name or spelling, with the options given beside it."""
    if isinstance(population, Population) or "(" in population:
        whole = Population.parse(population)
        described = not whole.complete or whole.rests_on_evidence
        incomplete = whole if described and isinstance(whole, populations.Incomplete) else None
        _refuse_others_options(type(whole) if incomplete is None else incomplete.kind, grids)
        return [whole.replace(**values) if values else whole for values in _combinations(grids)]
    kinds = wrapped_kinds(POPULATIONS[name_of(population)], grids)
    if len(kinds) == 1:
        _refuse_others_options(kinds[0], grids)
    return [_population_of(kinds, values) for values in _combinations(grids)]


def _combinations(grids: Grids) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*grids.values()):
        yield dict(zip(grids, values, strict=True))


def _population_of(kinds: Kinds, values: Mapping[str, Any]) -> Population:
    """Each value is given to the class whose option it is; the effect is that of the outermost."""
    kind, *within = kinds
    taken = {name: value for name, value in values.items() if name in option_names(kind)}
    if within:
        rest = {name: value for name, value in values.items() if name not in taken}
        taken[WRAPPED] = _population_of(tuple(within), rest)
    lacking = [one for one in options(kind) if one.required and one.name not in taken]
    if lacking and not kind.completed_by_plan([one.name for one in lacking]):
        meaning = ", ".join(f"{one.name} is {one.help}" for one in lacking)
        raise UsageError(f"{kind.name} needs {join_options(one.name for one in lacking)}: {meaning}")
    return kind.build(taken)


def _refuse_others_options(kind: type[Population], given: Iterable[str]) -> None:
    """Options that this population has not, with those that have them."""
    known = option_names(kind)
    for name in given:
        if name not in known:
            others = " and ".join(owner for owner, _ in every_option().get(name, ()))
            where = f"; {others} {'have' if ' and ' in others else 'has'} it" if others else ""
            raise SpellingError(f"{kind.name} has no {option(name)}; {nearest(name, sorted(known))}{where}")
