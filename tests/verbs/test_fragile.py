"""Answers that a few items could overturn say so."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Comparison, Scores, compare
from tellapart.results.note import Note
from tellapart.verbs.compare.fragile import carrying_item

RNG = np.random.default_rng(3)


def noted(answer: Comparison, code: str) -> Note | None:
    return next((note for note in answer.notes if note.code == code), None)


def of_differences(differences: np.ndarray, **options: object) -> Comparison:
    base = np.linspace(0.0, 1.0, len(differences))
    scores = Scores.from_arrays({"old": base, "new": base + differences})
    return compare(scores, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("losses", [0, 1, 2])
@pytest.mark.parametrize("swapped", [False, True])
def test_few_items_of_the_rarer_sign_leave_a_share_open(losses: int, *, swapped: bool) -> None:
    """The share is where seeing so few has the chance of 5 %, by the binomial law."""
    differences = RNG.uniform(0.01, 0.1, 60)
    differences[:losses] *= -0.5
    note = noted(of_differences(-differences if swapped else differences), "rare_sign")
    assert note is not None
    assert (note.values["system"], note.values["seen"], note.values["units"]) == (
        "new" if swapped else "old",
        losses,
        60,
    )
    assert stats.binom.cdf(losses, 60, note.values["share"]) == pytest.approx(0.05, rel=1e-9, abs=0.0)


def test_three_of_the_rarer_sign_are_enough() -> None:
    differences = RNG.uniform(0.01, 0.1, 60)
    differences[:3] *= -1.0
    assert noted(of_differences(differences), "rare_sign") is None


def test_of_clusters_their_sums_are_counted() -> None:
    """Items of both signs in every cluster, and each cluster in favour of one system."""
    differences = np.tile([0.3, -0.1], 30) + RNG.uniform(0.0, 0.01, 60)
    scores = Scores.from_arrays({"old": np.zeros(60), "new": differences}, clusters=np.arange(60) // 2)
    note = noted(compare(scores), "rare_sign")
    assert note is not None
    assert (note.values["unit"], note.values["seen"], note.values["units"]) == ("cluster", 0, 30)


def test_right_or_wrong_scores_are_told_by_their_test() -> None:
    won = np.zeros(40)
    won[:9] = 1.0
    answer = compare(Scores.from_arrays({"old": np.zeros(40), "new": won}))
    assert noted(answer, "rare_sign") is None
    assert noted(answer, "one_item_carries") is None


def test_one_item_that_carries_the_effect_is_named() -> None:
    differences = RNG.normal(0.0, 0.1, 60)
    differences[17] = 5.0
    answer = of_differences(differences)
    note = noted(answer, "one_item_carries")
    assert note is not None
    assert note.values["item"] == "17"
    assert note.values["difference"] == pytest.approx(5.0)
    assert note.values["effect_without"] == pytest.approx(np.delete(differences, 17).mean())
    assert "'17'" in note.text


@pytest.mark.parametrize(
    "differences",
    [
        RNG.normal(0.0, 0.1, 60) - 0.0001,  # an effect near nothing: every item is larger, none carries it
        RNG.normal(0.1, 0.1, 60),
        np.append(RNG.normal(0.5, 0.1, 59), -5.0),  # one item against the effect
        np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.1]),  # too few differ
    ],
)
def test_no_item_carries_what_all_share(differences: np.ndarray) -> None:
    assert noted(of_differences(differences), "one_item_carries") is None


@pytest.mark.parametrize(("items", "most"), [(5, 0.03), (6, 0.02), (8, 0.01), (20, 0.001)])
def test_normal_scores_hardly_ever_seem_to_rest_on_one_item(items: int, most: float) -> None:
    """However few there are: one of five is often half of their sum, and far out for what four others show of their spread."""
    drawn = np.random.default_rng(2).normal(0.3, 1.0, (3_000, items))
    assert np.mean([carrying_item(one) is not None for one in drawn]) <= most


@pytest.mark.parametrize("items", [5, 10, 60])
def test_an_item_ten_standard_errors_out_is_always_found(items: int) -> None:
    drawn = np.random.default_rng(2).standard_normal((500, items))
    drawn[:, 3] = -10.0 * np.sqrt(items)
    assert {carrying_item(one) for one in drawn} == {3}


@pytest.mark.parametrize("seen", [1, 2])
@pytest.mark.parametrize("swapped", [False, True])
def test_rare_failures_leave_a_share_open(seen: int, *, swapped: bool) -> None:
    """How many there are, how far, and the share of all items that has the chance of 5 % to show so few."""
    differences = RNG.normal(0.05, 0.02, 60)
    differences[:seen] = -0.8
    answer = of_differences(-differences if swapped else differences)
    note = noted(answer, "rare_failures")
    assert note is not None
    assert (note.values["seen"], note.values["items"]) == (seen, 60)
    assert note.values["difference"] == pytest.approx(0.8 if swapped else -0.8)
    assert stats.binom.cdf(seen, 60, note.values["share"]) == pytest.approx(0.05, rel=1e-9, abs=0.0)
    assert noted(answer, "rare_sign") is None
    assert answer.verdict == "undetermined"
    assert answer.interval.low < 0.0 < answer.interval.high


def test_a_steady_gain_is_claimed_all_the_same() -> None:
    answer = of_differences(RNG.normal(0.05, 0.02, 60))
    assert answer.verdict == "b better"
    assert noted(answer, "rare_failures") is None


def test_three_failures_are_told_by_the_test() -> None:
    differences = RNG.normal(0.05, 0.02, 60)
    differences[:3] = -0.8
    assert noted(of_differences(differences), "rare_failures") is None
