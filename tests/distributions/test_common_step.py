"""Which numbers share a step, float noise and all."""

from fractions import Fraction

import numpy as np
import pytest

from tellapart.numerics import common_step as lattice
from tellapart.numerics.common_step import _continued, _tried_out, common_step


def step_of(values: list[float], noise: float = 1e-11) -> float:
    return float(common_step(np.array([values]), np.array([noise]))[0])


@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([1.0, 0.0, 1.0], 1.0),
        ([0.2, 0.6, 0.4], 0.2),
        ([0.1 + 0.2, 0.1], 0.1),
        ([3.0, 5.0, 4.0], 1.0),
        ([0.1234, 0.0002, 0.5], 0.0002),
        ([1 / 3, 2 / 3, 1.0], 1 / 3),
        ([1 / 2 - 1 / 3, 1 / 3 - 1 / 4, 1 - 1 / 5], 1 / 60),
        ([1e-8, 3e-8, 7e-8], 1e-8),
        ([2.5e12, 1e13], 2.5e12),
        ([0.7], 0.7),
        ([0.123456, 0.654321], 0.000003),
    ],
)
def test_the_step_is_found(values: list[float], step: float) -> None:
    """Decimals, ratings, thirds and differences of reciprocal ranks are multiples of one number."""
    assert step_of(values) == pytest.approx(step, rel=1e-9, abs=0.0)


@pytest.mark.parametrize("values", [[1.0, np.pi, np.e, np.sqrt(2.0)], [0.0, 0.0], [1.0, 1.0 + 1e-7 * np.pi, 0.3]])
def test_no_step_is_invented(values: list[float]) -> None:
    """Numbers that share none, and zeros, have no step."""
    assert step_of(values) == 0.0


def test_rows_are_judged_one_by_one() -> None:
    """A row without a step does not spoil the others."""
    rng = np.random.default_rng(0)
    rows = np.stack([rng.integers(0, 9, 40) / 7.0, rng.random(40), rng.integers(0, 9, 40) * 1.0, np.zeros(40)])
    assert common_step(np.repeat(rows, 10, axis=0), np.full(40, 1e-11))[::10] == pytest.approx([1 / 7, 0.0, 1.0, 0.0])


@pytest.mark.parametrize("rows", [1, 40])
def test_the_largest_denominator_at_once(rows: int) -> None:
    """Fractions of 2048 share their step, those of 2053 are not recognised: tried out one by one, or as continued fractions."""
    for denominator, step in ((2047, 1 / 2047), (2048, 1 / 2048), (2053, 0.0)):
        found = common_step(np.tile([[1.0, 1 / denominator]], (rows, 1)), np.full(rows, 1e-13))
        assert found.tolist() == [pytest.approx(step)] * rows


def test_many_rows_are_judged_like_one() -> None:
    """Twenty rows go through continued fractions, one is tried out: halves less thirds and fifths are sixtieths either way."""
    row = [1 / 2 - 1 / 3, 1 / 3 - 1 / 4, 1 - 1 / 5]
    found = common_step(np.tile([row], (20, 1)), np.full(20, 1e-11))
    assert found.tolist() == [pytest.approx(step_of(row))] * 20 == [pytest.approx(1 / 60)] * 20


def test_noise_of_both_ends_is_allowed_for() -> None:
    """The largest number is up by its noise and the others are down by theirs: sevenths all the same."""
    values = [1.0 + 0.9e-6, 3 / 7 - 0.9e-6, 5 / 7 - 0.9e-6]
    assert step_of(values, noise=1e-6) == pytest.approx(1 / 7, rel=2e-6, abs=0.0)
    assert step_of(values, noise=0.4e-6) == 0.0


def test_whole_numbers_up_to_fifteen_digits() -> None:
    """600,000,000,000,007 is still told from its neighbours; 1e15 and more may be whole for want of digits."""
    assert step_of([6e14, 6e14 + 7.0]) == 1.0
    assert step_of([1e15, 1e15 + 7.0]) == 0.0


def test_digits_that_a_double_does_not_keep_are_no_decimals() -> None:
    """Reals in the millions end somewhere near the ninth decimal, as all doubles of that size do: that is no step."""
    assert step_of(np.random.default_rng(0).uniform(8e6, 9e6, 40).tolist(), noise=1e-7) == 0.0


@pytest.mark.parametrize("sample", [1, 3, 1000])
def test_any_sample_of_a_row(sample: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """How many numbers are looked at first decides how soon a row is given up, and nothing else."""
    rng = np.random.default_rng(1)
    rows = np.stack([rng.integers(1, 9, 64) / 7.0, rng.random(64), rng.integers(1, 90, 64) / 100.0])
    # Every fourth number is a third, and what lies between is not.
    rows = np.concatenate([rows, np.where(np.arange(64) % 4 == 0, rng.integers(1, 4, 64) / 3.0, rng.random(64))[None]])
    monkeypatch.setattr(lattice, "SAMPLE", sample)
    assert common_step(rows, np.full(4, 1e-11)).tolist() == pytest.approx([1 / 7, 0.0, 0.01, 0.0])


def test_tried_out_and_continued_fractions_agree() -> None:
    """On fractions with noise, of any denominator up to the largest, some recognised early and some late."""
    rng = np.random.default_rng(2)
    denominators = np.concatenate([[2, 3, 7, 60, 2048, 2049], rng.integers(2, 2048, 200)])
    fractions = np.array([(1 + rng.integers(0, d - 1)) / d for d in denominators])
    noise = 1e-9
    noisy = fractions + noise * rng.uniform(-0.9, 0.9, len(fractions))
    tried, continued = (
        _tried_out(noisy, np.full(len(noisy), noise)),
        _continued(noisy, np.full(len(noisy), noise)),
    )
    assert tried.tolist() == continued.tolist()
    smallest = [Fraction(float(f)).limit_denominator(4096).denominator for f in fractions]
    assert tried.tolist() == [float(d) if d <= 2048 else 0.0 for d in smallest]


@pytest.mark.parametrize("rows", [1, 20])
@pytest.mark.parametrize(
    ("values", "step"),
    [
        ([1.0, 1 / 2049], 0.0),
        ([1.0, 1 / 2, 2 / 3, 4 / 5, 3 / 7], 1 / 210),
        ([np.pi, np.pi], np.pi),
        ([np.pi, np.pi / 3], np.pi / 3),
        ([0.5, 0.000000003], 1e-9),
        ([1.0, 0.0000000003], 0.0),
        ([524288.000000001, 0.5], 1e-9),
        ([3e-9, 1e-9], 1e-9),
    ],
)
def test_steps_at_the_edges(values: list[float], step: float, rows: int) -> None:
    """Denominators one after the other and the largest of them, equal numbers, nine decimals and fifteen digits."""
    found = common_step(np.tile([values], (rows, 1)), np.full(rows, 1e-16))
    assert found.tolist() == [pytest.approx(step, rel=1e-6, abs=0.0)] * rows


def test_noise_bounds_the_denominator() -> None:
    """From √(1/(8·noise)) on any number seems to have one: with a noise of a millionth 353 is evidence and 354 is not."""
    assert step_of([1.0, 1 / 353], noise=1e-6) == pytest.approx(1 / 353)
    assert step_of([1.0, 1 / 354], noise=1e-6) == 0.0
    assert step_of([np.pi, np.pi / 353], noise=1e-6 * np.pi) == pytest.approx(np.pi / 353)


def test_twice_the_noise_and_no_more() -> None:
    """The number and the largest may both be off: 1.2 millionths are too little where ratios are off by 1.29."""
    values = [1.0 + 0.9e-6, 3 / 7 - 0.9e-6, 5 / 7 - 0.9e-6]
    assert step_of(values, noise=0.6e-6) == 0.0
    assert step_of(values, noise=0.78e-6) > 0.0
