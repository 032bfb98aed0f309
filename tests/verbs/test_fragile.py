"""Answers that a few items could overturn say so."""

import numpy as np
import pytest
from scipy import stats

from tellapart import Comparison, Scores, compare
from tellapart.answers.parts import Note
from tellapart.verbs.compare.notes import far_out_items

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
    assert noted(answer, "few_items_carry") is None


def test_one_item_that_carries_the_effect_is_named() -> None:
    differences = RNG.normal(0.0, 0.1, 60)
    differences[17] = 5.0
    answer = of_differences(differences)
    note = noted(answer, "few_items_carry")
    assert note is not None
    assert note.values["items"] == [{"item": "17", "difference": pytest.approx(5.0)}]
    assert note.values["effect_without"] == pytest.approx(np.delete(differences, 17).mean())


@pytest.mark.parametrize("seen", [1, 2])
@pytest.mark.parametrize("swapped", [False, True])
def test_rare_failures_are_named_whichever_side_they_are_on(seen: int, *, swapped: bool) -> None:
    """Small steady gains and one or two items that fail by far: the note changes no verdict."""
    differences = np.random.default_rng(4).normal(0.05, 0.02, 60)
    differences[:seen] = -0.8 + 0.1 * np.arange(seen)
    answer = of_differences(-differences if swapped else differences)
    note = noted(answer, "few_items_carry")
    assert note is not None
    assert [one["item"] for one in note.values["items"]] == ["00", "01"][:seen]
    assert note.values["effect_without"] == pytest.approx((-1.0 if swapped else 1.0) * differences[seen:].mean())


@pytest.mark.parametrize(
    "differences",
    [
        np.random.default_rng(5).normal(0.1, 0.1, 60),
        np.append(np.random.default_rng(6).normal(0.5, 0.1, 58), [-5.0, 6.0]),  # on both sides
        np.append(np.random.default_rng(7).normal(0.05, 0.02, 57), [-0.8, -0.8, -0.9]),  # three are seen often enough
        np.zeros(8),
    ],
)
def test_no_few_items_carry_what_many_share(differences: np.ndarray) -> None:
    assert noted(of_differences(differences), "few_items_carry") is None


@pytest.mark.parametrize(("items", "most"), [(6, 0.1), (8, 0.06), (20, 0.02), (100, 0.006)])
def test_normal_scores_seldom_have_items_far_out(items: int, most: float) -> None:
    drawn = np.random.default_rng(2).normal(0.3, 1.0, (2_000, items))
    assert np.mean([len(far_out_items(one)) > 0 for one in drawn]) <= most
