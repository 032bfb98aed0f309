"""What `compare` adds in words where the numbers alone would mislead."""

import numpy as np
import pytest

from tellapart import Comparison, Scores, compare
from tellapart.answers.parts import codes


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
    grouped = compare(Scores.from_arrays(scores, clusters=np.arange(200) // 10), test="cluster_t(variance=cr1)")
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


def leaning(seed: int, items: int) -> Scores:
    """Most items gain a little, some lose a lot: signs and ranks say another thing than means."""
    rng = np.random.default_rng(seed)
    a = rng.normal(0.0, 1.0, items)
    return Scores.from_arrays({"a": a, "b": a + 0.3 - rng.exponential(1.0, items) ** 2 / 7.0})


@pytest.mark.parametrize("claim", ["non_inferiority", "equivalence"])
@pytest.mark.parametrize("inside", ["sign", "wilcoxon"])
def test_a_test_of_a_margin_says_where_the_interval_disagrees_with_who_is_better(claim: str, inside: str) -> None:
    """Who is better is decided by the test inside: where the printed interval holds zero, and it is not about means, both are said."""
    scores = leaning(9, 60)
    plain = compare(scores, test=inside, interval="student_t")
    answer = compare(scores, test=f"{claim}(test={inside})", interval="student_t", margin=2.0)
    assert answer.verdict == plain.verdict == "b better"
    assert answer.interval.low < 0.0
    note, other = ([n for n in x.notes if n.code == "test_and_interval_disagree"] for x in (answer, plain))
    assert [n.text for n in note] == [n.text for n in other] != []
    assert answer.tested.estimand == plain.tested.estimand
    assert "not_about_means" in codes(answer.notes)
    assert answer.headline.startswith(plain.headline)


def test_each_side_of_a_margin_is_held_against_its_bound() -> None:
    """Signs exclude a loss of the margin, the lower bound of the mean does not; the upper ones agree, and nothing is equivalent."""
    scores = leaning(1, 40)
    answer = compare(scores, test="sign", interval="student_t", margin=0.1)
    assert (answer.shown.holds("not_worse"), answer.shown.holds("not_better")) == (True, False)
    (note,) = [n for n in answer.notes if n.code == "margin_interval_disagrees"]
    assert note.values["low"] < -0.1 < 0.1 < note.values["high"]
    turned = compare(scores, test="sign", interval="student_t", margin=0.1, lower_is_better=True)
    assert (turned.shown.holds("not_worse"), turned.shown.holds("not_better")) == (False, True)
    assert "margin_interval_disagrees" in codes(turned.notes)


@pytest.mark.parametrize("lower_is_better", [False, True])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_an_interval_beyond_one_margin_agrees_with_the_test_that_says_so(sign: float, lower_is_better: bool) -> None:  # fmt: skip
    """B is no worse, or no better, and nothing else is shown: a t test and its interval say so alike, whichever scores are better."""
    a = np.random.default_rng(5).random(40)
    b = a + sign * (0.1 + np.random.default_rng(6).normal(0.0, 0.05, 40))
    answer = compare(Scores.from_arrays({"a": a, "b": b}), test="paired_t", margin=0.1, lower_is_better=lower_is_better)  # fmt: skip
    assert answer.shown.holds("not_worse") != answer.shown.holds("not_better")
    assert "margin_interval_disagrees" not in codes(answer.notes)
