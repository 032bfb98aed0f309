"""`Ratings`: one entry per rating, whatever they were made of."""

from typing import Any

import numpy as np
import pytest

from tellapart import Ratings
from tellapart.foundation.errors import DataError, UnknownSystem

NAN = float("nan")


def small() -> Ratings:
    return Ratings.from_arrays(
        {"old": [[3, 4, NAN], [2, NAN, NAN]], "new": [[4, 4, 5], [NAN, 1, NAN]]},
        raters=["y", "x"],
        items=["q", "p", "r"],
        datasets=["s", "s", "t"],
    )


def test_entries_are_in_the_order_of_names() -> None:
    """Systems as they come, then items by dataset and name, then raters."""
    found = small()
    assert (found.systems, found.raters) == (("old", "new"), ("x", "y"))
    assert found.items == (("s", "p"), ("s", "q"), ("t", "r"))
    assert found.values.tolist() == [4, 2, 3, 1, 4, 4, 5]
    assert found.rater.tolist() == [1, 0, 1, 0, 1, 1, 1]
    assert repr(found) == "<Ratings: 7 ratings of 2 systems ('old', 'new') by 2 raters on 3 items>"


def test_a_pair_knows_which_ratings_have_a_partner() -> None:
    """The same rater on the other system and the same item."""
    pair = small().pair("old", "new")
    assert (pair.raters, pair.items) == (("x", "y"), ("s/p", "s/q", "t/r"))
    rated = zip(pair.of_b.tolist(), pair.item.tolist(), pair.rater.tolist(), pair.complete.tolist(), strict=True)
    assert [(item, rater) for of_b, item, rater, complete in rated if complete and of_b] == [(0, 1), (1, 1)]
    swapped = small().pair("new", "old")
    assert sorted(swapped.values[swapped.of_b].tolist()) == [2, 3, 4]
    assert np.array_equal(pair.swapped.of_b, ~pair.of_b)


def test_parts_of_it() -> None:
    """One dataset, or some systems; nobody is kept who rated nothing of it."""
    assert small().within("t").raters == ("y",)
    assert small().within("t").items == (("t", "r"),)
    with pytest.raises(DataError, match="no dataset is called 'u'"):
        small().within("u")
    with pytest.raises(UnknownSystem, match="no system is called 'ol'"):
        small().pair("ol", "new")
    assert small().of_systems("old").items == (("s", "p"), ("s", "q"))


def test_averages_are_scores() -> None:
    """Over whoever rated, NaN where nobody did; the measure and a remark say by whom."""
    scores = small().averaged()
    np.testing.assert_array_equal(scores.values[:, :, 0, 0], [[4, 2.5, NAN], [2.5, 4, 5]])
    assert scores.measure == "rating by these 2 raters"
    assert [remark.code for remark in scores.remarks] == ["raters_fixed"]


@pytest.mark.parametrize(
    ("ratings", "options", "error", "said"),
    [
        ({"a": [[NAN, NAN]], "b": [[NAN, NAN]]}, {}, DataError, "there is no rating at all"),
        ({"a": [1, 2], "b": [1, 2]}, {}, DataError, "wanted (rater, item)"),
        ({"a": [[1, 2]], "b": [[1, 2], [3, 4]]}, {}, DataError, "have different shapes"),
        ({"a": [[1, 2]], "b": [[1, 1e120]]}, {}, DataError, "the largest rating is 1e+120"),
        ({"a": [[1, 2]], "b": [[1, 2]]}, {"raters": ["x", "y"]}, DataError, "2 entries for 1 items"),
        ({"a": [[1, "x"]], "b": [[1, 2]]}, {}, DataError, "not numbers"),
    ],
)
def test_refusals(ratings: dict[str, Any], options: dict[str, Any], error: type[DataError], said: str) -> None:
    with pytest.raises(error) as refused:
        Ratings.from_arrays(ratings, **options)
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "value", [["x", "y"], [1.0], [[1.0, 2.0], [3.0]], [[1.0, 2.0], [3.0, 4.0]], [1.0, float("inf")]]
)
def test_columns_that_are_no_ratings(value: Any) -> None:
    """Refused in words, whatever they hold."""
    with pytest.raises(DataError):
        Ratings.from_columns(system=["a", "b"], item=["p", "p"], rater=["x", "x"], value=value)


def test_names_that_no_file_could_hold() -> None:
    """Of raters as of systems and items."""
    with pytest.raises(DataError, match="Rename it"):
        Ratings.from_columns(system=["a", "b"], item=["p", "p"], rater=["x\0", "x"], value=[1.0, 2.0])


def test_rows_without_a_rating_say_nothing() -> None:
    """NaN among columns is a gap: raters and items met only there are not kept."""
    found = Ratings.from_columns(
        system=["a", "b", "a"], item=["p", "p", "q"], rater=["x", "x", "y"], value=[1.0, 2.0, NAN]
    )
    assert (found.raters, found.items, len(found)) == (("x",), (("", "p"),), 2)
