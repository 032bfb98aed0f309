"""`plan` as Python calls it: the options of every population are among its own, for which all of them are imported."""

from typing import Any, Protocol, cast

from tellapart.results.plan import Plan
from tellapart.verbs.asking import Describing, asking
from tellapart.verbs.plan.described import Populations, told
from tellapart.verbs.plan.inferred import every_option
from tellapart.verbs.plan.question import PlanQuestion
from tellapart.verbs.plan.verb import planned


class _Planning(Protocol):
    """Populations have options of their own beside those of the question, and no checker of types knows them."""

    def __call__(self, populations: Populations | None = None, /, **options: Any) -> Plan: ...


plan = cast(_Planning, asking("plan", PlanQuestion, planned, Describing(tuple(every_option()), told)))
plan.__module__ = __name__  # where pickle finds it
