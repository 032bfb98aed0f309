"""Roots of rising functions, against inverses that are known."""

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics import roots
from tellapart.numerics.roots import increasing_root


def test_a_batch_of_cubes() -> None:
    """Every entry has its own root, near its guess or far beyond it."""
    target = np.array([1e-9, 1.0, 27.0, 1e12])
    found = increasing_root(lambda x: x**3 - target, np.zeros(4), np.ones(4))
    np.testing.assert_allclose(found, np.cbrt(target), rtol=1e-12)


def test_roots_at_and_below_the_lower_end() -> None:
    """Where the function is not below 0 at the lower end, that end is the answer."""
    found = increasing_root(lambda x: x - np.array([-3.0, 2.0, 2.5]), np.full(3, 2.0), np.full(3, 3.0))
    assert found.tolist() == [2.0, 2.0, 2.5]


@pytest.mark.parametrize("power", [1.0, 9.0, 1.0 / 9.0])
def test_few_evaluations_are_needed(power: float) -> None:
    """Interpolation where it is safe: flat or steep, far fewer than halving would take."""
    calls = []

    def function(x: FloatArray) -> FloatArray:
        calls.append(1)
        return np.sign(x - 0.3) * np.abs(x - 0.3) ** power

    found = increasing_root(function, np.array(0.0), np.array(1.0))
    assert float(found) == pytest.approx(0.3, rel=1e-11, abs=0.0)
    assert len(calls) < 60


def test_a_step_is_found_by_halves() -> None:
    """Where there is nothing to interpolate the bracket is halved until it is no wider than rounding."""
    found = increasing_root(lambda x: np.where(x < np.pi, -1.0, 1.0), np.zeros(2), np.array([4.0, 1.0]))
    np.testing.assert_allclose(found, np.pi, rtol=3e-13)


def test_brackets_away_from_zero() -> None:
    """Between −7 and −5 a root is looked for between −7 and −5."""
    asked: list[float] = []

    def function(x: FloatArray) -> FloatArray:
        asked.append(float(x))
        return np.asarray(np.exp(x) - np.exp(-6.25))

    assert float(increasing_root(function, np.array(-7.0), np.array(-5.0))) == pytest.approx(-6.25, rel=1e-12, abs=0.0)
    assert min(asked) >= -7.0
    assert max(asked) <= -5.0
    assert len(asked) <= 12


@pytest.mark.parametrize("fraction", [0.5, 0.1, 0.8])
def test_any_fraction_of_the_bracket_finds_the_root(fraction: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpolation decides how soon: with halves, tenths or four fifths the roots are the same."""
    targets = np.array([1e-9, 0.3, 27.0, 1e12])
    usual = increasing_root(lambda x: x**3 - targets, np.zeros(4), np.ones(4))
    monkeypatch.setattr(roots, "_bisection_fraction", lambda newest, *_: np.full_like(newest[0], fraction))
    monkeypatch.setattr(roots, "STEPS", 2_000)
    np.testing.assert_allclose(increasing_root(lambda x: x**3 - targets, np.zeros(4), np.ones(4)), usual, rtol=3e-13)


def asked_for(root: float, low: float, high: float) -> list[float]:
    """Where a straight line through the root is asked for its value."""
    asked: list[float] = []

    def function(x: FloatArray) -> FloatArray:
        asked.append(float(x))
        return np.asarray(x - root)

    assert float(increasing_root(function, np.array(low), np.array(high))) == pytest.approx(root, rel=1e-12, abs=0.0)
    return asked


def test_where_a_search_looks() -> None:
    """At the lower end, at the guess, twice as far from the end until it is passed, then half-way; and little more for a line."""
    assert asked_for(6.5, 1.0, 2.0)[:6] == [1.0, 2.0, 3.0, 5.0, 9.0, 5.0]
    assert asked_for(5.0, 1.0, 2.0)[:5] == [1.0, 2.0, 3.0, 5.0, 3.0]
    assert len(asked_for(6.5, 1.0, 2.0)) <= 9


def test_a_root_at_the_lower_end_is_found_at_once() -> None:
    """Nothing is searched where the end is the answer."""
    assert asked_for(1.0, 1.0, 2.0) == [1.0, 2.0, 1.0]


def test_a_step_ends_where_rounding_begins() -> None:
    """Without anything to interpolate, after as many halvings as digits, and not at the safe end."""
    calls: list[int] = []

    def step(x: FloatArray) -> FloatArray:
        calls.append(1)
        return np.where(x < np.pi, -1.0, 1.0)

    increasing_root(step, np.array(0.0), np.array(4.0))
    assert 40 <= len(calls) <= 50
