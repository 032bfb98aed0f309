"""Before the evaluation: how many items, what effect could be found, how often."""

from tellapart.verbs.plan.question import PlanQuestion
from tellapart.verbs.plan.verb import plan, planned

__all__ = ["PlanQuestion", "plan", "planned"]
