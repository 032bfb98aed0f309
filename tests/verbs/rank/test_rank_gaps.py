"""Leaderboards of systems that are scored on different items."""

from typing import Any

import numpy as np
import pytest

from tellapart.answers.leaderboard import Leaderboard
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ItemMismatch, TooFew
from tellapart.verbs.rank import rank


def ranked(values: dict[str, Any], **options: Any) -> Leaderboard:
    return rank(Scores.from_arrays(values), **{"resamples": 999, "missing": "pairwise", **options})


def easy_half() -> dict[str, Any]:
    """Four systems, each better than the one before; the worst is scored on the easy half of the items only."""
    rng = np.random.default_rng(0)
    items = rng.normal(size=200) + np.where(np.arange(200) < 100, 5.0, 0.0)
    rows = {f"s{i}": items + 0.3 * rng.normal(size=200) + 0.3 * i for i in range(4)}
    rows["s0"][100:] = np.nan
    return rows


def test_easy_items_are_no_merit() -> None:
    """A system that was only scored on easy items has the best mean and the last rank, because ranks compare what is shared."""
    board = ranked(easy_half())
    assert [s.name for s in board.systems] == ["s3", "s2", "s1", "s0"]
    assert max(board.systems, key=lambda s: s.mean).name == "s0"
    assert [(s.rank, s.rank_low, s.rank_high, s.tier) for s in board.systems] == [(i, i, i, i) for i in range(1, 5)]
    assert [s.may_be_best for s in board.systems] == [True, False, False, False]
    assert board.neighbours_told_apart == 3
    assert [s.items for s in board.systems] == [200, 200, 200, 100]


@pytest.mark.parametrize("baseline", [None, "s0", "s2"])
@pytest.mark.parametrize("seed", range(5))
def test_a_rank_lies_in_its_range(seed: int, baseline: str | None) -> None:
    """Whatever is missing, the rank is among those that are not excluded."""
    rng = np.random.default_rng(seed)
    rows = {
        f"s{i}": np.where(rng.random(50) < 0.3, np.nan, rng.normal(size=50) + 0.4 * i + 2.0 * (np.arange(50) < 25))
        for i in range(5)
    }
    board = ranked(rows, baseline=baseline)
    assert all(s.rank_low <= s.rank <= s.rank_high for s in board.systems)
    assert [s.rank for s in board.systems] == sorted(s.rank for s in board.systems)


def test_systems_that_beat_each_other_in_a_circle() -> None:
    """Pairs judged on different items may contradict each other; then nobody is called the best."""
    a, b, c = (np.full(90, np.nan) for _ in range(3))
    a[:60], b[:30], c[30:60] = 0.0, 1.0, -1.0
    b[60:], c[60:] = 0.0, 1.0
    board = ranked({"a": a, "b": b, "c": c})
    assert all(p.significant for p in board.pairs)
    assert {s.tier for s in board.systems} == {1}
    assert not any(s.may_be_best for s in board.systems)
    assert "contradict" in board.sentence


def test_a_system_without_scores() -> None:
    """One item, or none, can be compared with nothing: the system is named, with the way out."""
    rows = easy_half() | {"empty": np.full(200, np.nan)}
    with pytest.raises(ItemMismatch, match=r"'empty': scored on fewer than two items.*missing='drop'"):
        ranked(rows)
    left_out = [note.values for note in ranked(rows, missing="drop").notes if note.code == "system_left_out"]
    assert left_out == [{"system": "s0", "lacking": 0.5}, {"system": "empty", "lacking": 1.0}]


@pytest.mark.parametrize("missing", ["error", "drop", "pairwise"])
def test_no_scores_at_all(missing: str) -> None:
    """A table of blanks says so."""
    with pytest.raises(TooFew, match="none of the 5 items"):
        ranked({"a": np.full(5, np.nan), "b": np.full(5, np.nan)}, missing=missing)


def test_a_dataset_that_a_system_skipped_on_another_scale() -> None:
    """Standardising copes with a system that has nothing on a dataset, and a dataset without pairs is named."""
    rng = np.random.default_rng(1)
    homes = [name for name in ("ratings", "accuracy", "share") for _ in range(20)]
    unit = np.where(np.arange(60) < 20, 10.0, 1.0)
    rows = {f"s{i}": rng.random(60) * unit for i in range(3)}
    rows["s0"][20:40] = np.nan
    scores = Scores.from_arrays(rows, datasets=homes)
    board = rank(scores, missing="pairwise", datasets=True, resamples=999)
    assert board.datasets is not None
    assert board.datasets.unit == "standardised"
    assert {d.name: len(d.systems) for d in board.datasets.within} == {
        "accuracy": 2,
        "ratings": 3,
        "share": 3,
    }
    rows["s1"][20:40] = np.nan
    board = rank(Scores.from_arrays(rows, datasets=homes), missing="pairwise", datasets=True, resamples=999)
    assert board.datasets is not None
    assert board.datasets.left_out == ("accuracy",)
    assert [note.values for note in board.notes if note.code == "datasets_left_out"] == [{"datasets": ["accuracy"]}]
