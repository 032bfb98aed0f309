"""What raters alone allow, how many of them a power needs, and which engine answers at which level."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from tellapart.planning.rater_designs import RaterDesigns, near_mean_squares
from tellapart.planning.raters import (
    by_mean_squares,
    closed,
    detected,
    fewest_raters,
    from_mean_squares,
    items_ceiling,
    raters_ceiling,
)
from tellapart.planning.study import Study
from tellapart.populations.ratings import RatedSystems

RULE = "mixed_model(df=kenward_roger)"


def study(raters: int = 4, *, effect: float = 0.2, test: str = RULE, **more: object) -> Study:
    spreads = {"rater_effect_sd": 0.3, "item_effect_sd": 0.2, "residual_sd": 0.4} | more
    said = ", ".join(f"{name}={value}" for name, value in spreads.items())
    return Study(f"ratings(raters={raters}, effect={effect}, {said})", test, 24)


@pytest.mark.parametrize("power", [0.5, 0.8, 0.95])
def test_the_fewest_raters_are_the_first_that_suffice(power: float) -> None:
    """Looked for one by one: with endless items a t test over so many raters' means first has the power."""
    found = fewest_raters(study(), power)
    ceilings = {raters: items_ceiling(study(raters)) for raters in range(5, 60)}
    assert found == min(raters for raters, ceiling in ceilings.items() if ceiling >= power)


@pytest.mark.parametrize("raters", [4, 10])
def test_with_endless_items_raters_are_the_sample(raters: int) -> None:
    """The noncentral t of their effects, and of raters of each system's own the spread between them too."""
    critical = stats.t.isf(0.025, raters - 1)
    shift = 0.2 / 0.3 * raters**0.5
    expected = stats.nct.sf(critical, raters - 1, shift) + stats.nct.cdf(-critical, raters - 1, shift)
    assert items_ceiling(study(raters)) == pytest.approx(float(expected), rel=1e-9, abs=0.0)


def test_raters_of_their_own_come_in_pairs() -> None:
    """One more for each system: the fewest are found among even numbers."""
    nested: dict[str, Any] = {"design": "raters_nested", "rater_sd": 0.1, "rater_effect_sd": 0.1}
    found = fewest_raters(study(4, **nested), 0.8)
    enough = [raters for raters in range(6, 80, 2) if items_ceiling(study(raters, **nested)) >= 0.8]
    assert found == enough[0]


def test_no_number_of_raters_may_be_enough() -> None:
    """An effect that thousands of raters cannot see is said to have no number."""
    assert fewest_raters(study(effect=1e-4), 0.8) is None
    assert fewest_raters(study(effect=0.0), 0.8) is None


def test_ten_thousand_raters_are_the_most() -> None:
    """An effect that takes all of them has that number, and one that is smaller by a millionth has none."""

    def short(effect: float) -> float:
        shift, critical = effect / 0.3 * 100.0, stats.t.isf(0.025, 9_999)
        return float(stats.nct.sf(critical, 9_999, shift) + stats.nct.cdf(-critical, 9_999, shift) - 0.8)

    just = optimize.brentq(short, 0.007, 0.01, xtol=1e-15)
    assert fewest_raters(study(effect=just * (1.0 + 1e-6)), 0.8) == 10_000
    assert fewest_raters(study(effect=just * (1.0 - 1e-6)), 0.8) is None


@pytest.mark.parametrize(
    ("effect", "alternative", "found"),
    [(0.2, "two-sided", 1.0), (-0.2, "two-sided", 1.0), (0.2, "less", 0.0), (-0.2, "less", 1.0), (-0.2, "greater", 0.0), (0.0, "two-sided", 0.0)],
)  # fmt: skip
def test_where_nothing_varies_an_effect_is_seen_or_not(effect: float, alternative: str, found: float) -> None:
    """Raters who all see the same difference, on endless items: what there is to see is seen by a test that looks there."""
    test = f"mixed_model(df=kenward_roger, alternative={alternative})"
    assert items_ceiling(study(effect=effect, test=test, rater_effect_sd=0)) == found
    assert raters_ceiling(study(effect=effect, test=test, item_effect_sd=0)) == found


@pytest.mark.parametrize("alpha", [0.3, 0.49])
def test_levels_up_to_a_half_are_answered(alpha: float) -> None:
    """From a half on both sides of a test reject the same ratings, and neither rule nor formula is asked."""
    rated, alone = study(effect=0.0), study(effect=0.0, per_item=1, test="rater_t")

    def at(one: Study, level: float) -> Study:
        return Study(one.population, one.test, one.design, level)

    exact, formula, over_raters = (
        by_mean_squares(at(rated, alpha)),
        closed(at(rated, alpha), "formula"),
        closed(at(alone, alpha), None),
    )
    assert exact is not None
    assert formula is not None
    assert over_raters is not None
    assert exact.power == pytest.approx(alpha, abs=0.02)
    assert formula.power == pytest.approx(alpha, abs=1e-9)
    assert over_raters.power == pytest.approx(alpha, abs=1e-9)
    assert by_mean_squares(at(rated, 0.5)) is None
    assert closed(at(rated, 0.5), "formula") is None
    assert closed(at(alone, 0.5), "formula") is None


def rated(one: Study) -> RatedSystems:
    assert isinstance(one.population, RatedSystems)
    return one.population


def designs(*counts: tuple[int, int, int]) -> RaterDesigns:
    return RaterDesigns(*np.array(counts, dtype=np.int64).T)


@pytest.mark.parametrize(
    ("alternative", "power"), [("two-sided", 0.8), ("greater", 0.9), ("two-sided", 0.3), ("two-sided", 0.1)]
)
def test_the_effect_that_is_detected_has_the_power(alternative: str, power: float) -> None:
    """Put back, by the rule itself."""
    asked = study(5, test=f"mixed_model(df=cochran, alternative={alternative})")
    squares = rated(asked).mean_squares(asked.items)
    assert squares is not None
    found = detected(squares, asked.test, 0.05, power)
    again = from_mean_squares(asked.with_effect(found), squares)
    assert again.power == pytest.approx(power, abs=2e-3)


@pytest.mark.parametrize(("raters", "items"), [(2, 2), (3, 4), (4, 3), (6, 20), (20, 6)])
def test_crossed_designs_are_as_precise_as_their_mean_squares(raters: int, items: int) -> None:
    """Variance and degrees of freedom of thousands of designs at once are those of each of them."""
    population = rated(study(raters))
    error, df = designs((raters, raters, items)).precision(population)
    alone = population.precision(items)
    assert float(error[0]) == pytest.approx(alone.variance**0.5, rel=1e-9, abs=0.0)
    assert float(df[0]) == pytest.approx(max(alone.df, 1.0), rel=1e-6, abs=0.0)


@pytest.mark.parametrize(("raters", "per_item", "items"), [(3, 2, 3), (4, 3, 4), (4, 3, 16), (6, 5, 18), (8, 7, 8)])
def test_raters_who_meet_equally_often(raters: int, per_item: int, items: int) -> None:
    """Balanced incomplete blocks: the same as from the eigenvalues of who rates together with whom."""
    population = rated(study(raters, per_item=per_item))
    where = population.layout(items)
    rates = np.zeros((raters, items))
    rates[where.rater, where.item] = 1.0
    met = rates @ rates.T
    assert len(np.unique(met[~np.eye(raters, dtype=bool)])) == 1
    error, df = designs((raters, per_item, items)).precision(population)
    alone = population.precision(items)
    assert float(error[0]) == pytest.approx(alone.variance**0.5, rel=1e-9, abs=0.0)
    assert float(df[0]) == pytest.approx(max(alone.df, 1.0), rel=1e-6, abs=0.0)


@pytest.mark.parametrize(("raters", "per_item", "items"), [(4, 2, 30), (10, 3, 40), (8, 6, 24)])
def test_three_mean_squares_stand_for_some_raters_per_item(raters: int, per_item: int, items: int) -> None:
    """They have the degrees of freedom of the design, to some hundredths, and its variance."""
    population = rated(study(raters, per_item=per_item))
    near = near_mean_squares(population, items)
    error, df = designs((raters, per_item, items)).precision(population)
    assert near.variance == pytest.approx(float(error[0]) ** 2, rel=1e-9, abs=0.0)
    assert near.df == pytest.approx(float(df[0]), rel=0.05, abs=0.0)


@pytest.mark.parametrize(("per_item", "items", "answered"), [("1", 20, True), ("1", 22, False), ("none", 20, False)])
def test_the_formula_over_raters_is_for_equal_shares(per_item: str, items: int, *, answered: bool) -> None:
    """Of five raters each has four items of its own; uneven shares and items that all rate are no independent means spread alike."""
    asked = study(5, per_item=per_item, test="rater_t")
    found = closed(Study(asked.population, asked.test, items, 0.05), "formula")
    assert (found is not None) == answered


def test_raters_alone_are_as_precise_as_their_means() -> None:
    """One rater per item: the spread of raters over their number, that of single items over theirs, and a rater less of freedom."""
    error, df = designs((5, 1, 20)).precision(rated(study(5, per_item=1)))
    assert float(error[0]) ** 2 == pytest.approx(0.09 / 5 + (0.04 + 2 * 0.16) / 20)
    assert df.tolist() == [4.0]
