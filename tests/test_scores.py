"""The one table: what it refuses, what it counts, and how two of its systems become a pair."""

from typing import Any

import numpy as np
import pytest

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, ItemMismatch, TooFew, UnknownSystem, UsageError

NAN = float("nan")


def table(a: list[Any], b: list[Any], **options: Any) -> Scores:
    return Scores.from_arrays({"a": a, "b": b}, items=[f"q{i}" for i in range(len(a))], **options)


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        (
            [1, 1, 1, 1, 1],
            [1, NAN, 1, NAN, NAN],
            r"system 'b' lacks 3 of 5 items \(first: 'q1'\).*the 2 shared items",
        ),
        (
            [NAN, NAN, 1, 1, 1],
            [1, 1, 1, 1, 1],
            r"system 'a' lacks 2 of 5 items \(first: 'q0'\).*the 3 shared items",
        ),
        (
            [NAN, 1, 1, 1, NAN],
            [1, 1, NAN, NAN, NAN],
            r"system 'b' lacks 2 of 4 items \(first: 'q2'\).*the 1 shared item$",
        ),
        (
            [NAN, NAN, 1, 1, NAN],
            [1, 1, 1, NAN, 1],
            r"system 'b' lacks 1 of 5 items \(first: 'q3'\).*the 1 shared item$",
        ),
    ],
)
def test_who_lacks_how_many_items(a: list[float], b: list[float], said: str) -> None:
    """The refusal names the system that lacks items, B before A, how many of those that either has, and the first."""
    with pytest.raises(ItemMismatch, match=said):
        table(a, b).pair("a", "b")


def test_systems_that_share_nothing() -> None:
    """Two systems without a common item are told so, with an item for example."""
    with pytest.raises(ItemMismatch, match=r"systems 'a' and 'b' share no item \('b' lacks 'q0', for one\)"):
        table([1, NAN], [NAN, 1]).pair("a", "b")


def test_items_that_nobody_is_scored_on() -> None:
    """Items without any score are counted apart from gaps."""
    scores = table([1, NAN, NAN, 0], [0, NAN, NAN, 1])
    with pytest.raises(ItemMismatch, match=r"no system has a score on 2 of 4 items \(first: 'q1'\)"):
        scores.pair("a", "b")
    assert scores.pair("a", "b", missing="drop").unscored == 2


def test_dropped_items_are_counted() -> None:
    """A pair knows how many items each side lost and which came first; swapped, they change places."""
    pair = table([1, 2, 3, 4, NAN, NAN], [1, NAN, NAN, NAN, 5, 6]).pair("a", "b", missing="drop")
    assert (pair.lost, pair.first_lost, pair.items) == ((3, 2), ("q1", "q4"), ("q0",))
    assert (pair.swapped.lost, pair.swapped.first_lost) == ((2, 3), ("q4", "q1"))


def test_scored_needs_all_parts_of_one_run() -> None:
    """An item counts as scored where some run has every part."""
    runs = np.array([[[1, NAN], [NAN, 1], [1, NAN]], [[1, 1], [NAN, NAN], [1, NAN]]])
    scores = Scores.from_arrays({"a": runs, "b": runs}, parts=("x", "y"))
    np.testing.assert_array_equal(scores.scored("a"), [False, True])
    # Runs that no item is left with go, and with them nothing else.
    assert scores.pair("a", "b", missing="drop").a.tolist() == [[[1.0, 1.0]]]


def test_pairs_are_in_c_order() -> None:
    """Sums over items have the same bits whichever runs are left out."""
    runs = np.arange(12.0).reshape(4, 3)
    runs[:, 1] = NAN
    scores = Scores.from_arrays({"a": runs, "b": runs})
    for pair in (scores.pair("a", "b"), scores.unpaired("a", "b")):
        assert pair.a.shape == (4, 2, 1)
        assert pair.a.flags.c_contiguous
        assert pair.b.flags.c_contiguous


def test_items_are_in_the_order_of_their_names() -> None:
    """The order in which items are given leaves no trace."""
    scores = Scores.from_arrays({"a": [1, 2, 3], "b": [4, 5, 6]}, items=["c", "a", "b"], datasets=["x", "y", "x"])
    assert scores.items == (("x", "b"), ("x", "c"), ("y", "a"))
    assert scores.values[:, :, 0, 0].tolist() == [[3, 1, 2], [6, 4, 5]]


def test_clusters_follow_their_items() -> None:
    """Clusters go with their items and are numbered anew in a pair that lost some."""
    scores = table([1, 2, 3, 4], [1, NAN, 3, 4], clusters=["x", "y", "z", "z"])
    assert scores.clusters is not None
    assert scores.clusters.tolist() == [0, 1, 2, 2]
    dropped = scores.pair("a", "b", missing="drop").clusters
    assert dropped is not None
    assert dropped.tolist() == [0, 1, 1]


def test_within_one_dataset() -> None:
    """Items of one dataset only; an unknown one is answered with the nearest."""
    scores = table([1, 2, 3], [4, 5, 6], datasets=["sums", "sums", "poems"])
    assert scores.within("sums").items == (("sums", "q0"), ("sums", "q1"))
    with pytest.raises(DataError, match="no dataset is called 'sum'; did you mean 'sums'"):
        scores.within("sum")
    with pytest.raises(DataError, match="no dataset is called 'sums': no item has one"):
        table([1], [2]).within("sums")


def test_pair_without_a_shared_item() -> None:
    """What is left of two systems that share nothing is empty, with the runs and parts it would have."""
    scores = Scores.from_arrays({"a": [[1, 2], [NAN, NAN]], "b": [[NAN, NAN], [3, 4]]})
    pair = scores.pair("a", "b", missing="drop")
    assert (pair.a.shape, pair.lost, pair.unscored) == ((0, 2, 1), (1, 1), 0)


def test_no_items_at_all() -> None:
    """Two systems without items are a table, in which no item is named twice."""
    assert Scores.from_arrays({"a": [], "b": []}).values.shape == (2, 0, 1, 1)


def test_scores_of_nothing_but_zeros() -> None:
    """Zero is a score like any other, also where there is no other."""
    assert table([0, 0], [0, 0]).pair("a", "b").a.tolist() == [[[0.0]], [[0.0]]]


def test_unpaired_sides_keep_their_own_items() -> None:
    """Without pairing each side has what it is scored on."""
    pair = table([1, NAN, 3], [NAN, 5, NAN]).unpaired("a", "b")
    assert (pair.a[:, 0, 0].tolist(), pair.b[:, 0, 0].tolist()) == ([1, 3], [5])
    assert (pair.lost, pair.first_lost, pair.unscored, pair.items) == ((0, 0), ("", ""), 0, ())


@pytest.mark.parametrize(
    ("scores", "options", "error", "said"),
    [
        ({"a": [1]}, {}, TooFew, "only one system, 'a', was found"),
        ({}, {}, TooFew, "no system was found"),
        ({"a": [1], 1: [1], "1": [1]}, {}, DataError, "two systems have the same name"),
        ({"a": [1, 2], "b": [1]}, {}, ItemMismatch, "arrays of different lengths"),
        ({"a": [1, 2], "b": [1, 2]}, {"items": ["q", "q"]}, DataError, "item 'q' occurs 2 times"),
        ({"a": [1, 2], "b": [1, 2]}, {"items": ["q"]}, DataError, "items has 1 entries for 2 items"),
        ({"a": [1, 2], "b": [1, 2]}, {"items": ["q", None]}, DataError, "items holds a missing name"),
        ({"a": [1, 2], "b": [1, 2]}, {"clusters": ["x", NAN]}, DataError, "clusters holds a missing name"),
        (
            {"a": [1, 1e200], "b": [1, 2]},
            {},
            DataError,
            "the largest score, of system 'a' on item '1', is 1e",
        ),
        (
            {"a": [0, 1e-200], "b": [0, 0]},
            {},
            DataError,
            "the largest score, of system 'a' on item '1', is 1e-200",
        ),
        (
            {"a": [0, -1e200], "b": [0, 0]},
            {},
            DataError,
            "the largest score, of system 'a' on item '1', is 1e",
        ),
        ({"a": [1, float("inf")], "b": [1, 2]}, {}, DataError, "hold an infinity"),
        ({"a": ["x"], "b": [1]}, {}, DataError, "not numbers: found 'x'"),
        ({"a": [1, "0.5", None, "n/a"], "b": [1] * 4}, {}, DataError, "not numbers: found 'n/a'"),
        ({"a": np.array([], dtype=str), "b": []}, {}, DataError, "not numbers"),
        ({"a": ["0.5"], "b": [1]}, {}, DataError, "not numbers: found '0.5'; make them float"),
        ({"a": {"q": {"f1": 1}}, "b": {"q": 1}}, {}, DataError, "not numbers: found {'f1': 1}"),
        ({"a": {"q": 1}, "b": [1]}, {}, DataError, "'a' are a dict of items and those of 'b' are not"),
        ({"a": {"q": 1}, "b": {"q": 1}}, {"items": ["q"]}, DataError, "name their items already"),
        ({"a": {1: 1, "1": 0}, "b": {"1": 1}}, {}, DataError, "two items of 'a' have the same name"),
        (
            {"a": {"q": 1, "r": 1}, "b": {"q": 1, "r": 1}},
            {"clusters": {"q": "x"}},
            DataError,
            "clusters holds a missing name",
        ),
        (
            {"a": {"q": 1}, "b": {"q": 1}},
            {"groups": ["x"]},
            DataError,
            "groups is a list; give it as a dict too",
        ),
        ({"a": [[1], [1, 2]], "b": [1, 2]}, {}, DataError, "rows of different lengths"),
        ({"a": [2**60], "b": [1]}, {}, DataError, "whole numbers above"),
        ({"a": [10**400, 1], "b": [1, 1]}, {}, DataError, "the scores of 'a' hold whole numbers above"),
        ({"a": [None, -(2**70)], "b": [1, 1]}, {}, DataError, "the scores of 'a' hold whole numbers above"),
        ({"a": [-(2**60), 1], "b": [1, 1]}, {}, DataError, "the scores of 'a' hold whole numbers above"),
        (
            {"a": [[1, 2]], "b": [[1, 2]]},
            {"parts": ("x", "y", "z")},
            DataError,
            "wanted .item,., .item, run. or",
        ),
    ],
)
def test_arrays_that_are_no_scores(scores: Any, options: Any, error: type[DataError], said: str) -> None:
    """Arrays that cannot be scores are refused with the reason."""
    with pytest.raises(error, match=said):
        Scores.from_arrays(scores, **options)


def test_what_a_mask_hides_is_missing() -> None:
    """Whole numbers too, also where it hides all of them."""
    hidden = np.ma.masked_array([3, 2**60], mask=[True, True])
    partly = np.ma.masked_array([3, 2**60], mask=[False, True])
    scores = Scores.from_arrays({"a": hidden, "b": partly, "c": [1, 2]})
    np.testing.assert_array_equal(scores.values[:, :, 0, 0], [[NAN, NAN], [3.0, NAN], [1.0, 2.0]])


def test_dicts_by_item_are_matched_by_name() -> None:
    """Whatever their order, and whether a name is a number or a text; what one lacks is missing."""
    scores = Scores.from_arrays(
        {"a": {"q2": 0.4, 7: 0.3, "q1": 0.1}, "b": {"q1": 0.5, "7": None}},
        clusters={"q1": "x", 7: "y", "q2": "y"},
    )
    assert scores.items == (("", "7"), ("", "q1"), ("", "q2"))
    assert scores.clusters is not None
    assert scores.clusters.tolist() == [0, 1, 0]
    found = scores.values[:, :, 0, 0]
    np.testing.assert_array_equal(found, [[0.3, 0.1, 0.4], [NAN, 0.5, NAN]])
    with pytest.raises(ItemMismatch, match="system 'b' lacks 2 of 3 items"):
        scores.pair("a", "b")


def test_names_that_are_not_there() -> None:
    """An unknown system, or a way to treat gaps that does not exist, is refused by name."""
    with pytest.raises(UnknownSystem, match="no system is called 'c'"):
        table([1], [2]).pair("a", "c")
    with pytest.raises(UsageError, match="missing='ignore' should be 'error' or 'drop'"):
        table([1], [2]).pair("a", "b", missing="ignore")  # type: ignore[arg-type]  # a mistake on purpose
