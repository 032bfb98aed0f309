"""Ties that rounding in single precision broke are told of; scores that scatter are not taken for such."""

import numpy as np
import pytest

from tellapart import Comparison, Scores, compare
from tellapart.arrays import FloatArray
from tellapart.results.note import Note

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


def test_scores_far_apart_in_size() -> None:
    """Beside one very large score the differences of small ones are small, and real."""
    assert asked(np.append(OLD, 1e9), np.append(OLD + RNG.normal(0.0, 0.1, 400), 2e9))[1] == []


def test_right_or_wrong_and_equal_scores() -> None:
    marks = (OLD > 1.0).astype(np.float64)
    assert asked(marks, 1.0 - marks)[1] == asked(OLD.round(2), NEW.round(2))[1] == []
