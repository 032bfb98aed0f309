"""What `compare` adds in words where the numbers alone would mislead."""

import numpy as np
import pytest

from tellapart import Comparison, Scores, compare
from tellapart.results.note import codes


def between(a: list[float], b: list[float]) -> Comparison:
    return compare(Scores.from_arrays({"a": np.array(a), "b": np.array(b)}))


@pytest.mark.parametrize(("items", "share"), [(6, "39 %"), (20, "14 %"), (60, "4.9 %")])
@pytest.mark.parametrize("shift", [0.0, 0.25])
def test_an_interval_of_one_point_is_no_certainty(items: int, share: str, shift: float) -> None:
    """Where every item differs by the same the interval is a point; the rule of three says what the items leave open."""
    values = np.random.default_rng(0).random(items)
    answer = between(values.tolist(), (values + shift).tolist())
    assert answer.interval.low == answer.interval.high
    (note,) = [n for n in answer.notes if n.code == "no_width"]
    assert (note.values["unit"], note.values["units"]) == ("item", items)
    assert f"{items} items" in note.text
    assert share in note.text


def test_items_of_equal_influence_do_not_differ_by_the_same() -> None:
    """One system finds all, the other nothing: F1 moves with no single item, and items on which both are right differ by nothing."""
    found, missed, neither = [1, 0, 0], [0, 0, 1], [0, 0, 0]
    a = np.array([missed] * 10 + [neither] * 30, dtype=float)[:, np.newaxis]
    b = np.array([found] * 10 + [neither] * 30, dtype=float)[:, np.newaxis]
    answer = compare(Scores.from_arrays({"a": a, "b": b}, parts=("tp", "fp", "fn")), metric="f1")
    (note,) = [n for n in answer.notes if n.code == "no_width"]
    assert (note.values["unit"], note.values["units"]) == ("item", 40)


def test_an_interval_with_width_needs_no_such_note() -> None:
    """One item that differs otherwise is enough."""
    answer = between([0.1, 0.2, 0.3, 0.4], [0.1, 0.2, 0.3, 0.5])
    assert "no_width" not in codes(answer.notes)


@pytest.mark.parametrize("clusters", [None, [i // 4 for i in range(80)]])
def test_ties_beside_differences_are_not_one_difference(clusters: list[int] | None) -> None:
    """Where most items tie, Hodges and Lehmann's interval is a point too, and the note does not say that all items differ alike."""
    a = np.linspace(0.0, 1.0, 80)
    b = a + np.where(np.arange(80) < 8, np.linspace(0.1, 0.5, 80), 0.0)
    answer = compare(Scores.from_arrays({"a": a, "b": b}, clusters=clusters), interval="hodges_lehmann")
    assert answer.interval.low == answer.interval.high == 0.0
    assert "no_width_although_items_vary" in codes(answer.notes)
    assert "no_width" not in codes(answer.notes)


def test_reach_is_told_at_what_it_was_computed_from() -> None:
    """Right-or-wrong scores in clusters are planned by their spread between clusters, not by their discordance."""
    rng = np.random.default_rng(0)
    scores = {"a": (rng.random(200) < 0.6).astype(int), "b": (rng.random(200) < 0.7).astype(int)}
    plain = compare(Scores.from_arrays(scores))
    grouped = compare(
        Scores.from_arrays(scores, clusters=np.arange(200) // 10), test="cluster_t(variance=cr1)"
    )
    assert plain.detectable is not None
    assert grouped.detectable is not None
    assert (plain.detectable.at, grouped.detectable.at) == ("discordance", "correlation")


@pytest.mark.parametrize(("tilt", "shown"), [(-0.5, "r = −0."), (-1e-5, "r = 0.00)")])
def test_a_correlation_has_a_real_minus_and_zero_has_none(tilt: float, shown: str) -> None:
    """As every other number that is printed."""
    first, second = np.linalg.qr(np.random.default_rng(0).normal(size=(60, 2)) - 0.0)[0].T
    first, second = first - first.mean(), second - second.mean()
    second -= first * (first @ second) / (first @ first)
    answer = between(first.tolist(), (second + tilt * first).tolist())
    assert shown in answer.sentence
