"""`bent_pairs`: a board names the pairs on which influence, by which it is judged, misleads."""

import numpy as np
import pytest

from tellapart import Scores, rank
from tellapart.arrays import FloatArray

PARTS = ("hyp_len", "ref_len", "m1", "m2", "m3", "m4", "t1", "t2", "t3", "t4")


def segments(seed: int, items: int, ratio: float) -> FloatArray:
    """BLEU's counts, with hypotheses so many times as long as their references."""
    rng, words = np.random.default_rng(seed), np.random.default_rng(0).integers(8, 30, items)
    length = np.maximum(np.rint(words * ratio * rng.normal(1.0, 0.15, items)), 5.0)
    total = np.stack([length - order for order in range(4)], axis=-1)
    match = np.floor(total * rng.uniform(0.5, 0.7, (items, 1)) ** (1.0 + np.arange(4)))
    return np.column_stack([length, words, match, total])[:, np.newaxis]


@pytest.mark.parametrize("items", [120, 400])
def test_pairs_at_the_kink_are_named(items: int) -> None:
    """Hypotheses as long as their references stand at the kink of the brevity penalty; much longer ones do not."""
    lengths = {"even": 1.0, "as even": 1.001, "long": 1.4, "longer": 1.5}
    arrays = {
        name: segments(seed, items, ratio) for seed, (name, ratio) in enumerate(lengths.items(), start=1)
    }
    answer = rank(Scores.from_arrays(arrays, parts=PARTS), metric="bleu")
    (note,) = (one for one in answer.notes if one.code == "pairs_not_straight")
    named = {frozenset(pair) for pair in note.values["named"]}
    assert frozenset({"even", "as even"}) in named
    assert frozenset({"long", "longer"}) not in named
    straight = {name: arrays[name] for name in ("long", "longer")}
    codes = {one.code for one in rank(Scores.from_arrays(straight, parts=PARTS), metric="bleu").notes}
    assert "pairs_not_straight" not in codes
