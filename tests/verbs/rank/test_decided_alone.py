"""How much of a large board is looked at for what `compare` would decide of its pairs alone."""

import numpy as np
import pytest

from tellapart import rank
from tellapart.multiplicity.family import Family, all_pairs
from tellapart.verbs.rank import decided_alone
from tellapart.verbs.rank.decided_alone import MANY, MOST_IN_FULL, _many_differ, _within


@pytest.mark.parametrize(
    ("scores", "looked_at"), [(1 << 24, 40), (1_900, 19), (10, MOST_IN_FULL), (0, MOST_IN_FULL)]
)
def test_of_a_large_board_the_pairs_nearest_to_alpha_are_looked_at(scores: int, looked_at: int) -> None:
    """As many as have so many scores, and never fewer than are run in full anyway."""
    near, far = _within(scores, np.arange(40), 100)
    assert near.tolist() == list(range(looked_at))
    assert far.tolist() == list(range(looked_at, 40))


def test_pairs_left_out_of_a_look_are_counted_and_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are too many scores to look at."""
    rng = np.random.default_rng(4)
    board = {f"s{k}": rng.normal(0.06 * k, 1.0, 40) for k in range(12)}
    monkeypatch.setattr(decided_alone, "MOST_IN_FULL", 1)
    whole = [note.values["unknown"] for note in rank(board).notes if note.code == "alone_otherwise"]
    monkeypatch.setattr(decided_alone, "LOOKED_AT", 0)
    (cut,) = [note.values["unknown"] for note in rank(board).notes if note.code == "alone_otherwise"]
    assert sum(whole) < cut


@pytest.mark.parametrize("held", [1, 1 << 20])
def test_how_many_differ_is_counted_on_the_first_items(monkeypatch: pytest.MonkeyPatch, held: int) -> None:
    """However many pairs are held at once: a pair that differs later is not seen to."""
    monkeypatch.setattr(decided_alone, "HELD", held)
    columns = np.zeros((3, 2_000))
    columns[1, :MANY], columns[2, -MANY * 4 :] = 1.0, 1.0
    a, b = all_pairs(3)
    family = Family(columns, a, b, np.zeros(3))
    assert _many_differ(family, np.arange(3)).tolist() == [True, False, True]
    assert _many_differ(family, np.arange(0)).tolist() == []
