"""Whether what was run is what was planned: every difference by name."""

from dataclasses import dataclass
from typing import Any

from tellapart.errors import GateFailed
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


def refuse_deviations(check: PlanCheck | None, rule: str) -> None:
    """Raise `GateFailed` where something that matters is not as planned."""
    check_plan(asked=check is not None)
    assert check is not None
    found = [one for one in check.deviations if one.matters]
    if found:
        said = "; ".join(one.text or one.what for one in found)
        raise GateFailed(f"gate failed: {rule}; not as planned: {said}; exit code 1")
