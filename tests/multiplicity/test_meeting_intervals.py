"""No page says "not told apart" of two systems whose simultaneous intervals leave a gap."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart import Scores, rank
from tellapart.answers.leaderboard import Leaderboard
from tellapart.boards.simultaneous_intervals import meeting


def boards(seed: int) -> tuple[Scores, dict[str, Any]]:
    """A board of some kind: right or wrong, ratings, numbers; few items or many, clusters, gaps, another correction."""
    rng = np.random.default_rng(seed)
    systems, items = int(rng.integers(3, 7)), int(rng.choice([3, 5, 8, 20, 60]))
    kind, ahead = rng.integers(4), rng.choice([0.0, 0.3, 2.0]) * rng.random((systems, 1))
    values = rng.standard_normal((systems, items)) * rng.choice([0.01, 1.0], (systems, 1)) + 3.0 * ahead
    if kind == 0:
        values = (rng.random((systems, items)) < np.clip(ahead, 0.02, 0.98)).astype(float)
    elif kind == 1:
        values = np.clip(np.rint(values + 4.0), 1.0, 5.0)
    elif kind == 2:
        values[0] = 7.0
    options: dict[str, Any] = {"resamples": 199, "seed": seed}
    if rng.random() < 0.3:
        options["correction"] = str(
            rng.choice(["bonferroni", "by", "max_t(resampling=bootstrap)", "max_t(steps=single)"])
        )
    if rng.random() < 0.2:
        options["baseline"] = "s1"
    if rng.random() < 0.25 and items >= 8:
        values[0, :2], values[1, -2:], options["missing"] = np.nan, np.nan, "pairwise"
    clusters = (np.arange(items) // int(rng.integers(1, 3))).tolist() if rng.random() < 0.4 else None
    return Scores.from_arrays({f"s{i}": row for i, row in enumerate(values)}, clusters=clusters), options


def contradictions(answer: Leaderboard) -> list[tuple[str, str]]:
    at = {system.name: system for system in answer.systems}
    return [
        (pair.a, pair.b)
        for pair in answer.pairs
        if not pair.significant and max(at[pair.a].low, at[pair.b].low) > min(at[pair.a].high, at[pair.b].high)
    ]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_intervals_and_pairs_agree(seed: int) -> None:
    """Whatever the board and however it is judged: systems that are not told apart have intervals that meet."""
    scores, options = boards(seed)
    assert contradictions(rank(scores, **options)) == []


def test_widened_intervals_are_named() -> None:
    """Five items cannot tell anything apart by signs, and intervals as narrow as these are widened, which is said."""
    rng = np.random.default_rng(0)
    values = {f"s{i}": float(i) + 0.001 * rng.standard_normal(5) for i in range(3)}
    answer = rank(Scores.from_arrays(values))
    assert not any(pair.significant for pair in answer.pairs)
    (note,) = (note for note in answer.notes if note.code == "intervals_widened")
    assert set(note.values["systems"]) == {"s0", "s1", "s2"}
    assert contradictions(answer) == []


def test_nothing_is_widened_for_nothing() -> None:
    """Pairs that are told apart, and intervals that meet, leave bounds as they are."""
    low, high = np.array([0.0, 2.0, 5.0]), np.array([1.0, 3.0, 6.0])
    none = np.zeros(0, dtype=np.int64)
    for a, b in ((none, none), (np.array([0]), np.array([0]))):
        np.testing.assert_array_equal(meeting(low, high, a, b), (low, high))
    wider_low, wider_high = meeting(low, high, np.array([0, 2]), np.array([1, 0]))
    assert wider_low.tolist() == [0.0, 1.5, 3.0]
    assert wider_high.tolist() == [3.0, 3.0, 6.0]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_order_does_not_matter(sign: float) -> None:
    """Which of a pair is called A changes nothing."""
    rng = np.random.default_rng(1)
    low = sign * rng.random(6)
    high = low + 0.05
    a, b = np.triu_indices(6, 1)
    np.testing.assert_array_equal(meeting(low, high, a, b), meeting(low, high, b, a))
