"""What a plan would tell where a comparison has no time to: the command to type."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

from tellapart.results.comparison import Comparison
from tellapart.wording import exact, one_line, percent, significant, thousands
from tellapart.words.sayings import Sayings

BY_PLAN: Sayings[Comparison] = Sayings()

USUAL_ALPHA = 0.05
"""At which `plan` plans unless told otherwise."""


@BY_PLAN
def detectable_by_plan(answer: Comparison, test: str, items: int, power: float, **of_texts: Any) -> str:
    asked = {"items": str(items), "power": exact(power), "test": test}
    return f"what {thousands(items)} items detect with {test} takes a longer simulation: {_of_pilot(answer, asked, **of_texts)}"


@BY_PLAN
def items_by_plan(
    answer: Comparison, test: str, effect: float | None, margin: float | None, power: float, **of_texts: Any
) -> str:
    size = {} if effect is None else {"effect": exact(effect)}
    asked = {**size, "power": exact(power), "test": test}
    return f"how many items {_sought(effect, margin)} with {test} takes a longer simulation: {_of_pilot(answer, asked, **of_texts)}"


@BY_PLAN
def none_detectable(_answer: Comparison, test: str, items: int, effect: float, power: float) -> str:
    return (
        f"{thousands(items)} items find no effect between 0 and {effect:.4g}, the largest that such items can have, with {percent(power)} "
        f"power by {test}"
    )


@BY_PLAN
def detectable_by_side(
    answer: Comparison, b_higher: float | None, b_lower: float | None, power: float
) -> str:
    a, b = one_line(answer.a.name), one_line(answer.b.name)
    sides = (b_higher, f"{b} scores higher than {a}"), (b_lower, f"{b} scores lower")
    found = "; ".join(f"if {side}, {_found(effect, power)}" for effect, side in sides)
    both = "" if b_higher is None or b_lower is None else ". The larger is found either way"
    return f"what is detectable depends on the side: {found}{both}"


def _found(effect: float | None, power: float) -> str:
    if effect is None:
        return f"none that such items can have is found with {percent(power)} power"
    return f"an effect of {significant(effect)}" if effect > 0.0 else "an effect of any size"


@BY_PLAN
def no_items_find_effect(_answer: Comparison, test: str, effect: float, power: float) -> str:
    return (
        f"no number of items that anybody evaluates finds an effect of {effect:g} with {percent(power)} power by {test}: items like "
        "these do not have it, or it is too small"
    )


@BY_PLAN
def resamples_tell_no_items(_answer: Comparison, effect: float | None, margin: float | None) -> str:
    sought = f"find an effect of {effect:g}" if effect is not None else f"exclude a difference of {margin:g}"
    return f"these items do not tell how many would {sought}: too few of them differ, or there are too few, to resample"


@BY_PLAN
def items_do_not_vary(_answer: Comparison, test: str, effect: float) -> str:
    return f"how many items find an effect of {exact(effect)} is not told by these: nothing varies that {test} measures by"


@BY_PLAN
def detectable_outside_pilot(_answer: Comparison, items: int, low: float, high: float) -> str:
    where = "none on the side that is tested" if low <= 0.0 <= high else "never 0"
    return f"what {thousands(items)} items detect cannot be simulated from these: {_drawn_again(low, high)}, {where}"


@BY_PLAN
def items_outside_pilot(
    _answer: Comparison, effect: float | None, margin: float | None, low: float, high: float
) -> str:
    where = "never 0" if effect is None else f"never {exact(effect)}"
    return f"how many items {_sought(effect, margin)} cannot be simulated from these: {_drawn_again(low, high)}, {where}"


def _sought(effect: float | None, margin: float | None) -> str:
    if effect is not None:
        return f"find an effect of {exact(effect)}"
    assert margin is not None, "one of the two was asked about"
    return f"show the margin of {exact(margin)}"


def _drawn_again(low: float, high: float) -> str:
    return f"drawn again, they have effects between {low:.4g} and {high:.4g}"


def _of_pilot(
    answer: Comparison,
    asked: dict[str, str],
    files: Sequence[str] = ("FILE",),
    beside: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> str:
    """The plan from these scores as a pilot, as it is typed at the command line."""
    flags = dict(beside)
    flags |= {"metric": [answer.metric]} if answer.metric != "mean" else {}
    flags |= {name: [value] for name, value in asked.items()}
    flags |= {"alpha": [exact(answer.alpha)]} if answer.alpha != USUAL_ALPHA else {}
    said = chain.from_iterable(_typed(name, values) for name, values in flags.items())
    return " ".join(["tellapart plan pilot", *map(shlex.quote, files), *said])


def _typed(name: str, values: Sequence[str]) -> list[str]:
    """A flag before each of its values, or alone where it has none."""
    flag = f"--{name.rstrip('_').replace('_', '-')}"
    return [word for value in values for word in (flag, shlex.quote(value))] or [flag]
