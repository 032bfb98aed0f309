"""Plan files (preregistered designs), and the deviations of the evaluation from its plan."""

import dataclasses
import itertools
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, get_args

from tellapart.answers.gate_rules import KEPT, Broken, check_plan
from tellapart.data.provenance import Better
from tellapart.foundation.errors import ReadError
from tellapart.foundation.seeds import content_fingerprint
from tellapart.foundation.surfaces import option

# What was planned, fixed in a file before the data are seen; its signature tells whether it was changed
# since.

MOST = 10**15
"""Items, or comparisons, that no evaluation has."""

LARGEST = 1_000_000
"""Characters of a plan file: one has a few hundred."""


Spending = Literal["obf", "pocock"]
OF_SOME = frozenset(("items_at_looks", "spending", "rules"))
"""Fields that only plans with several looks have, or with several measures."""


@dataclass(frozen=True)
class PlanFile:
    """One design: `alpha` is shared by so many `comparisons`; `direction` says which scores are better.

    With looks, `items_at_looks` are those they are planned at, and `spending` is how alpha is spent over them. `rules` are those of a
    decision about several measures, as better=accuracy and not-worse=cost:5r%.
    """

    schema: ClassVar[str] = "tellapart/plan-file/1"

    population: str
    test: str
    alpha: float
    comparisons: int
    items: int
    effect: float
    power: float
    margin: float | None
    measure: str | None
    dataset: str | None
    direction: Better
    made: str
    version: str
    items_at_looks: tuple[int, ...] | None = None
    spending: Spending | None = None
    rules: tuple[str, ...] | None = None
    signature: str = ""

    @property
    def level(self) -> float:
        """The level of each of the comparisons."""
        return self.alpha / self.comparisons

    @property
    def content(self) -> str:
        """The fingerprint of all that it says."""
        said = {name: value for name, value in self.to_dict().items() if name != "signature"}
        return content_fingerprint(said)

    @property
    def intact(self) -> bool:
        return self.signature == self.content

    def signed(self) -> Self:
        return dataclasses.replace(self, signature=self.content)

    def to_dict(self) -> dict[str, Any]:
        said = {"schema": self.schema, **dataclasses.asdict(self)}
        return {name: value for name, value in said.items() if value is not None or name not in OF_SOME}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str) -> Self:
        """The plan of a file's text, or an error that names what is wrong with it."""
        found = _json_object(text, name)
        if found.get("schema") != cls.schema:
            raise _no_plan(name, f"its schema is {found.get('schema')!r}")
        return cls(**{field.name: _field_value(field, found, name) for field in dataclasses.fields(cls)})


def _json_object(text: str, name: str) -> dict[str, Any]:
    if len(text) > LARGEST:
        raise _no_plan(name, "it is far too long")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise _no_plan(name, "it is not JSON") from None
    if not isinstance(found, dict):
        raise _no_plan(name, f"it holds a {type(found).__name__}")
    return found


_KINDS: dict[Any, tuple[type, ...]] = {
    str: (str,),
    int: (int,),
    float: (int, float),
    str | None: (str, type(None)),
    float | None: (int, float, type(None)),
    Better: (str,),
    tuple[int, ...] | None: (list, tuple),
    Spending | None: (str,),
    tuple[str, ...] | None: (list, tuple),
}


def _field_value(field: "dataclasses.Field[Any]", found: dict[str, Any], name: str) -> Any:
    if field.name in OF_SOME and field.name not in found:
        return None
    if field.name not in found:
        raise _no_plan(name, f"it lacks {field.name!r}")
    value: Any = found[field.name]
    fits: bool = (
        isinstance(value, _KINDS[field.type]) and not isinstance(value, bool) and _is_allowed(field.name, value)
    )
    if not fits:
        raise _no_plan(name, f"its {field.name} is {value!r}")
    if isinstance(value, list):
        return tuple(value)
    # JSON writes 1.0 as 1.
    return float(value) if float in _KINDS[field.type] and value is not None else value


def _rises(looks: Any) -> bool:
    whole = all(type(one) is int for one in looks)
    return len(looks) > 1 and whole and all(a < b for a, b in itertools.pairwise((0, *looks))) and looks[-1] < MOST


_FITS: dict[str, Callable[[Any], bool]] = {
    "direction": lambda value: value in {"higher", "lower"},
    "alpha": lambda value: 0.0 < value < 1.0,
    "power": lambda value: 0.0 <= value <= 1.0,
    "margin": lambda value: value is None or 0.0 < value < math.inf,
    "effect": math.isfinite,
    "comparisons": lambda value: 1 <= value < MOST,
    "items": lambda value: 1 <= value < MOST,
    "items_at_looks": _rises,
    "spending": lambda value: value in get_args(Spending),
    "rules": lambda value: bool(value) and all(isinstance(one, str) for one in value),
}
"""Which values a design can have."""


def _is_allowed(name: str, value: Any) -> bool:
    return name not in _FITS or _FITS[name](value)


def _no_plan(name: str, why: str) -> ReadError:
    return ReadError(f"{name}: this is not a plan file ({why}). Make one with tellapart plan … --save FILE")


@dataclass(frozen=True)
class Deviation:
    """`what` differs: `planned` is what the plan says, `found` what was run; `matters` where it can change what may be claimed."""

    what: str
    planned: Any
    found: Any
    matters: bool
    text: str = ""


@dataclass(frozen=True)
class PlanCheck:
    """`intact` says that the plan file is as it was written; `as_planned` that nothing differs at all."""

    file: str
    intact: bool
    as_planned: bool
    deviations: tuple[Deviation, ...]
    sentence: str = ""


def broken_plan(check: PlanCheck | None, fail_on: Sequence[str]) -> Broken:
    """The rule that a plan is kept, where it is asked for and something that matters is not as planned."""
    if "deviation" not in fail_on:
        return KEPT
    check_plan(asked=check is not None)
    assert check is not None
    found = [one for one in check.deviations if one.matters]
    said = "; ".join(one.text or one.what for one in found)
    return Broken((option("fail_on", "deviation"),), (f"not as planned: {said}",)) if found else KEPT
