"""Bounds and tails of the three bootstraps, from resamples written by hand."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, Unsuitable
from tellapart.numerics.resampling.bootstrap_bounds import bootstrap_bounds, bootstrap_tails
from tellapart.numerics.resampling.bootstrap_ranks import Kind, check_resamples, refuse_few_items
from tellapart.numerics.resampling.draws import Replicates

KINDS: tuple[Kind, ...] = ("percentile", "bca", "studentised")


def written(effects: FloatArray, effect: float = 0.5, influence: Any = None, error: float = 0.2) -> Replicates:
    """One entry with these resampled effects, each with a standard error of 0.2 unless said."""
    units = np.random.default_rng(0).exponential(size=100) - 1.0 if influence is None else np.asarray(influence)
    return Replicates(
        np.array([effect]),
        np.array([error]),
        effects[np.newaxis],
        np.full((1, len(effects)), error),
        units[np.newaxis],
    )


EFFECTS = np.random.default_rng(1).permutation(np.arange(1.0, 100.0) / 100.0)


def test_percentiles_are_ranks() -> None:
    """Of 99 resamples the fifth from either end bounds 90 %, and the tenth 80 %."""
    found = written(EFFECTS)
    assert [float(x[0]) for x in bootstrap_bounds("percentile", found, 0.9)] == [0.05, 0.95]
    assert [float(x[0]) for x in bootstrap_bounds("percentile", found, 0.8)] == [0.1, 0.9]


def test_percentile_tails_are_counts() -> None:
    """Resamples at or above the null, and at or below it, the observed one counted with them."""
    above, below = bootstrap_tails("percentile", written(EFFECTS), 0.95)
    assert (float(above[0]), float(below[0])) == (0.06, 0.96)


def moved(found: Replicates, level: float) -> list[float]:
    """BCa bounds by their formula. Efron (1987)."""
    effects, influence = np.sort(found.effects[0]), found.influence[0]
    below = np.mean(effects < found.effect[0]) + 0.5 * np.mean(effects == found.effect[0])
    bias = stats.norm.ppf(below)
    acceleration = np.sum(influence**3) / (6.0 * np.sum(influence**2) ** 1.5)
    bounds = []
    for tail in ((1.0 - level) / 2.0, (1.0 + level) / 2.0):
        step = bias + stats.norm.ppf(tail)
        share = stats.norm.cdf(bias + step / (1.0 - acceleration * step))
        rank = np.floor(100.0 * share + 1e-9) if tail < 0.5 else 100.0 - np.floor(100.0 * (1.0 - share) + 1e-9)
        inside = 1 <= rank <= 99
        bounds.append(float(effects[int(rank) - 1]) if inside else np.copysign(np.inf, rank - 50.0))
    return bounds


@pytest.mark.parametrize("effect", [0.4, 0.5, 0.63])
@pytest.mark.parametrize("level", [0.6, 0.9])
def test_bca_moves_percentiles(effect: float, level: float) -> None:
    """Median bias and acceleration of the influences move both ranks."""
    found = written(EFFECTS, effect)
    assert [float(x[0]) for x in bootstrap_bounds("bca", found, level)] == moved(found, level)


@pytest.mark.parametrize(("null", "above", "below"), [(2.0, 0.01, 0.99), (-2.0, 0.99, 0.01), (0.305, 0.7, 0.31)])
def test_bca_tails_undo_the_move(null: float, above: float, below: float) -> None:
    """The tails whose moved percentiles are the counted ones, never 0 or 1 and never below one resample's share."""
    found = written(EFFECTS, 0.63)
    influence = found.influence[0]
    bias = stats.norm.ppf(62.5 / 99.0)
    acceleration = np.sum(influence**3) / (6.0 * np.sum(influence**2) ** 1.5)

    def undone(moved: float) -> float:
        step = moved - bias
        return float(step / (1.0 + acceleration * step) - bias)

    lower, upper = (float(x[0]) for x in bootstrap_tails("bca", found, null))
    assert lower == pytest.approx(max(stats.norm.cdf(-undone(-stats.norm.ppf(above))), 0.01), rel=1e-9, abs=0.0)
    assert upper == pytest.approx(max(stats.norm.cdf(undone(stats.norm.ppf(below))), 0.01), rel=1e-9, abs=0.0)


def test_studentised_bounds_are_t_ratios() -> None:
    """Effect minus error times the quantiles of (resampled − observed)/resampled error, the large one below."""
    found = written(EFFECTS**2, 0.3)
    ratios = np.sort((EFFECTS**2 - 0.3) / 0.2)
    low, high = bootstrap_bounds("studentised", found, 0.9)
    assert float(low[0]) == pytest.approx(0.3 - 0.2 * ratios[94])
    assert float(high[0]) == pytest.approx(0.3 - 0.2 * ratios[4])


def test_studentised_tails_are_counted_ratios() -> None:
    """Resampled ratios at least as large as the observed one, which the null decides."""
    found = written(EFFECTS, 0.5)
    above, below = bootstrap_tails("studentised", found, 0.2)
    ratios = (EFFECTS - 0.5) / 0.2
    assert float(below[0]) == pytest.approx((1.0 + np.sum(ratios >= 1.5 - 1e-9)) / 100.0)
    assert float(above[0]) == pytest.approx((1.0 + np.sum(ratios <= 1.5 + 1e-9)) / 100.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("skew", [1.0, 3.0])
def test_tails_invert_bounds(kind: Kind, skew: float) -> None:
    """The level at which a bound passes the null is the tail there."""
    found = written(EFFECTS**skew, float(np.median(EFFECTS**skew)))
    for null in (0.125, 0.315, 0.775):
        above, below = (float(x[0]) for x in bootstrap_tails(kind, found, null))
        tail = min(above, below)
        if not 0.02 < tail < 0.49:
            continue
        for factor, outside in ((1.02, True), (0.98, False)):
            low, high = (float(x[0]) for x in bootstrap_bounds(kind, found, 1.0 - 2.0 * factor * tail))
            assert (not low <= null <= high) == outside


def test_resamples_without_spread_lie_beyond_all_others() -> None:
    """Three of 99 are flat: on either side they are the outermost, so that the bounds at 90 % are three ranks further out."""
    found = written(EFFECTS, 0.5)
    errors = found.errors.copy()
    errors[0, :3] = 0.0
    flat = found._replace(errors=errors)
    ratios = np.sort((EFFECTS[3:] - 0.5) / 0.2)
    low, high = bootstrap_bounds("studentised", flat, 0.9)
    assert float(low[0]) == pytest.approx(0.5 - 0.2 * ratios[-2])
    assert float(high[0]) == pytest.approx(0.5 - 0.2 * ratios[1])
    assert [float(x[0]) for x in bootstrap_bounds("studentised", flat, 0.94)] == [-np.inf, np.inf]
    above, below = (float(x[0]) for x in bootstrap_tails("studentised", flat, 0.2))
    assert below == pytest.approx((1.0 + 3.0 + np.sum(ratios >= 1.5 - 1e-9)) / 100.0)
    assert above == pytest.approx((1.0 + 3.0 + np.sum(ratios <= 1.5 + 1e-9)) / 100.0)


@pytest.mark.parametrize("kind", KINDS)
def test_no_spread_at_all_has_no_answer(kind: Kind) -> None:
    """A constant effect that is not the null cannot be measured; one that is differs by nothing."""
    constant = Replicates(
        np.array([0.3]),
        np.zeros(1),
        np.full((1, 99), 0.3),
        np.zeros((1, 99)),
        np.zeros((1, 60)),
    )
    assert np.isnan([x[0] for x in bootstrap_tails(kind, constant, 0.0)]).all()
    assert not np.isnan([x[0] for x in bootstrap_tails(kind, constant, 0.3)]).any()


@pytest.mark.parametrize("kind", KINDS)
def test_a_bound_of_rounding_is_zero(kind: Kind) -> None:
    """A bound that is 1e-16 of the effects is 0: an interval that touches zero says so."""
    effects = np.where(EFFECTS < 0.5, 1e-16, EFFECTS)
    low, _ = bootstrap_bounds(kind, written(effects, 0.5, error=0.2), 0.5)
    if kind != "studentised":
        assert float(low[0]) == 0.0


def test_tails_too_small_for_the_resamples_are_refused() -> None:
    """99 resamples cannot show a tail of 0.001, and the message says how many can."""
    with pytest.raises(Unsuitable, match="resamples=999 or more"):
        bootstrap_bounds("percentile", written(EFFECTS), 0.998)
    with pytest.raises(Unsuitable, match="resamples=999 or more"):
        bootstrap_bounds("bca", written(EFFECTS), 0.998)
    bootstrap_bounds("percentile", written(EFFECTS), 0.98)


def test_too_few_items_and_resamples_are_refused() -> None:
    """A percentile bootstrap needs fifty items; any needs 99 to a million resamples."""
    for resamples in (99, 1_000_000):
        check_resamples(resamples)
    for resamples in (98, 1_000_001):
        with pytest.raises(SpellingError, match=f"resamples={resamples}"):
            check_resamples(resamples)
    refuse_few_items("percentile", 50)
    refuse_few_items("studentised", 3)
    with pytest.raises(Unsuitable, match="of 49 items"):
        refuse_few_items("percentile", 49)


def test_bca_without_bias_or_skew_is_the_percentile() -> None:
    """The resample whose rank is a whole number is taken, though its share is a rounding less."""
    found = written(EFFECTS, 0.5, np.tile([1.0, -1.0], 50))
    for level, bounds in ((0.9, [0.05, 0.95]), (0.8, [0.1, 0.9]), (0.6, [0.2, 0.8])):
        assert [float(x[0]) for x in bootstrap_bounds("bca", found, level)] == bounds


def test_a_tail_beyond_the_resamples_has_no_bound() -> None:
    """99 resamples say nothing of a tail below a hundredth."""
    found = written(EFFECTS)
    assert [float(x[0]) for x in bootstrap_bounds("studentised", found, 0.981)] == [-np.inf, np.inf]
    assert np.isfinite([float(x[0]) for x in bootstrap_bounds("studentised", found, 0.98)]).all()


def test_a_moved_rank_below_the_first_is_no_bound() -> None:
    """BCa ranks that a bias moves past the outermost resample: unbounded there, as p is at its least above such an alpha."""
    found = written(EFFECTS, 0.9)
    low, high = (float(x[0]) for x in bootstrap_bounds("bca", found, 0.97))
    assert np.isfinite(low)
    assert high == np.inf


def test_acceleration_has_no_unit() -> None:
    """Influences a thousand times as small lean as much: BCa bounds are the same."""
    influence = np.random.default_rng(0).exponential(size=100) - 1.0
    large, small = (written(EFFECTS, 0.63, k * influence) for k in (1.0, 1e-3))
    for level in (0.6, 0.9):
        bounds = [[float(x[0]) for x in bootstrap_bounds("bca", found, level)] for found in (large, small)]
        assert bounds[0] == bounds[1] == moved(large, level)
