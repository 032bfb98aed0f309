"""The smallest gain of a further system that the same items could detect, for several correlations."""

import math

from tellapart.answers.score import FurtherSystem
from tellapart.foundation.errors import TellapartError
from tellapart.foundation.spelling import spell
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.plan import PlanQuestion, planned
from tellapart.verbs.score.one_system import OneSystem, ScoreQuestion

CORRELATIONS = (0.0, 0.5, 0.8)
"""Between unrelated systems, systems of one kind, and two versions of one system: the user knows which it is."""


def further_systems(one: OneSystem, question: ScoreQuestion) -> tuple[FurtherSystem, ...]:
    """A row per correlation: the smallest gain that `plan` says is found with 80 % power, and the score that it makes."""
    return tuple(_further_at(one, correlation, question) for correlation in CORRELATIONS)


def _further_at(one: OneSystem, correlation: float, question: ScoreQuestion) -> FurtherSystem:
    population, unit = _assumed_population(one, correlation, lower=question.lower_is_better)
    try:
        plan = planned(population, PlanQuestion(items=one.items, power=POWER, alpha=question.alpha))
    except TellapartError:  # the scores leave no room for an effect that these items find
        return FurtherSystem(correlation, POWER, None, None, population)
    effect = plan.rows[0].effect
    gain = -unit * effect if question.lower_is_better else unit * effect
    return FurtherSystem(correlation, POWER, unit * effect, one.mean + gain, population)


def _assumed_population(one: OneSystem, correlation: float, *, lower: bool) -> tuple[str, float]:
    """The assumed population, as `plan` takes it, and the unit of its effects."""
    if one.code is not None and one.clusters is None and one.right is not None:
        good = one.items - one.right if lower else one.right
        return (f"paired_binary(accuracy={spell(good / one.items)}, correlation={spell(correlation)})", one.code.step)
    # The standard error carries what clusters add to it.
    sd = one.standard_error * math.sqrt(one.items)
    return f"gaussian(sd={spell(sd)}, correlation={spell(correlation)})", 1.0
