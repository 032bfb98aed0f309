"""Whether what was run is what was planned: every difference by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tellapart.doors import option
from tellapart.results.broken_rules import KEPT, Broken
from tellapart.results.gate import check_plan


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
