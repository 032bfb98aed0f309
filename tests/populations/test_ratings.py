"""Ratings by several raters: who rates what, how they spread, and how precise a design is."""

from typing import Any

import numpy as np
import pytest

from tellapart.data.summaries import Differences
from tellapart.data.summaries.rater_samples import ByRaters, Crossed, UnpairedRatings
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.populations import POPULATIONS, Population
from tellapart.populations.noise import Noise
from tellapart.populations.population import Design
from tellapart.populations.rating_designs import layout
from tellapart.populations.ratings import RatedSystems

SPREADS: dict[str, Any] = {"rater_effect_sd": 0.3, "item_effect_sd": 0.2, "residual_sd": 0.4}
LEVELS: dict[str, Any] = {"rater_sd": 0.5, "item_sd": 0.1}
NESTED = ("raters_nested", "items_nested", "both_nested", "counterbalanced")


@pytest.mark.parametrize(("raters", "per_item", "items"), [(7, 3, 20), (10, 1, 40), (5, 4, 11)])
def test_loads_are_even(raters: int, per_item: int, items: int) -> None:
    """Every item has its raters, all different, and no rater has more than one item more than another."""
    where = layout("crossed", raters, per_item, items)
    assert (np.bincount(where.item) == per_item).all()
    assert len(set(zip(where.rater.tolist(), where.item.tolist(), strict=True))) == items * per_item
    assert np.ptp(np.bincount(where.rater, minlength=raters)) <= 1


def test_halves() -> None:
    """Who sees what in the designs in which nobody rates both systems on an item."""
    nested = {design: layout(design, 4, 4, 6) for design in NESTED}
    for design, where in nested.items():
        assert where.of_b is not None, design
        assert where.of_b.mean() == 0.5
    of_raters = {
        d: {len(set(w.of_b[w.rater == r].tolist())) for r in range(4)} for d, w in nested.items() if w.of_b is not None
    }
    of_items = {
        d: {len(set(w.of_b[w.item == i].tolist())) for i in range(6)} for d, w in nested.items() if w.of_b is not None
    }
    assert of_raters == {
        "raters_nested": {1},
        "items_nested": {2},
        "both_nested": {1},
        "counterbalanced": {2},
    }
    assert of_items == {"raters_nested": {2}, "items_nested": {1}, "both_nested": {1}, "counterbalanced": {2}}
    assert nested["both_nested"].cells == 12


def _effects(population: RatedSystems, items: int, size: int) -> FloatArray:
    found = population.summary(ByRaters, _noise(population, items, size))
    return np.asarray(found.effect)


def _noise(population: Population, items: int, size: int) -> Noise:
    return Noise.drawn(population.draws(Design(items)), size, stream(4))


@pytest.mark.parametrize("design", ["crossed", *NESTED])
def test_effects_spread_as_they_should(design: str) -> None:
    """Over evaluations the plain difference of averages has the variance that its precision says."""
    source = RatedSystems(raters=6, design=design, effect=0.2, **SPREADS, **LEVELS)  # type: ignore[arg-type]  # names
    found = _effects(source, 8, 20_000)
    variance = source.precision(8).variance
    assert found.mean() == pytest.approx(0.2, abs=4.0 * (variance / 20_000) ** 0.5)
    assert found.var() == pytest.approx(variance, rel=0.045, abs=0.0)


@pytest.mark.parametrize("per_item", [None, 1, 2])
def test_direct_draws_have_the_same_law(per_item: int | None) -> None:
    """Differences drawn without levels: same mean, same variance, same gaps."""
    source = RatedSystems(raters=5, per_item=per_item, effect=0.1, **SPREADS, **LEVELS)
    fast = source.draw_summary(ByRaters, Design(10), 20_000, stream(1))
    slow = source.summary(ByRaters, _noise(source, 10, 20_000))
    assert isinstance(fast, Crossed)
    assert (np.isnan(fast.values) == np.isnan(slow.values)).all()
    assert fast.effect.var() == pytest.approx(slow.effect.var(), rel=0.05, abs=0.0)
    assert np.nanvar(fast.values) == pytest.approx(np.nanvar(slow.values), rel=0.02, abs=0.0)


def test_single_ratings_of_nested_designs() -> None:
    """A test over raters sees single ratings; averages over raters are refused where systems share no items."""
    source = RatedSystems(raters=4, design="items_nested", effect=0.1, **SPREADS, **LEVELS)
    assert isinstance(source.summary(ByRaters, _noise(source, 8, 3)), UnpairedRatings)
    with pytest.raises(Exception, match="share no items"):
        source.summary(Differences, _noise(source, 8, 3))


def _dense(source: RatedSystems, items: int) -> tuple[float, float]:
    """Variance of the effect and Satterthwaite's degrees of freedom by whole matrices."""
    where, spread = source.layout(items), source.variances
    z, k = np.eye(source.raters)[where.rater], np.eye(items)[where.item]
    if where.of_b is None:
        parts = [z @ z.T, k @ k.T, np.eye(where.cells)]
        variances = [spread["rater_effect_sd"], spread["item_effect_sd"], 2.0 * spread["residual_sd"]]
        fixed, wanted = np.ones((where.cells, 1)), np.array([1.0])
    else:
        x = (where.of_b - 0.5)[:, np.newaxis]
        parts = [(z * x) @ (z * x).T, (k * x) @ (k * x).T, z @ z.T, k @ k.T, np.eye(where.cells)]
        variances = [spread[n] for n in ("rater_effect_sd", "item_effect_sd", "rater_sd", "item_sd", "residual_sd")]
        fixed, wanted = np.hstack([np.ones_like(x), x]), np.array([0.0, 1.0])
    inverse = np.linalg.inv(sum(v * part for v, part in zip(variances, parts, strict=True)))
    covariance = np.linalg.inv(fixed.T @ inverse @ fixed)
    weights = inverse @ fixed @ covariance @ wanted
    left = inverse - inverse @ fixed @ covariance @ fixed.T @ inverse
    scaled = [left @ part for part in parts]
    information = np.array([[0.5 * np.sum(a * b.T) for b in scaled] for a in scaled])
    gradient, variance = (
        np.array([weights @ part @ weights for part in parts]),
        float(wanted @ covariance @ wanted),
    )
    return variance, float(2.0 * variance**2 / (gradient @ np.linalg.pinv(information) @ gradient))


@pytest.mark.parametrize(
    ("options", "items"),
    [
        ({"raters": 6, "per_item": 2}, 30),
        ({"raters": 8, "per_item": 3}, 16),
        ({"raters": 20, "per_item": 2}, 10),
        ({"raters": 6, "design": "counterbalanced"}, 14),
    ],
)
def test_precision_by_whole_matrices(options: dict[str, int], items: int) -> None:
    """Of designs without three mean squares, where all raters rate as many items."""
    source = RatedSystems(**options, **SPREADS, **LEVELS)  # type: ignore[arg-type]  # numbers and names of options
    precise = source.precision(items)
    assert (precise.variance, precise.df) == pytest.approx(_dense(source, items), rel=1e-8, abs=0.0)


def test_spelling_of_what_evidence_and_pilots_say() -> None:
    """Ratings whose spreads come from elsewhere can be typed back."""
    for text in (
        "ratings(effect=0.1, raters=10, rater_effect_sd=0.08, item_effect_sd=0.26, residual_sd=0.16, range=0:1, spreads_from=ratings(setting=low))",
        "ratings(effect=0.1, raters=10, rater_effect_sd=0.08, item_effect_sd=0.26, residual_sd=0.16, pilot_raters=3, pilot_items=55)",
        "ratings(effect=0.1, raters=10, rater_effect_sd=0.08, item_effect_sd=0.26, residual_sd=0.16, pilot_raters=3, pilot_items=55, better=lower)",
    ):
        assert str(POPULATIONS.parse(text)) == text
