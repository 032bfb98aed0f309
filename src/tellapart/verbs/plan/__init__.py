"""Items, detectable effect or power of an evaluation before it is run: the verb `plan`."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names
from tellapart.verbs.plan.question import PlanQuestion
from tellapart.verbs.plan.verb import planned

# `plan` itself is made for users of Python, with the options of every population.
if TYPE_CHECKING:
    from tellapart.verbs.plan.looks import looks_offered, refuse_unsuitable, with_looks
    from tellapart.verbs.plan.runs import items_for_budget, run_fields, with_best_runs, with_one_run
    from tellapart.verbs.plan.verb import plan

__all__ = [
    "PlanQuestion",
    "items_for_budget",
    "looks_offered",
    "plan",
    "planned",
    "refuse_unsuitable",
    "run_fields",
    "with_best_runs",
    "with_looks",
    "with_one_run",
]

__getattr__ = lazy_names(__name__)
