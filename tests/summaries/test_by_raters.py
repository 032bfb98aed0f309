"""`Crossed` and `Rated`: what methods on ratings look at."""

import numpy as np
import pytest

from tellapart import Ratings, Scores, Votes
from tellapart.data.summaries import rater_samples as raters
from tellapart.data.summaries.rater_samples import ByRaters, Crossed, UnpairedRatings, one_system_ratings
from tellapart.foundation.errors import Unsuitable
from tellapart.methods.significance import TESTS
from tellapart.metrics.mean import Mean

NAN = float("nan")
PAIRED = Ratings.from_arrays({"a": [[1, NAN, 3], [2, 2, NAN]], "b": [[2, NAN, 3], [4, 2, NAN]]}).pair("a", "b")
SINGLE = Ratings.from_arrays({"a": [[1, NAN, 3], [2, 2, NAN]], "b": [[2, 1, 3], [4, 2, NAN]]}).pair("a", "b")


def test_pairs_are_differences() -> None:
    """`(rater, item)`, NaN where a rater did not rate."""
    sample = ByRaters.of(PAIRED, Mean())
    assert isinstance(sample, Crossed)
    np.testing.assert_array_equal(sample.values, [[1, NAN, 0], [2, 0, NAN]])
    assert (sample.raters, sample.items, float(sample.effect)) == (2, 3, 0.75)
    np.testing.assert_array_equal(sample.shifted(1.0).values, [[2, NAN, 1], [3, 1, NAN]])


def test_one_unpaired_rating_makes_all_single() -> None:
    """Single ratings keep what has no partner, and their plain effect is the difference of averages."""
    sample = ByRaters.of(SINGLE, Mean())
    assert isinstance(sample, UnpairedRatings)
    assert (sample.raters, sample.items, len(sample.of_b)) == (2, 3, 9)
    assert float(sample.effect) == pytest.approx(2.4 - 2.0)
    assert float(sample.shifted(0.5).effect) == pytest.approx(0.9)
    with pytest.raises(Unsuitable, match="ratings in pairs"):
        Crossed.of(SINGLE, Mean())


def test_votes_of_one_rater_on_one_item_are_averaged() -> None:
    """Shown in both orders, a judge's two votes are one difference."""
    votes = Votes.from_columns(
        a=["a"] * 3,
        b=["b"] * 3,
        winner=["b", "tie", "a"],
        item=[1, 1, 2],
        rater=["x", "x", "x"],
        first=["a", "b", "a"],
    )
    sample = Crossed.of(votes.pair("a", "b"), Mean())
    np.testing.assert_array_equal(sample.values, [[0.5, -1.0]])


def test_batches_share_their_incidence() -> None:
    """A batch of values goes through as one."""
    from dataclasses import replace  # noqa: PLC0415  (only here)

    many = replace(PAIRED, values=np.stack([PAIRED.values, 2.0 * PAIRED.values]))
    sample = ByRaters.of(many, Mean())
    assert sample.values.shape == (2, 2, 3)
    np.testing.assert_array_equal(sample.values[1], 2.0 * sample.values[0])
    pvalues = TESTS.parse("mixed_model").apply(sample, np.random.default_rng(0)).pvalue
    assert pvalues.shape == (2,)
    assert pvalues[0] == pytest.approx(pvalues[1])


def test_rounding_is_no_spread() -> None:
    """0.1 more everywhere is one number, whatever binary fractions make of it."""
    level = np.random.default_rng(1).normal(size=(3, 5)).round(2)
    sample = ByRaters.of(Ratings.from_arrays({"a": level, "b": level + 0.1}).pair("a", "b"), Mean())
    assert isinstance(sample, Crossed)
    assert np.ptp(sample.values) == 0.0


def test_one_system_alone() -> None:
    """Its ratings as if each were a difference from 0, without raters and items that it has none of."""
    alone = one_system_ratings(SINGLE, ~SINGLE.of_b)
    np.testing.assert_array_equal(alone.values, [[1, NAN, 3], [2, 2, NAN]])


def test_scores_are_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain scores are refused with a test that takes them, and tables too large for memory before they are made."""
    scores = Scores.from_arrays({"a": [1.0, 2.0], "b": [2.0, 4.0]})
    assert not ByRaters.suits(scores.pair("a", "b"), Mean())
    with pytest.raises(Unsuitable, match="paired_t"):
        ByRaters.of(scores.pair("a", "b"), Mean())
    monkeypatch.setattr(raters, "MOST_CELLS", 5)
    with pytest.raises(Unsuitable, match="fit in memory"):
        ByRaters.of(PAIRED, Mean())
