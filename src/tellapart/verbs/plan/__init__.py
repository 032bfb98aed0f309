"""Before the evaluation: how many items, what effect could be found, how often."""

from typing import TYPE_CHECKING, Any

from tellapart.verbs.plan.question import PlanQuestion
from tellapart.verbs.plan.verb import planned

if TYPE_CHECKING:
    from tellapart.verbs.plan.verb import plan

__all__ = ["PlanQuestion", "plan", "planned"]


def __getattr__(name: str) -> Any:
    """`plan` itself is made for users of Python: a command names its population, and needs none of the others."""
    if name != "plan":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from tellapart.verbs.plan.verb import plan as called  # noqa: PLC0415  (as above)

    return called
