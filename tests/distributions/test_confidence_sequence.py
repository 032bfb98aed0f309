"""Bounds that hold whenever one stops: measured on simulated sequences that are looked at all the time."""

import math

import numpy as np
import pytest
from scipy import stats

from tellapart.foundation.seeds import stream
from tellapart.numerics.null_laws.proportions import anytime_bounds, log_evidence, trials_for, wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile

POWERS = [0.001, 0.05, 0.5, 0.8, 0.999]
HALF, LEVEL, BLOCK, PATHS = 0.02, 0.95, 64, 3000


def counts(power: float) -> tuple[np.ndarray, np.ndarray]:
    """Successes after each block of many sequences, `(path, look)`, and the trials by then."""
    looks = -(-trials_for(HALF, LEVEL) // BLOCK)
    successes = stream(7, round(power * 1000)).binomial(BLOCK, power, (PATHS, looks)).cumsum(axis=1)
    return successes, BLOCK * np.arange(1, looks + 1)


@pytest.mark.parametrize("power", POWERS)
def test_the_truth_is_hardly_ever_refuted(power: float) -> None:
    """At any look at all, so also at the one at which anybody stops; where a fixed interval is looked at so often, it is."""
    successes, trials = counts(power)
    ever = (log_evidence(power, successes, trials, HALF) >= math.log(20.0)).any(axis=1).mean()
    assert ever <= 0.05 + 3.0 * math.sqrt(0.05 * 0.95 / PATHS)
    _, low, high = wilson_bounds(successes, np.broadcast_to(trials, successes.shape), two_sided_quantile(LEVEL))
    naive = ((low > power) | (high < power)).any(axis=1).mean()
    assert naive > 0.08


@pytest.mark.parametrize("power", POWERS)
def test_coverage_where_the_width_says_when_to_stop(power: float) -> None:
    """Each sequence by itself, stopped at the first look at which its bounds are narrow enough, and never later than promised."""
    successes, trials = counts(power)
    missed = 0
    for path in successes[:300]:
        first, last = 0, len(trials) - 1
        while first < last:  # bounds get narrower as trials go on, but for a few that are no matter here
            middle = (first + last) // 2
            low, high = anytime_bounds(int(path[middle]), int(trials[middle]), LEVEL, HALF)
            first, last = (first, middle) if high - low <= 2.0 * HALF else (middle + 1, last)
        low, high = anytime_bounds(int(path[first]), int(trials[first]), LEVEL, HALF)
        assert high - low <= 2.0 * HALF
        missed += not low <= power <= high
    assert missed / 300 <= 0.05 + 3.0 * math.sqrt(0.05 * 0.95 / 300)


@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 1), (1, 1), (0, 100), (100, 100), (1, 3), (50, 100), (0, 0), (1, 10**7)]
)
def test_bounds_are_edges_of_what_is_refuted(successes: int, trials: int) -> None:
    low, high = anytime_bounds(successes, trials, LEVEL, HALF)
    assert 0.0 <= low <= (successes / trials if trials else 0.5) <= high <= 1.0
    for inside in np.linspace(low, high, 22)[1:-1]:
        assert log_evidence(inside, successes, trials, HALF) < math.log(20.0)
    for outside in (*np.linspace(0.0, low, 20)[1:-1], *np.linspace(high, 1.0, 20)[1:-1]):
        assert (
            low in {0.0, outside}
            or high in {1.0, outside}
            or log_evidence(outside, successes, trials, HALF) > math.log(20.0) - 1e-9
        )
    mirrored = anytime_bounds(trials - successes, trials, LEVEL, HALF)
    assert mirrored == pytest.approx((1.0 - high, 1.0 - low), abs=1e-12)


def test_how_many_it_takes() -> None:
    """Less than two and a half times as many as an interval of a fixed number takes."""
    for half in (0.002, 0.01, 0.05):
        fixed = 0.25 * (two_sided_quantile(LEVEL) / half) ** 2
        assert fixed < trials_for(half, LEVEL) < 2.5 * fixed


@pytest.mark.parametrize("half", [0.3, 0.25, 0.2, 0.15, 0.12, 0.1])
def test_the_fewest_that_are_enough(half: float) -> None:
    """With one fewer bounds about a half are wider than asked for."""
    enough = trials_for(half, LEVEL)
    widths = [np.diff(anytime_bounds(n // 2, n, LEVEL, half))[0] for n in (enough - 1, enough)]
    assert widths[0] > 2.0 * half >= widths[1]


@pytest.mark.parametrize(("p", "successes", "trials", "half_width"), [(0.5, 30, 50, 0.1), (0.2, 3, 40, 0.05)])
def test_evidence_is_a_ratio_of_two_chances(p: float, successes: int, trials: int, half_width: float) -> None:
    """Of these counts: beta-binomial, with as much weight as the wanted width takes observations, over binomial."""
    weight = p * (1.0 - p) / half_width**2 + 1.0 / half_width
    mixed = stats.betabinom.logpmf(successes, trials, weight * p, weight * (1.0 - p))
    plain = stats.binom.logpmf(successes, trials, p)
    assert float(log_evidence(p, successes, trials, half_width)) == pytest.approx(mixed - plain, rel=1e-9, abs=0.0)
