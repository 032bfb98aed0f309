"""Raters of whom a few lie far off to one side: a comparison says what that does to its level."""

import numpy as np
import pytest

from tellapart import Ratings, compare


def rated(raters: list[float]) -> Ratings:
    rng = np.random.default_rng(4)
    a = 0.2 * rng.normal(size=(len(raters), 30))
    b = np.array(raters)[:, None] + 0.2 * rng.normal(size=a.shape)
    return Ratings.from_arrays({"a": a, "b": b})


@pytest.mark.parametrize(
    ("raters", "noted"),
    [
        ([0.0, 0.1, 0.0, -0.1, 0.1, 0.0, 0.0, 2.0], True),
        ([0.0, 0.1, 0.0, -0.1, 0.1, 0.0, 0.0, -2.0], True),
        ([-0.7, -0.4, -0.2, 0.0, 0.1, 0.2, 0.5, 0.6], False),
        ([0.0, 0.1, -0.1, 2.0], False),
        ([0.0, 0.1] * 8 + [2.0], False),
    ],
)
def test_raters_who_lean_are_told_of(raters: list[float], noted: bool) -> None:
    """From 6 to 15 of them, to either side; fewer are judged by a rule that allows for it."""
    answer = compare(rated(raters))
    found = [note for note in answer.notes if note.code == "raters_lean"]
    assert bool(found) is noted
    if noted:
        assert found[0].values["raters"] == len(raters)
        assert np.sign(found[0].values["skewness"]) == np.sign(raters[-1])
