"""`leaning_t`, and the default that it makes with the permutation test: how often few items claim falsely, and what that costs."""

import numpy as np
import pytest

from tellapart.arrays import FloatArray
from tellapart.calibration.difference_laws import heavy_tailed, lognormal, normal, skewed
from tellapart.calibration.scenario import Draw
from tellapart.intervals import INTERVALS
from tellapart.metrics.mean import Mean
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.significance.cautious import inverse
from tellapart.summaries import Differences

DEFAULT = "cautious(test=permutation, interval=leaning_t)"
EVALUATIONS = 3_000


def drawn(law: Draw, differing: int, items: int, effect: float = 0.0) -> Pair:
    """Evaluations in which so many items differ, by this law, and the others are ties."""
    b = np.zeros((EVALUATIONS, items, 1, 1))
    b[:, :differing, 0, 0] = law((EVALUATIONS, differing), effect, np.random.default_rng(8))
    return Pair(np.zeros_like(b), b)


def pvalues(spelling: str, pair: Pair, null: float = 0.0) -> FloatArray:
    test = TESTS.parse(spelling)
    return test.against(test.needs.of(pair, Mean()), null, stream(0)).pvalue


def claimed(test: str, pair: Pair) -> float:
    return float((pvalues(test, pair) <= 0.05).mean())


def test_it_is_the_inverse_of_its_interval() -> None:
    """Zero, or a margin, is left out exactly where the test rejects it, and it claims nothing that the paired t test does not."""
    pair = drawn(skewed, 10, 22, 0.8)
    low, high = INTERVALS.parse("leaning_t").interval(Differences.of(pair, Mean()), 0.95, stream(0))
    for null in (0.0, 0.1):
        assert (((low > null) | (high < null)) == (pvalues("leaning_t", pair, null) <= 0.05)).all()
    assert (pvalues("leaning_t", pair) >= pvalues("paired_t", pair) * (1.0 - 1e-12)).all()
    assert str(inverse("leaning_t")) == "leaning_t"


@pytest.mark.parametrize("items", [1, 2, 5])
@pytest.mark.parametrize(
    ("law", "differing", "most"),
    [(skewed, 8, 0.075), (skewed, 15, 0.06), (lognormal, 10, 0.1), (lognormal, 15, 0.09), (lognormal, 30, 0.075)],
)  # fmt: skip
def test_false_claims_where_items_lean(law: Draw, differing: int, most: float, items: int) -> None:
    """No more than this, however many ties there are, where the permutation test alone claims a quarter more and up to twice as much."""
    pair = drawn(law, differing, items * differing)
    assert claimed(DEFAULT, pair) < most
    assert claimed(DEFAULT, pair) < 0.8 * claimed("permutation", pair)


@pytest.mark.parametrize("items", [1, 2, 5])
@pytest.mark.parametrize(("law", "most"), [(normal, 0.08), (heavy_tailed, 0.095)])
def test_power_given_away_on_symmetric_scores(law: Draw, most: float, items: int) -> None:
    """Of what the permutation test finds, at eight to thirty items that differ; less at more of them."""
    given = []
    for differing in (8, 12, 30):
        pair = drawn(law, differing, items * differing, 2.8 / np.sqrt(differing))
        given.append(claimed("permutation", pair) - claimed(DEFAULT, pair))
    assert max(given) < most
    assert 0.0 < given[-1] < most - 0.02


@pytest.mark.parametrize("effect", [-0.5, 0.0, 0.5, 1.0])
def test_the_truth_is_held_among_ties(effect: float) -> None:
    """Half of the items differ, as chance has it, and have a long tail: 95 % intervals hold their mean some nine times in ten and more."""
    rng = np.random.default_rng(2)
    values = lognormal((EVALUATIONS, 30), effect, rng) * (rng.random((EVALUATIONS, 30)) < 0.5)
    low, high = INTERVALS.parse("leaning_t").interval(Differences(values), 0.95, stream(0))
    assert 0.885 < np.mean((low <= effect / 2.0) & (effect / 2.0 <= high)) < 0.99
