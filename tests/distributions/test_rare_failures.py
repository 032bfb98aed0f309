"""Rare failures: which items are, how many more of them are allowed for, and what these do to mean and variance."""

import numpy as np
import pytest
from scipy import stats

from tellapart.distributions.rare_failures import (
    FEWEST,
    failures_below,
    mean_with_failures,
    most_expected,
    rare_failures,
)

# Around 0.05: the middle is 0.05, the farthest above it lies 0.04 away, and three times that is 0.12.
STEADY = np.array([0.03, 0.04, 0.05, 0.05, 0.06, 0.09] * 5)


def with_items(*values: float) -> np.ndarray:
    changed = STEADY.copy()
    changed[: len(values)] = values
    return changed


@pytest.mark.parametrize(
    ("items", "seen"),
    [
        ((), 0),
        ((-0.06,), 0),  # 0.11 from the middle
        ((-0.08,), 1),  # 0.13 from it
        ((-0.08, -2.0), 2),
        ((-0.08, -2.0, -1.0), 0),  # three show by themselves what they are like
        ((-2.0, 0.8), 0),  # the other side goes nearly as far
        ((-2.0, 0.6), 1),
    ],
)
def test_one_or_two_items_far_out_on_one_side(items: tuple[float, ...], seen: int) -> None:
    values = with_items(*items)
    assert (int(failures_below(values).seen), int(failures_below(-values).seen)) == (seen, 0)
    for shifted in (values, 3.0 - values, 1e6 * values - 7.0):
        assert int(rare_failures(shifted)) == seen


def test_no_failure_is_overlooked_by_what_rules_samples_out() -> None:
    """Mean and spread rule out most samples unseen: the definition itself, sample by sample, finds no failures among these."""
    rng = np.random.default_rng(5)
    for items, tail in ((6, 2.0), (9, 1.0), (40, 2.0), (300, 1.5)):
        values = rng.standard_normal((2_000, items)) * 0.1
        values[:, :2] -= rng.pareto(tail, (2_000, 2)) * (rng.random((2_000, 2)) < 0.6)
        values[::7] = np.round(values[::7], 1)
        middle, highest = np.median(values, axis=1), values.max(axis=1)
        below = (middle[:, None] - values > 3.0 * (highest - middle)[:, None]).sum(axis=1)
        expected = np.where((below < 3) & (items >= FEWEST), below, 0)
        np.testing.assert_array_equal(failures_below(values).seen, expected)
        assert items < FEWEST or 0 < np.count_nonzero(expected) < 2_000


def test_a_median_as_far_from_the_mean_as_can_be_hides_no_failure() -> None:
    """Half of the items all but three times as far below the median as the highest is above it: median and mean are a deviation apart."""
    values = np.repeat([-3.001, -2.999, 0.0, 1.0], [1, 500, 502, 1])
    assert np.median(values) - values.mean() > 0.99 * values.std()
    assert int(failures_below(values).seen) == 1


def test_how_far_they_lie_is_counted_from_the_mean() -> None:
    values = with_items(-1.0, -3.0)
    assert float(failures_below(values).distance) == pytest.approx(values.mean() + 2.0)
    assert float(failures_below(STEADY).distance) == 0.0
    assert float(failures_below(with_items(-1.0, -2.0, -3.0)).distance) == 0.0


@pytest.mark.parametrize("seen", [1, 2])
def test_so_few_are_seen_of_those_allowed_for_one_time_in_twenty(seen: int) -> None:
    """The upper limit of a Poisson mean, by the law itself."""
    expected = float(most_expected(np.array(seen)))
    assert stats.poisson.cdf(seen, expected) == pytest.approx(0.05, rel=1e-9, abs=0.0)
    found = failures_below(with_items(*[-1.0] * seen))
    assert float(found.spared) == pytest.approx(expected - seen)


def test_none_is_allowed_for_where_none_is_seen() -> None:
    assert float(failures_below(STEADY).spared) == 0.0
    mean, variance = mean_with_failures(STEADY)
    assert (float(mean), float(variance)) == pytest.approx((STEADY.mean(), STEADY.var(ddof=1)))


def test_more_failures_move_the_mean_and_widen_the_spread() -> None:
    """Each takes its distance from the sum, and adds its square to that of the squares; only on their own side."""
    values = with_items(-1.2)
    distance, more = values.mean() + 1.2, float(stats.gamma.ppf(0.95, 2)) - 1.0
    mean, variance = mean_with_failures(values)
    assert float(mean) == pytest.approx((values.sum() - more * distance) / 30)
    squares = np.sum((values - values.mean()) ** 2) + more * distance**2
    assert float(variance) == pytest.approx(squares / 29)
    assert float(mean_with_failures(-values)[0]) == pytest.approx(-values.mean())


def test_a_batch_is_its_samples() -> None:
    batch = np.stack([STEADY, with_items(-1.0), with_items(-1.0, -2.0), -with_items(-1.0)])
    assert rare_failures(batch).tolist() == [0, 1, 2, 1]
    for row, mean, variance in zip(batch, *mean_with_failures(batch), strict=True):
        assert (mean, variance) == pytest.approx(tuple(map(float, mean_with_failures(row))))


@pytest.mark.parametrize("items", [1, 2, 3, 19, 20])
def test_among_few_items_one_far_out_is_chance(items: int) -> None:
    values = np.append(np.linspace(0.1, 0.2, 19), -5.0)[-items:]
    assert int(rare_failures(values)) == (1 if items == 20 else 0)


@pytest.mark.parametrize(("law", "most"), [("normal", 0.001), ("t3", 0.09)])
def test_symmetric_scores_seldom_look_like_failures(law: str, most: float) -> None:
    """However many items: normal scores never, heavy tails on one of 28 samples for each side."""
    rng = np.random.default_rng(4)
    for items in (60, 300):
        shape = (4_000, items)
        drawn = rng.standard_normal(shape) if law == "normal" else rng.standard_t(3.0, shape)
        assert np.mean(rare_failures(drawn) > 0) <= most


@pytest.mark.parametrize("items", [1, 2])
def test_of_one_or_two_items_mean_and_variance_are_their_own(items: int) -> None:
    values = np.array([2.0, 5.0])[:items]
    mean, variance = mean_with_failures(values)
    assert (float(mean), float(variance)) == (values.mean(), [0.0, 4.5][items - 1])
