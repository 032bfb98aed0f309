"""Ties that rounding in single precision broke are told of; scores that scatter are not taken for such."""

import numpy as np
import pytest

from tellapart import Comparison, Scores, compare
from tellapart.answers.parts import Note, codes
from tellapart.foundation.arrays import FloatArray

RNG = np.random.default_rng(1)
OLD = RNG.random(400) + 0.5
NEW = np.where(np.arange(400) < 60, OLD + RNG.normal(0.02, 0.1, 400), OLD)


def asked(a: FloatArray, b: FloatArray, test: str | None = None) -> tuple[Comparison, list[Note]]:
    answer = compare(Scores.from_arrays({"a": a, "b": b}), test=test)
    return answer, [note for note in answer.notes if note.code == "nearly_ties"]


def in_single_precision(values: FloatArray) -> FloatArray:
    """The same as far as seven digits go, computed another way."""
    third = np.float32(1.0) / np.float32(3.0)
    return np.asarray(values.astype(np.float32) * third * np.float32(3.0), dtype=np.float64)


def test_ties_that_single_precision_broke() -> None:
    """They can decide a test of signs, and the note says how many they are."""
    other = np.where(NEW == OLD, in_single_precision(OLD), NEW)
    answer, (note,) = asked(OLD.astype(np.float32).astype(np.float64), other, "sign")
    clean, none = asked(OLD, NEW, "sign")
    near = np.abs(other - OLD.astype(np.float32))[60:]
    assert note.values["items"] == np.count_nonzero(near)
    assert note.values["most"] == pytest.approx(near.max(), rel=1e-6, abs=0.0)
    assert note.values["differing"] == note.values["items"] + 60
    assert (answer.pvalue < 0.001 < clean.pvalue, none) == (True, [])


@pytest.mark.parametrize("unit", [1e-12, 1e-8, 1e-6])
def test_whatever_the_size_of_the_noise(unit: float) -> None:
    noise = np.where(NEW == OLD, OLD * unit * RNG.uniform(0.2, 0.9, 400), 0.0)
    assert asked(OLD, NEW + noise)[1][0].values["items"] == 340


def test_a_single_one() -> None:
    b = NEW.copy()
    b[-1] += 1e-9
    assert asked(OLD, b)[1][0].values["items"] == 1


@pytest.mark.parametrize("items", [30, 3_000, 300_000])
def test_scores_that_scatter(items: int) -> None:
    """Among very many items some differ by next to nothing, as a thousand times as many do by a thousand times as much."""
    rng = np.random.default_rng(items)
    assert asked(rng.normal(size=items), rng.normal(size=items), "paired_t")[1] == []
    alike = rng.normal(size=items)
    assert asked(alike, alike * rng.normal(1.0, 1e-4, items), "paired_t")[1] == []
    assert asked(rng.lognormal(0.0, 2.0, items), rng.lognormal(0.0, 2.0, items), "paired_t")[1] == []


@pytest.mark.parametrize("scatter", [1e-4, 1e-2, 3e-3, 1e-3, 3e-4])
def test_scores_that_scatter_by_next_to_nothing(scatter: float) -> None:
    """Around 1000, by up to a few millionths of it: rounded to those, a quarter of the differences would be ties that are none."""
    told = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        a = rng.normal(1_000.0, 1.0, 200)
        told += len(asked(a, a + rng.normal(0.0, scatter, 200), "paired_t")[1])
    assert told == 0


def test_whole_numbers_and_differences_of_every_size() -> None:
    """Counts of many digits that differ by a few, and differences of which any tenfold has as many: none stands apart."""
    rng = np.random.default_rng(7)
    counts = rng.integers(10**7, 2 * 10**7, 60).astype(np.float64)
    assert asked(counts, counts + rng.integers(-9, 10, 60), "paired_t")[1] == []
    assert asked(OLD, OLD + 10.0 ** rng.uniform(-9.0, -1.0, 400), "paired_t")[1] == []


@pytest.mark.parametrize(
    ("others", "told"),
    [([3e-5] * 20, 1), ([3e-6] * 20, 0), ([3e-6, 0.1], 0), ([3e-6, *[0.1] * 10], 1), ([3e-6] * 3 + [0.1] * 50, 0)],
    ids=["by 3,000 times", "by 300 times", "one and one", "one and ten", "three and fifty"],
)  # fmt: skip
def test_others_differ_a_thousand_times_as_much(others: list[float], told: int) -> None:
    """Of scores of 1, twenty items by 1e-8 and some by more; those between are few beside either."""
    b = 1.0 + np.array([0.0] * 20 + [1e-8] * 20 + others)
    assert len(asked(np.ones_like(b), b, "paired_t")[1]) == told


def test_a_few_of_many_others_may_lie_between() -> None:
    """Of sixty thousand items that scatter some differ by as little as a hundred roundings do."""
    rng = np.random.default_rng(8)
    a = rng.random(100_000) + 0.5
    b = np.where(np.arange(100_000) < 60_000, a + rng.normal(0.0, 0.3, 100_000), in_single_precision(a))
    shares = np.abs(b - a) / np.maximum(a, np.abs(b))
    assert np.count_nonzero((shares > 1e-6) & (shares < 1e-4)) > 0
    (note,) = asked(a, b, "paired_t")[1]
    assert note.values["items"] == np.count_nonzero((shares > 1e-14) & (shares <= 1e-6))


def test_contributions_to_a_metric_are_no_scores() -> None:
    """One item of two thousand has one more false alarm: the others' shares in F1 move by next to nothing, as they should."""
    a = np.tile([900.0, 50.0, 60.0], (2_000, 1, 1)) + np.arange(2_000)[:, np.newaxis, np.newaxis] % 7
    b = a.copy()
    b[0, 0, 1] += 1.0
    parts = Scores.from_arrays({"a": a, "b": b}, parts=("tp", "fp", "fn"))
    assert "nearly_ties" not in codes(compare(parts, metric="f1", test="paired_t").notes)


def test_scores_far_apart_in_size() -> None:
    """Beside one very large score the differences of small ones are small, and real."""
    assert asked(np.append(OLD, 1e9), np.append(OLD + RNG.normal(0.0, 0.1, 400), 2e9))[1] == []


def test_right_or_wrong_and_equal_scores() -> None:
    marks = (OLD > 1.0).astype(np.float64)
    assert asked(marks, 1.0 - marks)[1] == asked(OLD.round(2), NEW.round(2))[1] == []
