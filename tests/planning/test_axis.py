"""What every axis does, whatever it solves for: places are computed once, and an interrupt leaves what is known."""

from dataclasses import fields

import pytest

from tellapart.compute.work import Budget
from tellapart.planning.solved_axes import CountAxis, EffectAxis, ItemsAxis
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.population import Design

GAUSSIAN = "gaussian(sd=0.1, correlation=0.5, effect=0.03)"


def items(population: str = GAUSSIAN, test: str = "paired_t", target: float = 0.8) -> ItemsAxis:
    return ItemsAxis(Study(population, test, 2), target, Budget())


def test_axes_name_what_they_solve_for() -> None:
    """A field of the design, or the effect of the population."""
    assert ItemsAxis.solves_for in {field.name for field in fields(Design)}
    assert issubclass(ItemsAxis, CountAxis)
    assert EffectAxis.solves_for == "effect"


def test_each_place_is_computed_once() -> None:
    """Also where several x stand for it, and after an interrupt only what is known."""
    axis = items()
    first = axis.at(3.0)
    assert axis.at(3.01) is first
    axis.runner.interrupted = True
    assert axis.at(3.0) is first
    with pytest.raises(KeyboardInterrupt):
        axis.at(4.0)


def test_the_target_itself_is_enough() -> None:
    """Power at the target reaches it."""
    axis = items()
    axis.known = {3.0: PowerResult(0.8, 0.8, 0.8, "formula", None, None, None)}
    assert axis.reaches_target(3.0)


def test_targets_below_the_level_have_a_start_too() -> None:
    """A power of one in a thousand is less than the test's own level: the distance is kept above zero."""
    assert items(target=0.001).quantiles == 0.1
