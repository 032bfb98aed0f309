"""Gates: what must be shown, or must not be, for a change to pass."""

from typing import Literal

from tellapart.decision import Shown, Verdict
from tellapart.doors import option
from tellapart.errors import GateFailed, UsageError
from tellapart.wording import significant

Requirement = Literal["better", "not-worse", "equivalent"]
Failure = Literal["worse", "not-better", "undetermined"]

NEEDS_MARGIN = ("not-worse", "equivalent")


def check_margin(required: tuple[Requirement, ...], margin: float | None) -> None:
    """Refuse what cannot be shown without saying how much matters."""
    for claim in required:
        if claim in NEEDS_MARGIN and margin is None:
            raise UsageError(
                f"{option('require', claim)} needs a margin: give {option('margin')}, the largest loss that does not matter"
            )


def failed_rules(
    shown: Shown, verdict: Verdict, required: tuple[Requirement, ...], failing: tuple[Failure, ...]
) -> list[str]:
    """The rules that are broken, each as it was asked for."""
    lacking = [option("require", claim) for claim in required if not shown.holds(claim)]
    return lacking + [option("fail_on", failure) for failure in failing if _fails(failure, shown, verdict)]


def _fails(failure: Failure, shown: Shown, verdict: Verdict) -> bool:
    """Worse is shown and not within the margin, where there is one; better is not shown; or nothing is."""
    if failure == "worse":
        return shown.holds("worse") and not shown.holds("not_worse")
    return not shown.holds("better") if failure == "not-better" else verdict == "undetermined"


def gate_failure(rules: list[str], verdict: str, effect: float) -> GateFailed:
    shown = significant(effect, 3).replace("-", "−", 1)
    return GateFailed(
        f"gate failed: {', '.join(rules)}; verdict: {verdict}; effect B − A: {shown}; exit code 1"
    )
