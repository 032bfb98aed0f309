"""A difference that is one number on all items is told apart, whatever rounding leaves of it, beside pairs that are skewed."""

import numpy as np
import pytest

from tellapart import rank
from tellapart.answers.leaderboard import Leaderboard


def steady(seed: int, step: float = 0.5, size: float = 1.0) -> Leaderboard:
    """One system is the other and a step more; a third fails by far on few items, which has items drawn again."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=80).round(2)
    fails = (rng.random(80) < 0.06) * 3.0
    other = base + 0.1 - fails + rng.normal(0.0, 0.05, 80)
    return rank({"base": size * base, "up": size * (base + step), "other": size * other})


@pytest.mark.parametrize("size", [1.0, 0.37, 1e6])
@pytest.mark.parametrize("seed", range(4))
def test_rounding_decides_nothing(seed: int, size: float) -> None:
    """Its p-values were 1, or whatever rounding made of them: .099, .167."""
    answer = steady(seed, size=size)
    (pair,) = (p for p in answer.pairs if {p.a, p.b} == {"base", "up"})
    assert answer.corrected.resampling == "both"
    assert pair.pvalue == 1.0 / (1.0 + answer.resamples)
    assert (pair.a, pair.b, pair.verdict) == ("base", "up", "b better")
    assert (pair.low, pair.high) == pytest.approx((0.5 * size, 0.5 * size))


def test_it_does_not_stand_in_the_way_of_others() -> None:
    """Endless statistics of what was rounding made the critical value of all pairs endless."""
    found = [pair for seed in range(4) for pair in steady(seed).pairs]
    assert all(np.isfinite([pair.low, pair.high]).all() for pair in found)
