"""All swaps by how often each kind is made: the same law as one swap after another."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Parts
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.metrics.from_labels import LabelMetric
from tellapart.numerics.sign_flip_law import random_flips
from tellapart.numerics.sign_flip_law.random_flips import every_flip, few_ways

OF_TWO_CLASSES = (
    *("f1", "precision", "recall", "mcc", "balanced_accuracy"),
    *(f"{rate}(average={way})" for rate in ("f1", "precision", "recall") for way in ("micro", "macro", "weighted")),
)


def labelled(metric: Any, items: int, seed: int) -> tuple[Any, Any]:
    """Parts of two systems that are often right, on labels of two classes."""
    rng = np.random.default_rng(seed)
    labels = (rng.random(items) < 0.4).astype(np.int64)
    right = rng.random((2, items)) < np.array([[0.6], [0.75]])
    predictions = np.where(right, labels, 1 - labels)
    a, b = (metric.count(labels, row, ("no", "yes")) for row in predictions)
    return a, b


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("spelled", OF_TWO_CLASSES)
def test_it_is_the_share_of_all_two_to_the_n_swaps(spelled: str, alternative: str) -> None:
    """Every single choice of swaps, one after another, for items of which about half differ."""
    metric = METRICS.parse(spelled)
    assert isinstance(metric, LabelMetric)
    items = 60 if spelled == "recall" else 36
    a, b = labelled(metric, items, seed=3)
    moved, middle = (b - a)[(b != a).any(axis=-1)], 0.5 * (a + b).sum(axis=0)
    assert 13 < len(moved) <= 20, "more than are swapped one by one, and few enough to do so here"
    half = 0.5 * every_flip(moved)
    b_after, a_after = (metric.value((middle + side) / items, items) for side in (half, -half))
    effects = b_after - a_after
    towards = {"two-sided": np.abs(effects), "less": -effects, "greater": effects}[alternative]
    expected = np.mean(towards >= towards[0] - 1e-12)
    test = TESTS.parse(f"permutation(alternative={alternative})")
    found = test.apply(Parts(a, b, metric), stream(0))
    assert float(found.pvalue) == pytest.approx(expected, rel=1e-11, abs=0.0)
    assert (float(found.error), found.method) == (
        0.0,
        "all swaps of items, by how often each kind is swapped",
    )


def test_probabilities_add_up_whatever_is_held_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three ways with many units each, in pieces of any size: the same law, and nothing of it lost."""
    moved = np.repeat([[1.0, 0.0], [0.0, 2.0], [1.0, -1.0]], [30, 20, 9], axis=0)
    ways = few_ways(moved * np.random.default_rng(0).choice([-1.0, 1.0], size=(59, 1)))
    assert ways is not None
    assert ways.size == 31 * 21 * 10
    whole = moments(ways)
    monkeypatch.setattr(random_flips, "AT_ONCE", 25)
    assert moments(ways) == pytest.approx(whole, rel=1e-12, abs=1e-14)
    # A sum of independent signs: no mean, and the sum of squares as variance.
    assert whole == pytest.approx([1.0, 0.0, 0.0, 39.0, 89.0], abs=1e-9)


def test_a_zero_is_a_zero_whatever_its_sign() -> None:
    """A part that does not move may be −0 where a unit is turned round: that is no other way to move."""
    ways = few_ways(np.array([[1.0, 0.0], [-1.0, 0.0], [1.0, -0.0]]))
    assert ways is not None
    assert ways.size == 4


@pytest.mark.parametrize("units", [1, 2, 9, 4_000])
def test_a_way_by_the_binomial_law(units: int) -> None:
    """Of many units what is rarer than 1e-17 is left out, on both sides alike."""
    sums, chances = random_flips._net_moves(units)
    fewest = stats.binom.ppf(1e-17, units, 0.5)
    swapped = np.arange(fewest, units - fewest + 1.0)
    assert sums.tolist() == (units - 2.0 * swapped).tolist()
    np.testing.assert_allclose(chances, stats.binom.pmf(swapped, units, 0.5), rtol=1e-9)


def moments(ways: Any) -> list[float]:
    found = np.zeros(5)
    for sums, chances in ways.listed():
        found += [chances.sum(), *(chances @ sums), *(chances @ sums**2)]
    return found.tolist()


def test_many_ways_are_not_listed() -> None:
    """Items that all move differently have as many combinations as swaps; none that moves has none."""
    assert few_ways(np.random.default_rng(0).normal(size=(4_000, 3))) is None
    assert few_ways(np.zeros((5, 3))) is None


def test_how_many_numbers_of_swaps_count() -> None:
    """All of a few units; of many those within ten standard deviations, of which each is half of the root, to either side."""
    counts = np.array([1, 3, 50, 97, 98, 99, 400, 10_000])
    expected = [2.0, 4.0, 51.0, 98.0, 10.0 * np.sqrt(98.0), 10.0 * np.sqrt(99.0), 200.0, 1000.0]
    assert random_flips._likely_swap_counts(counts).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("ways", "units", "few"),
    [(2, 41_900, True), (2, 42_000, False), (3, 30, True), (17, 1, True), (18, 1, False), (1, 10**6, True)],
)
def test_how_many_combinations_are_few(ways: int, units: int, few: bool) -> None:
    """Four million of two ways, a hundred thousand and some of more."""
    moved = np.repeat(np.eye(ways), units, axis=0)
    assert (few_ways(moved) is not None) is few


def test_from_which_way_on_all_combinations_are_held() -> None:
    """As many of the last ones as make up to 2¹⁶ together, and one at least."""
    lengths = {
        (70_000,): 0,
        (5, 70_000): 1,
        (3, 65_536): 1,
        (2, 2, 32_768): 1,
        (2, 2, 32_769): 2,
        (3, 4, 5): 0,
    }
    assert {one: random_flips._first_inner_way([np.zeros(n) for n in one]) for one in lengths} == lengths
