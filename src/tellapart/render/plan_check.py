"""What a sheet says of a plan that was followed."""

from tellapart.results.plan_check import PlanCheck


def kept(check: PlanCheck | None) -> str:
    if check is None:
        return ""
    return f"as planned in {check.file}" if check.as_planned else f"not as planned in {check.file}"


def not_as_planned(check: PlanCheck | None) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The remarks that name every difference."""
    return (
        ()
        if check is None or check.as_planned
        else (("Not as planned", tuple(one.text for one in check.deviations)),)
    )
