"""Places along an axis: which studies they stand for, where a search begins, and what is said where it ends."""

import math
from dataclasses import fields

import pytest
from scipy import stats

from tellapart.errors import UsageError
from tellapart.planning.axis import CountAxis, EffectAxis, ItemsAxis, distance_to_claim, spread
from tellapart.planning.budget import Budget
from tellapart.planning.study import PowerResult, Study
from tellapart.populations import Population
from tellapart.populations.design import Design

GAUSSIAN = "gaussian(sd=0.1, correlation=0.5, effect=0.03)"
CLUSTERED = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=10, icc=0.3, effect=0.02)"


def items(population: str = GAUSSIAN, test: str = "paired_t", target: float = 0.8) -> ItemsAxis:
    return ItemsAxis(Study(population, test, 2), target, Budget())


def effect(population: str, test: str = "paired_t", size: int = 50) -> EffectAxis:
    return EffectAxis(Study(population, test, size), 0.8, Budget())


def test_axes_name_what_they_solve_for() -> None:
    """A field of the design, or the effect of the population."""
    assert ItemsAxis.solves_for in {field.name for field in fields(Design)}
    assert issubclass(ItemsAxis, CountAxis)
    assert EffectAxis.solves_for == "effect"


@pytest.mark.parametrize("n", [2, 3, 10, 99_999, 10**9])
def test_whole_numbers_stay_whole(n: int) -> None:
    """The root of a whole number stands for that number, and anything above it for the next."""
    axis = items()
    assert axis.units(math.sqrt(n)) == axis.enough(math.sqrt(n)) == axis.value_at(math.sqrt(n)) == n
    assert axis.study_at(math.sqrt(n)).items == n
    assert axis.enough(math.sqrt(n + 0.4)) == n + 1
    assert axis.snapped(math.sqrt(n + 0.4)) == math.sqrt(n)


def test_no_place_below_two() -> None:
    """One item has no spread."""
    axis = items()
    assert (axis.units(0.5), axis.enough(0.5), axis.value_at(1.0)) == (2, 2, 2)
    assert axis.least == math.sqrt(2.0)
    assert axis.most**2 == pytest.approx(1e9)


def test_clusters_are_units() -> None:
    """Places count clusters, values items."""
    axis = items(CLUSTERED, "cluster_t")
    assert (axis.unit, axis.value_at(3.0), axis.study_at(3.0).items) == (10, 90, 90)


def test_each_place_is_computed_once() -> None:
    """Also where several x stand for it, and after an interrupt only what is known."""
    axis = items()
    first = axis.at(3.0)
    assert axis.at(3.01) is first
    axis.runner.interrupted = True
    assert axis.at(3.0) is first
    with pytest.raises(KeyboardInterrupt):
        axis.at(4.0)


@pytest.mark.parametrize(
    ("test", "sides"),
    [
        ("paired_t", 2.0),
        ("paired_t(alternative=greater)", 1.0),
        ("equivalence(margin=0.1)", 1.0),
        ("non_inferiority(margin=0.1)", 1.0),
    ],
)
def test_searches_begin_where_a_z_test_would_end(test: str, sides: float) -> None:
    """(z of the power + z of the level) · spread / distance, squared: two-sided tests of a difference halve the level."""
    axis = items(test=test)
    quantiles = float(stats.norm.ppf(0.8) - stats.norm.ppf(0.05 / sides))
    assert axis.quantiles == pytest.approx(quantiles)
    distance = {"equivalence(margin=0.1)": 0.07, "non_inferiority(margin=0.1)": 0.13}.get(test, 0.03)
    assert axis.start**2 == pytest.approx((quantiles * 0.1 / distance) ** 2, abs=0.51)


def test_searches_begin_within_reach() -> None:
    """At four items where one would do, and at a quarter of the most where more are needed: there is room left to go on."""
    assert items("gaussian(sd=0.1, correlation=0.5, effect=30)").start == 2.0
    far = items("gaussian(sd=0.1, correlation=0.5, effect=1e-9)")
    assert far.start == far.most / 2.0
    assert items("gaussian(sd=0.1, correlation=0.5, effect=0.12)").start ** 2 == pytest.approx(5.0)


def test_clusters_begin_at_as_many_items() -> None:
    """A search over clusters of ten begins at a tenth of the items, and so at their root over that of ten."""
    axis = items(CLUSTERED, "cluster_t")
    start = axis.quantiles * spread(axis.study.population) / 0.02
    assert axis.start**2 == pytest.approx(start**2 / 10, abs=0.51)


def test_the_target_itself_is_enough() -> None:
    """Power at the target reaches it."""
    axis = items()
    axis.known = {3.0: PowerResult(0.8, 0.8, 0.8, "formula", None, None, None)}
    assert axis.reaches_target(3.0)


def test_targets_below_the_level_have_a_start_too() -> None:
    """A power of one in a thousand is less than the test's own level: the distance is kept above zero."""
    assert items(target=0.001).quantiles == 0.1


@pytest.mark.parametrize(
    ("test", "effect_size", "distance"),
    [
        ("paired_t", -0.03, 0.03),
        ("equivalence(margin=0.1)", -0.03, 0.07),
        ("equivalence(margin=0.1)", 0.12, -0.02),
        ("non_inferiority(margin=0.1)", -0.03, 0.07),
        ("non_inferiority(margin=0.1)", 0.03, 0.13),
        ("non_inferiority(margin=0.1, alternative=less)", 0.03, 0.07),
        ("non_inferiority(margin=0.1, alternative=less)", -0.03, 0.13),
    ],
)
def test_distances_to_a_claim(test: str, effect_size: float, distance: float) -> None:
    """From zero, or from the margin on the side that the claim is about."""
    study = Study(f"gaussian(sd=0.1, correlation=0.5, effect={effect_size})", test, 50)
    assert distance_to_claim(study) == pytest.approx(distance)


def test_spreads_that_are_known_and_that_are_looked_for() -> None:
    """What the population says of independent items; else what some drawn items or clusters show."""
    assert spread(Population.parse(GAUSSIAN)) == pytest.approx(0.1)
    assert spread(Population.parse(CLUSTERED)) == pytest.approx(0.1 * math.sqrt(1 + 9 * 0.3), rel=0.1)
    beta = Population.parse("beta(mean=0.5, sd=0.1, correlation=0, effect=0)")
    assert beta.sd_difference is None
    assert spread(beta) == pytest.approx(0.1 * math.sqrt(2.0), rel=0.1)
    assert spread(Population.parse("paired_binary(discordance=0, effect=0)")) == 1.0


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
    assert effect("proportions(accuracy=0.7)", "two_proportion_z").most == pytest.approx(0.3, rel=1e-6)
    assert effect("proportions(accuracy=0.7)", "two_proportion_z").most < 0.3
    assert effect("gaussian(sd=0.1, correlation=0.5)", size=100).most == pytest.approx(0.1 / 10 * 1e15)


def test_effects_begin_where_a_z_test_would_end() -> None:
    """So many standard errors, or the largest there is."""
    axis = effect("gaussian(sd=0.1, correlation=0.5)", size=100)
    assert axis.start == pytest.approx(axis.quantiles * 0.01)
    binary = effect("paired_binary(discordance=0.5)", "mcnemar", 100)
    assert binary.start == pytest.approx(binary.quantiles * math.sqrt(0.5 / 100), rel=1e-6)
    narrow = effect("proportions(accuracy=0.7)", "two_proportion_z", 2)
    assert narrow.start == narrow.most


def test_margins_have_no_effect_to_find() -> None:
    """The effect of an equivalence is given, not solved."""
    with pytest.raises(UsageError, match="asks about a margin"):
        effect("gaussian(sd=0.1, correlation=0.5)", "equivalence(margin=0.1)")


def test_refusals_say_how_far_it_went() -> None:
    """The farthest number tried and the power there."""
    axis = items()
    assert f"even 100 items reach only {axis.at(10.0).power:.3f} power" in axis.refused(10.0).message
    bounded = effect("proportions(accuracy=0.7)", "two_proportion_z", 5)
    assert (
        "5 items find even the largest effect these scores can have (0.3)"
        in bounded.refused(bounded.most).message
    )
    assert "an effect of any size by paired_t" in effect("gaussian(sd=1, correlation=0)").refused(1.0).message


def test_the_largest_effect_is_that_of_the_side_looked_at() -> None:
    """Where a system may lose more than it can gain, the two sides end at different places."""
    up = effect("proportions(accuracy=0.7)", "two_proportion_z")
    down = effect("proportions(accuracy=0.7)", "two_proportion_z(alternative=less)")
    assert up.most == pytest.approx(0.3, rel=1e-8)
    assert down.most == pytest.approx(0.7, rel=1e-8)


def test_a_refusal_has_the_sign_of_the_side_looked_at() -> None:
    down = effect("paired_binary(discordance=0.1)", "mcnemar(variant=exact, alternative=less)", size=20)
    up = effect("paired_binary(discordance=0.1)", "mcnemar(variant=exact, alternative=greater)", size=20)
    assert "(-0.09)" in str(down.refused(0.09))
    assert "(0.09)" in str(up.refused(0.09))
