"""Effects as places: which way they are looked for, where a search begins, and what is said where it ends."""

import math

import pytest

from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.planning.solved_axes import EffectAxis
from tellapart.planning.study import Study
from tellapart.populations.gaussian import Gaussian


def effect(population: str, test: str = "paired_t", size: int = 50) -> EffectAxis:
    return EffectAxis(Study(population, test, size), 0.8, Budget())


@pytest.mark.parametrize(
    ("population", "test", "sign"),
    [
        ("gaussian(sd=0.1, correlation=0.5)", "paired_t", 1.0),
        ("gaussian(sd=0.1, correlation=0.5)", "paired_t(alternative=less)", -1.0),
        ("proportions(accuracy=1)", "two_proportion_z", -1.0),
        ("proportions(accuracy=0)", "two_proportion_z", 1.0),
    ],
)
def test_effects_are_looked_for_in_one_direction(population: str, test: str, sign: float) -> None:
    """That of the alternative; of a two-sided test upwards, where there is anything."""
    axis = effect(population, test)
    assert axis.sign == sign
    assert axis.value_at(0.02) == sign * 0.02
    assert axis.study_at(0.02).population.effect == sign * 0.02
    assert axis.snapped(0.02) == 0.02


def test_the_largest_effect_there_is() -> None:
    """What the population can have, just not its end; without bounds so many standard errors."""
    assert effect("proportions(accuracy=0.7)", "two_proportion_z").most == pytest.approx(0.3, rel=1e-6, abs=0.0)
    assert effect("proportions(accuracy=0.7)", "two_proportion_z").most < 0.3
    assert effect("gaussian(sd=0.1, correlation=0.5)", size=100).most == pytest.approx(0.1 / 10 * 1e15)


def test_effects_begin_where_a_z_test_would_end() -> None:
    """So many standard errors, or the largest there is."""
    axis = effect("gaussian(sd=0.1, correlation=0.5)", size=100)
    assert axis.start == pytest.approx(axis.quantiles * 0.01)
    binary = effect("paired_binary(discordance=0.5)", "mcnemar", 100)
    assert binary.start == pytest.approx(binary.quantiles * math.sqrt(0.5 / 100), rel=1e-6, abs=0.0)
    narrow = effect("proportions(accuracy=0.7)", "two_proportion_z", 2)
    assert narrow.start == narrow.most


def test_margins_have_no_effect_to_find() -> None:
    """The effect of an equivalence is given, not solved."""
    with pytest.raises(UsageError, match="asks about a margin"):
        effect("gaussian(sd=0.1, correlation=0.5)", "equivalence(margin=0.1)")


def test_the_largest_effect_is_that_of_the_side_looked_at() -> None:
    """Where a system may lose more than it can gain, the two sides end at different places."""
    up = effect("proportions(accuracy=0.7)", "two_proportion_z")
    down = effect("proportions(accuracy=0.7)", "two_proportion_z(alternative=less)")
    assert up.most == pytest.approx(0.3 * (1.0 - 1e-9), rel=1e-12, abs=0.0)
    assert down.most == pytest.approx(0.7 * (1.0 - 1e-9), rel=1e-12, abs=0.0)


def test_a_refusal_has_the_sign_of_the_side_looked_at() -> None:
    down = effect("paired_binary(discordance=0.1)", "mcnemar(variant=exact, alternative=less)", size=20)
    up = effect("paired_binary(discordance=0.1)", "mcnemar(variant=exact, alternative=greater)", size=20)
    assert "(-0.09)" in str(down.refused(0.09))
    assert "(0.09)" in str(up.refused(0.09))


def test_a_refusal_says_which_effect_was_tried() -> None:
    """The largest that the scores can have, or that no size will do."""
    bounded = effect("proportions(accuracy=0.7)", "two_proportion_z", 5)
    assert "5 items find even the largest effect these scores can have (0.3)" in bounded.refused(bounded.most).message
    assert "an effect of any size by paired_t" in effect("gaussian(sd=1, correlation=0)").refused(1.0).message


@pytest.mark.parametrize(
    ("side", "x", "said"),
    [
        ("greater", 0.5, "even an effect of any size by paired_t"),
        ("less", 0.2, "even the largest effect these scores can have (-0.2)"),
    ],
)
def test_scores_that_are_bounded_on_one_side(side: str, x: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether there is a largest effect is asked of the side looked at: losses may end where gains do not."""
    monkeypatch.setattr(Gaussian, "effect_range", (-0.25, math.inf))
    axis = effect("gaussian(sd=1, correlation=0)", f"paired_t(alternative={side})", 5)
    assert said in axis.refused(x).message
    assert (axis.most > 1e6) == (side == "greater")
