"""What a plan would tell where a comparison has no time to: the command to type."""

import shlex
from collections.abc import Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Any

from tellapart.results.comparison import Comparison
from tellapart.wording import (
    thousands,
)
from tellapart.words.sayings import Sayings

BY_PLAN: Sayings[Comparison] = Sayings()

USUAL_ALPHA = 0.05
"""At which `plan` plans unless told otherwise."""


@BY_PLAN
def detectable_by_plan(answer: Comparison, test: str, items: int, power: float, **of_texts: Any) -> str:
    asked = {"items": str(items), "power": f"{power:g}", "test": test}
    return f"what {thousands(items)} items detect with {test} takes a longer simulation: {_of_pilot(answer, asked, **of_texts)}"


@BY_PLAN
def items_by_plan(
    answer: Comparison, test: str, effect: float | None, margin: float | None, power: float, **of_texts: Any
) -> str:
    size = {} if effect is None else {"effect": f"{effect:g}"}
    claim = f"show the margin of {margin:g}" if effect is None else f"find an effect of {effect:g}"
    asked = {**size, "power": f"{power:g}", "test": test}
    return f"how many items {claim} with {test} takes a longer simulation: {_of_pilot(answer, asked, **of_texts)}"


def _of_pilot(
    answer: Comparison,
    asked: dict[str, str],
    files: Sequence[str] = ("FILE",),
    beside: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> str:
    """The plan from these scores as a pilot, as it is typed at the command line."""
    flags = [(name, value) for name, values in beside.items() for value in values]
    flags += [("metric", answer.metric)] * (answer.metric != "mean") + list(asked.items())
    flags += [("alpha", f"{answer.alpha:g}")] * (answer.alpha != USUAL_ALPHA)
    said = chain.from_iterable((f"--{name}", shlex.quote(value)) for name, value in flags)
    return " ".join(["tellapart plan pilot", *map(shlex.quote, files), *said])
