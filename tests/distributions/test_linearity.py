"""How well swaps of single items foretell swaps of many: against swaps that are made and the effect computed anew."""

from typing import Any

import numpy as np
import pytest

from tellapart.data.summaries import Parts
from tellapart.metrics import METRICS
from tellapart.numerics import linearity as room
from tellapart.numerics.linearity import correlation, joint_swap_correlation, joint_swaps, single_swaps


def sample(metric: str, clusters: Any = None, items: int = 30, seed: int = 1) -> Parts:
    found = METRICS.parse(metric)
    rng = np.random.default_rng(seed)
    a, b = rng.poisson([3.0, 1.0, 1.0][: len(found.parts())], size=(2, items, len(found.parts()))).astype(float)
    return Parts(a, b, found, clusters)


def swapped(one: Parts, which: Any) -> float:
    """The effect with the systems changed on these items, computed anew."""
    a, b = np.where(which[:, np.newaxis], one.b, one.a), np.where(which[:, np.newaxis], one.a, one.b)
    return float(Parts(a, b, one.metric).effect)


@pytest.mark.parametrize("metric", ["mean", "f1"])
def test_single_swaps_are_those_that_are_made(metric: str) -> None:
    """Each item's change of the effect."""
    one = sample(metric)
    expected = [swapped(one, np.arange(30) == i) - float(one.effect) for i in range(30)]
    np.testing.assert_allclose(np.ravel(single_swaps(one)), expected, atol=1e-12)


def test_swaps_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few numbers are held at once."""
    one = sample("f1")
    whole = single_swaps(one)
    for held in (1, 7):
        monkeypatch.setattr(room, "HELD", held)
        np.testing.assert_allclose(single_swaps(one), whole, rtol=1e-12)


@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(10), 3)])
def test_straightness_is_the_correlation_of_sums_and_swaps(clusters: Any) -> None:
    """Of single changes added up and of the changes together, over the joint swaps that all pairs share."""
    one = sample("f1", clusters)
    units = 30 if clusters is None else 10
    member = np.arange(30) if clusters is None else clusters
    flips = joint_swaps(units)
    alone = np.array([swapped(one, member == unit) for unit in range(units)]) - float(one.effect)
    together = np.array([swapped(one, flip[member] == 1.0) for flip in flips]) - float(one.effect)
    expected = np.corrcoef(flips @ alone, together)[0, 1]
    assert float(np.ravel(joint_swap_correlation(one))[0]) == pytest.approx(expected, rel=1e-9, abs=0.0)
    assert expected < 1.0


def test_means_are_straight() -> None:
    """What each item adds is what they add together."""
    assert float(np.ravel(joint_swap_correlation(sample("mean")))[0]) == pytest.approx(1.0)


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e150])
def test_correlations_in_any_unit(scale: float) -> None:
    """As numpy has them at size 1, and no square leaves the range of doubles."""
    one, other = np.random.default_rng(3).normal(size=(2, 50))
    expected = np.corrcoef(one, other)[0, 1]
    assert correlation(scale * one, scale * other) == pytest.approx(expected, rel=1e-9, abs=0.0)
    assert correlation(scale * one + scale, scale * other - scale) == pytest.approx(expected, rel=1e-9, abs=0.0)


def test_what_does_not_vary_has_no_correlation() -> None:
    """Neither: they agree. One of them, or both but for rounding: they do not."""
    steady, moving = np.full(20, 0.3), np.arange(20.0)
    assert correlation(steady, steady) == 1.0
    assert correlation(np.zeros(20), np.zeros(20)) == 1.0
    assert correlation(steady, moving) == 0.0
    assert correlation(moving, steady) == 0.0
    assert correlation(1e-14 * moving, moving) == 0.0
    assert correlation(moving, 1.0 + 1e-15 * moving) == 0.0
    assert correlation(1e-9 * moving, moving) == pytest.approx(1.0)


def test_rounding_is_judged_beside_the_larger_of_both() -> None:
    """Nothing, and what varies by rounding of its own size: neither varies."""
    moving = np.arange(20.0)
    assert correlation(np.zeros(20), 1.0 + 1e-15 * moving) == 1.0
    assert correlation(1.0 + 1e-15 * moving, np.zeros(20)) == 1.0


def test_batches_have_their_shape() -> None:
    """Every entry is what it is alone."""
    alone = [sample("f1", seed=seed) for seed in range(6)]
    a, b = (np.stack([getattr(one, side) for one in alone]).reshape(2, 3, 30, -1) for side in ("a", "b"))
    batch = Parts(a, b, alone[0].metric)
    np.testing.assert_allclose(
        joint_swap_correlation(batch).ravel(),
        [float(joint_swap_correlation(one)) for one in alone],
        rtol=1e-12,
    )
    assert joint_swap_correlation(batch).shape == (2, 3)
    assert single_swaps(batch).shape == (2, 3, 30)
    np.testing.assert_allclose(single_swaps(batch)[1, 0], single_swaps(alone[3]), rtol=1e-12)


def test_the_same_swaps_from_day_to_day() -> None:
    """Whether a metric is straight does not depend on when it is asked."""
    expected = [[0, 0, 1, 0, 0, 0], [1, 0, 0, 1, 1, 0], [1, 1, 0, 0, 1, 0]]
    assert joint_swaps(6)[:3].tolist() == expected
