"""Items in bins: every item in one, ties apart, and no bin with differences of both signs."""

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.foundation.arrays import FloatArray
from tellapart.verbs.compare import descriptives
from tellapart.verbs.compare.descriptives import MOST_DIFFERENCES, MOST_SCORES, difference_bins, score_bins

RNG = np.random.default_rng(7)
SAMPLES = {
    "normal": RNG.normal(size=500),
    "skewed": RNG.exponential(size=300) - 0.01,
    "ratings": RNG.integers(-4, 5, 200).astype(float),
    "quarters": RNG.integers(-2, 3, 200) / 4.0,
    "thirds": RNG.integers(-3, 4, 200) / 3.0,
    "tenths": np.round(RNG.integers(-9, 10, 400) * 0.1, 1),
    "one": np.array([0.3]),
    "alike": np.full(5, -0.3),
    "zeros": np.zeros(4),
    "far": np.array([1e9, -1e-9, 0.3]),
    "outlier": np.append(RNG.normal(size=99), 1e6),
    "tiny": RNG.normal(size=50) * 1e-200,
}


@pytest.mark.parametrize("name", SAMPLES)
def test_differences(name: str) -> None:
    values = SAMPLES[name]
    found = difference_bins(values)
    assert (found.ties, found.higher, found.lower) == (
        (values == 0).sum(),
        (values > 0).sum(),
        (values < 0).sum(),
    )
    assert sum(found.items) == found.higher + found.lower
    assert len(found.items) <= MOST_DIFFERENCES + 1
    assert len(found.edges) == (len(found.items) + 1 if found.items else 0)
    assert list(found.edges) == sorted(set(found.edges))
    slack = 1e-6 * float(np.abs(values).max())
    for low, high, items in zip(found.edges, found.edges[1:], found.items, strict=False):
        assert low >= 0.0 or high <= 0.0 or items == 0
        inside = (values > low - slack) & (values < high + slack) & (values != 0.0)
        assert items <= inside.sum()
        assert items >= ((values > low + slack) & (values < high - slack) & (values != 0.0)).sum()


def test_a_difference_on_an_edge_counts_away_from_zero() -> None:
    """So that swapping the systems mirrors the picture."""
    values = np.round(np.append(SAMPLES["normal"], [0.2, -0.2, 0.4, -0.4]), 3)
    there, back = difference_bins(values), difference_bins(-values)
    assert back.edges == tuple(-edge for edge in reversed(there.edges))
    assert back.items == tuple(reversed(there.items))


def test_multiples_of_a_step_lie_in_the_middle_of_their_bins() -> None:
    found = difference_bins(np.array([-1.0, 0.0, 1.0, 1.0, 2.0]))
    assert found.edges == (-1.5, -0.5, 0.5, 1.5, 2.5)
    assert found.items == (1, 0, 2, 1)


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in {"one", "alike", "zeros"}])
def test_scores(name: str) -> None:
    """Against a count by numpy over the same edges."""
    a = SAMPLES[name]
    b: FloatArray = np.roll(a, 1)
    found = score_bins(a, b)
    edges = np.array(found.edges)
    assert 1 <= len(found.items) <= MOST_SCORES
    assert np.sum(found.items) == a.size
    assert edges[0] <= a.min()
    assert edges[-1] >= a.max() * (1.0 - 1e-9)
    assert np.all(np.diff(edges) > 0.0)
    if name in {"normal", "ratings", "skewed"}:
        assert np.array_equal(np.histogram2d(a, b, bins=[edges, edges])[0], np.array(found.items))


def test_only_what_can_be_counted_so() -> None:
    """Right or wrong has its table, separate items have no differences, and what never varies nothing to show."""
    numbers = {"a": [0.1, 0.4, 0.35, 0.8, 0.22], "b": [0.3, 0.2, 0.9, 0.81, 0.22]}
    found = compare(Scores.from_arrays(numbers))
    assert found.difference_bins is not None
    assert found.score_bins is not None
    assert found.difference_bins.ties == 1
    flags = compare(Scores.from_arrays({"a": [0, 1, 0, 1], "b": [1, 1, 0, 1]}))
    assert flags.difference_bins is None
    assert flags.score_bins is None
    assert "difference_bins" not in flags.to_dict()


@pytest.mark.parametrize("digits", [1, 3])
def test_counted_in_blocks_as_all_at_once(monkeypatch: pytest.MonkeyPatch, digits: int) -> None:
    """However many items are looked at together, each is counted once and in the same bin."""
    rng = np.random.default_rng(digits)
    a = np.round(rng.random(1500), digits)
    b = np.round(a + rng.choice([0.0, 0.1, 0.3, -0.2], 1500), digits)
    whole = difference_bins(np.round(b - a, digits)), score_bins(a, b)
    monkeypatch.setattr(descriptives, "BLOCK", 7)
    assert (difference_bins(np.round(b - a, digits)), score_bins(a, b)) == whole
