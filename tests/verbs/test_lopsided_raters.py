"""Raters of whom a few are far off to one side: what that does to the level, and that a comparison by few raters says so."""

from collections.abc import Callable

import numpy as np
import pytest

from tellapart import Ratings, compare
from tellapart.choosing.pairs import suited_to_raters
from tellapart.data.summaries.rater_samples import Crossed
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.verbs.compare.raters_and_votes.notes import FEW_RATERS

ITEMS, DRAWS = 30, 4_000
Law = Callable[[np.random.Generator, tuple[int, ...]], FloatArray]


def normal(rng: np.random.Generator, size: tuple[int, ...]) -> FloatArray:
    return rng.normal(size=size)


def lopsided(rng: np.random.Generator, size: tuple[int, ...]) -> FloatArray:
    """Exponential."""
    return rng.exponential(size=size) - 1.0


def size_of(raters: int, law: Law) -> float:
    """Equal systems that are called different, of raters whose differences follow `law`."""
    rng = np.random.default_rng(raters)
    differences = law(rng, (DRAWS, raters, 1)) + 0.5 * rng.normal(size=(DRAWS, 1, ITEMS))
    differences = differences + rng.normal(size=(DRAWS, raters, ITEMS))
    test = TESTS.parse(suited_to_raters(raters, ITEMS))
    return float(np.mean(rejects(test.apply(Crossed(differences, 1.0), stream(0)).pvalue, 0.05)))


@pytest.mark.parametrize("raters", [4, 8, FEW_RATERS - 1])
def test_the_note_is_true(raters: int) -> None:
    """About one in ten, where raters who lean to neither side are one in twenty."""
    assert 0.07 <= size_of(raters, lopsided) <= 0.13
    assert size_of(raters, normal) <= 0.06


def test_more_raters_need_no_note() -> None:
    assert size_of(2 * FEW_RATERS, lopsided) <= 0.08


@pytest.mark.parametrize("raters", [2, 5, 8, FEW_RATERS - 1, FEW_RATERS, 20])
@pytest.mark.parametrize("law", [normal, lopsided])
def test_few_raters_are_told_of(raters: int, law: Law) -> None:
    """Whatever the ratings look like: the few far off may be missing from them."""
    rng = np.random.default_rng(4)
    a = rng.normal(size=(raters, ITEMS))
    b = law(rng, (raters, 1)) + rng.normal(size=a.shape)
    notes = {note.code: note for note in compare(Ratings.from_arrays({"a": a, "b": b})).notes}
    assert ("few_raters" in notes) == (raters < FEW_RATERS)
    if raters < FEW_RATERS:
        assert f"{raters} raters (fewer than {FEW_RATERS})" in str(notes["few_raters"].text)
