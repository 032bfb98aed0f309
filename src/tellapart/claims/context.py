"""What a claim says besides its two numbers: how it was chosen, what was tested, what could be expected."""

from dataclasses import dataclass

from tellapart.claims.claim import Claim
from tellapart.claims.reported import Reported, ReportedP
from tellapart.claims.units import FEW_POINTS, Unit
from tellapart.errors import UsageError


@dataclass(frozen=True)
class Context:
    """What every claim may carry besides its numbers."""

    systems: int | None
    seeds: int | None
    seed_sd: float | None
    reported_p: ReportedP | None
    effect: float | None


def context(claim: Claim, unit: Unit | None) -> Context:
    """What a claim says besides its numbers; `unit` is that of its accuracies, None for means."""
    return Context(
        claim.whole_number("systems", least=2),
        claim.whole_number("seeds", least=1),
        _difference(claim, "seed_sd", unit),
        None if claim.reported_p is None else ReportedP.read(claim.reported_p),
        _difference(claim, "effect", unit),
    )


def _difference(claim: Claim, name: str, unit: Unit | None) -> float | None:
    """A difference in the unit of the answer, given in the unit of the two numbers it is about."""
    if getattr(claim, name) is None:
        return None
    value = Reported.read(name, getattr(claim, name))
    if value.value <= 0:
        raise UsageError(f"{name} is {value.text}; it should be above 0")
    if unit is None:
        return float(value.value)
    if value.percent or (unit == "percent" and value.value >= FEW_POINTS):
        return float(value.value) / 100.0
    if unit == "percent":
        raise UsageError(
            f"{name} is {value.text} beside accuracies in percent; write {value.text}% or {100 * float(value.value):g}%"
        )
    if value.value >= 1:
        raise UsageError(
            f"{name} is {value.text}; it should be below 1, for {value.text}% write {float(value.value) / 100:g}"
        )
    return float(value.value)
