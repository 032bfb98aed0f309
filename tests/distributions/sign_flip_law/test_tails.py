"""The law of sign flips: exact on small data of every kind, and the same whatever way it is computed."""

import itertools
import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.sign_flip_law import FlipTails, sign_flip_tails

Rng = np.random.Generator


def flips(values: list[Fraction]) -> tuple[float, float]:
    """P(S ≤ s) and P(S ≥ s) by listing all sign flips in whole numbers."""
    scale = math.lcm(*(v.denominator for v in values))
    whole = [int(v * scale) for v in values]
    sums = [
        sum(x * e for x, e in zip(whole, signs, strict=True)) for signs in itertools.product((1, -1), repeat=len(whole))
    ]
    return sum(s <= sums[0] for s in sums) / len(sums), sum(s >= sums[0] for s in sums) / len(sums)


def decimals(values: FloatArray) -> list[Fraction]:
    return [Fraction(str(v)) for v in values.tolist()]


KINDS: dict[str, Callable[[Rng, int], FloatArray]] = {
    "ratings": lambda rng, n: rng.integers(-4, 5, n).astype(np.float64),
    "right or wrong": lambda rng, n: rng.integers(-1, 2, n).astype(np.float64),
    "tenths": lambda rng, n: np.round(rng.normal(size=n), 1),
    "four decimals": lambda rng, n: np.round(rng.normal(size=n), 4),
    "real": lambda rng, n: rng.normal(size=n),
    "one outlier": lambda rng, n: np.append(rng.normal(size=n - 1), 1e6),
    "two outliers": lambda rng, n: np.concatenate([rng.normal(size=max(n - 2, 0)), [1e6, -1.1e6]]),
    "tiny": lambda rng, n: 1e-300 * rng.normal(size=n),
    "huge": lambda rng, n: 1e300 * rng.normal(size=n),
    "nearly ratings": lambda rng, n: rng.integers(-4, 5, n) + 1e-6 * rng.normal(size=n),
    "mixed scales": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-4, 3, n),
    "one sign": lambda rng, n: np.abs(rng.normal(size=n)),
    "one that is not zero": lambda rng, n: np.append(np.zeros(n - 1), rng.normal()),
    "zeros": lambda rng, n: np.zeros(n),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("items", [1, 2, 3, 5, 9, 11])
def test_small_data_are_exact(kind: str, items: int) -> None:
    """With few differences of any kind the tails are those of the listed sign flips, to the last digits."""
    rng = np.random.default_rng(items)
    for _ in range(2):
        values = KINDS[kind](rng, items)
        tails = sign_flip_tails(values)
        lower, upper = flips(decimals(values))
        assert float(tails.lower) == pytest.approx(lower, rel=1e-13, abs=0.0)
        assert float(tails.upper) == pytest.approx(upper, rel=1e-13, abs=0.0)
        assert float(tails.error) < 1e-13


@pytest.mark.parametrize("denominator", [3, 7, 9, 60])
def test_fractions_that_no_float_can_hold_make_ties(denominator: int) -> None:
    """Means over three runs are a third apart, and 1/3 + 1/3 is a tie with 2/3."""
    whole = np.random.default_rng(denominator).integers(-9, 10, 11)
    tails = sign_flip_tails(whole / denominator)
    lower, upper = flips([Fraction(int(v), denominator) for v in whole])
    assert (float(tails.lower), float(tails.upper)) == pytest.approx((lower, upper), rel=1e-13, abs=0.0)


@pytest.mark.parametrize("items", [5, 30, 60, 400, 3000])
def test_all_of_one_sign_has_one_flip(items: int) -> None:
    """If every difference points one way, only the observed signs do: p is 2^-k, down to the smallest double."""
    values = np.append(np.abs(np.random.default_rng(items).normal(size=items)), np.zeros(3))
    tails = sign_flip_tails(values)
    assert float(tails.upper) == np.ldexp(1.0, -items)
    assert float(tails.lower) == 1.0


@pytest.mark.parametrize("items", [12, 30, 45, 90, 700])
@pytest.mark.parametrize("kind", ["ratings", "tenths", "four decimals", "real"])
def test_order_sign_and_scale_do_not_matter(kind: str, items: int) -> None:
    """The p-value belongs to the differences, not to how they are listed, named or measured."""
    rng = np.random.default_rng(items)
    values = KINDS[kind](rng, items)
    plain, turned = sign_flip_tails(values), sign_flip_tails(-values)
    shuffled, scaled = sign_flip_tails(rng.permutation(values)), sign_flip_tails(128.0 * values)
    for other in (shuffled, scaled, FlipTails(turned.upper, turned.lower, turned.error, -turned.sign, "")):
        allowed = 2.0 * float(plain.error + other.error) + 1e-13
        assert float(other.lower) == pytest.approx(float(plain.lower), abs=allowed)
        assert float(other.upper) == pytest.approx(float(plain.upper), abs=allowed)
        assert float(other.sign) == float(plain.sign)


def test_rows_of_a_batch_may_be_of_any_kind() -> None:
    """Zeros, one sign, ratings and reals stand in one batch, each with the answer it has alone."""
    rng = np.random.default_rng(0)
    rows = np.stack([np.resize(make(rng, 14), 14) for make in KINDS.values()]).reshape(2, 7, 14)
    together = sign_flip_tails(rows)
    assert together.lower.shape == (2, 7)
    for place in np.ndindex(2, 7):
        alone = sign_flip_tails(rows[place])
        assert float(together.lower[place]) == pytest.approx(float(alone.lower), rel=1e-12, abs=0.0)
        assert float(together.upper[place]) == pytest.approx(float(alone.upper), rel=1e-12, abs=0.0)


@pytest.mark.parametrize("kind", ["ratings", "tenths", "four decimals", "real", "nearly ratings"])
@pytest.mark.parametrize("items", [24, 30, 50, 200])
def test_batch_and_loop_agree_within_their_errors(kind: str, items: int) -> None:
    """A batch takes faster ways than a single row; what it reports as error covers the difference."""
    rng = np.random.default_rng(items)
    rows = np.stack([KINDS[kind](rng, items) for _ in range(400)])
    together = sign_flip_tails(rows)
    for i in (0, 399):
        alone = sign_flip_tails(rows[i])
        allowed = float(together.error[i] + alone.error) + 1e-12
        assert abs(float(together.lower[i] - alone.lower)) <= allowed
        assert abs(float(together.upper[i] - alone.upper)) <= allowed


def test_two_opposite_giants_do_not_drown_the_rest() -> None:
    """Sums of a hundred small differences still count beside two of a million."""
    rng = np.random.default_rng(3)
    small = rng.normal(0.1, 1.0, size=100)
    values = np.append(small, [1e6, -1e6 - 3.0])
    rest, exact = small.sum(), sign_flip_tails(values)
    # Given the signs of the giants, a tail is one of the rest alone: only equal-and-opposite giants come near.
    flipped = rng.choice([-1.0, 1.0], size=(40_000, 100)) @ np.abs(small)
    both_ways = np.concatenate([flipped - 3.0, flipped + 3.0]) >= rest - 3.0
    expected = 0.25 + 0.5 * both_ways.mean()
    assert float(exact.upper) == pytest.approx(expected, abs=0.005)
    assert float(exact.error) < 1e-9


@pytest.mark.parametrize("giant", [30.0, -30.0, 1e3, 1e7])
def test_beside_one_giant_a_tail_is_half_of_that_of_the_rest(giant: float) -> None:
    """Whichever sign a size has that dwarfs all others together, sums as far as the observed one share it."""
    small = np.random.default_rng(8).normal(0.02, 0.2, size=120) / 6.0
    rest, whole = sign_flip_tails(small), sign_flip_tails(np.append(small, giant))
    beyond = (whole.upper, rest.upper) if giant > 0.0 else (whole.lower, rest.lower)
    assert float(beyond[0]) == pytest.approx(0.5 * float(beyond[1]), rel=1e-9, abs=0.0)
    assert float(whole.error) < 1e-9 * float(beyond[0])


def test_tails_below_the_smallest_double_are_reported_as_nothing() -> None:
    """A tail that underflows is 0 here, never negative: the p-value made of it is the smallest positive double."""
    values = np.random.default_rng(1).normal(1.0, 1.0, size=20_000)
    tails = sign_flip_tails(values)
    assert float(tails.upper) == 0.0
    assert float(tails.lower) == 1.0


def test_ties_beyond_forty_distinct_values_are_still_counted() -> None:
    """Many equal differences that share no step with the others are counted exactly, however many they are."""
    rng = np.random.default_rng(5)
    few = np.concatenate([np.full(60, 1.0), np.full(50, np.sqrt(2.0))]) * rng.choice([-1.0, 1.0], size=110)
    ones, roots = few[:60], few[60:]
    combined = sign_flip_tails(few)
    choices = [(a, b) for a in range(-60, 61, 2) for b in range(-50, 51, 2)]
    weights = [binomial(60, (60 + a) // 2) * binomial(50, (50 + b) // 2) for a, b in choices]
    observed = ones.sum() + np.sqrt(2.0) * np.rint(roots.sum() / np.sqrt(2.0))
    sums = np.array([a + np.sqrt(2.0) * b for a, b in choices])
    upper = sum(w for w, s in zip(weights, sums, strict=True) if s >= observed - 1e-9)
    assert float(combined.upper) == pytest.approx(upper, rel=1e-12, abs=0.0)


def binomial(trials: int, successes: int) -> float:
    return math.comb(trials, successes) / 2.0**trials
