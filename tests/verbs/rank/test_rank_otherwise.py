"""Pairs of a board that `compare` alone would decide otherwise are named."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, rank
from tellapart.results.leaderboard import Leaderboard

Sides = tuple[set[tuple[str, str]], set[tuple[str, str]]]


def flags(seed: int, systems: int = 7, items: int = 150) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=items)
    return {f"s{i}": (hard + rng.normal(size=items) < 0.3 * i).astype(float) for i in range(systems)}


def numbers(seed: int, systems: int = 5, items: int = 100) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=items)
    return {f"s{i}": ease + rng.normal(size=items) + 0.15 * i for i in range(systems)}


def told(answer: Leaderboard) -> Sides:
    """The pairs that compare claims and the board does not, and the other way round, as the note has them."""
    found = [note.values for note in answer.notes if note.code == "alone_otherwise"]
    if not found:
        return set(), set()
    (values,) = found
    claimed, not_claimed = ({(a, b) for a, b in values[name]} for name in ("claimed", "not_claimed"))
    return claimed, not_claimed


def otherwise(answer: Leaderboard, alone: Any) -> Sides:
    """The same, from the p-value that each pair has alone."""
    claims = {(pair.a, pair.b): alone(pair.a, pair.b) <= 0.05 for pair in answer.pairs}
    board = {(pair.a, pair.b) for pair in answer.pairs if pair.significant}
    alone_claimed = {pair for pair, claimed in claims.items() if claimed}
    return alone_claimed - board, board - alone_claimed


@pytest.mark.parametrize("seed", range(5))
def test_right_or_wrong_is_decided_by_mcnemars_mid_p(seed: int) -> None:
    values = flags(seed)

    def mid_p(a: str, b: str) -> float:
        wins, losses = int((values[b] > values[a]).sum()), int((values[a] > values[b]).sum())
        law = stats.binom(wins + losses, 0.5)
        return float(min(1.0, 2.0 * law.cdf(min(wins, losses)) - law.pmf(min(wins, losses))))

    answer = rank(Scores.from_arrays(values))
    assert told(answer) == otherwise(answer, mid_p)


@pytest.mark.parametrize("seed", range(5))
def test_numbers_are_decided_by_students_t(seed: int) -> None:
    """Whose differences are not visibly skewed."""
    values = numbers(seed)
    answer = rank(Scores.from_arrays(values))
    assert "skewed_pairs" not in {note.code for note in answer.notes}
    expected = otherwise(answer, lambda a, b: float(stats.ttest_rel(values[b], values[a]).pvalue))
    assert told(answer) == expected


def test_some_boards_have_such_pairs() -> None:
    """A correction over many pairs leaves some undetermined that alone would be claimed."""
    for make in (flags, numbers):
        claimed = [told(rank(Scores.from_arrays(make(seed))))[0] for seed in range(5)]
        assert any(claimed)
        assert len({len(pairs) for pairs in claimed}) > 1


def test_skewed_pairs_are_claimed_only_where_items_drawn_again_agree() -> None:
    """Rare failures of one system: t alone would claim more of its pairs than the note does."""
    more = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        values = {f"s{i}": 0.1 * rng.normal(size=40) for i in range(3)}
        values["risky"] = np.where(rng.random(40) < 0.06, -1.5, 0.1) + 0.05 * rng.normal(size=40)
        answer = rank(Scores.from_arrays(values), correction="none", resamples=999)
        by_t = otherwise(answer, lambda a, b: float(stats.ttest_rel(values[b], values[a]).pvalue))  # noqa: B023
        assert told(answer)[0] <= by_t[0]
        more += len(by_t[0] - told(answer)[0])
    assert more > 0


def test_a_board_that_claims_more_than_t() -> None:
    """Uncorrected flips of few items: what only the board claims is named too."""
    found: set[tuple[str, str]] = set()
    for seed in range(40):
        answer = rank(Scores.from_arrays(numbers(seed, items=8)), correction="none")
        found |= told(answer)[1]
    assert found


def test_with_clusters_and_gaps() -> None:
    """The pairs are compared on what they share, and by clusters where there are some."""
    values, clusters = numbers(3, items=60), np.repeat(np.arange(12), 5)
    answer = rank(Scores.from_arrays(values, clusters=clusters.tolist()))

    def by_cluster(a: str, b: str) -> float:
        means = (values[b] - values[a]).reshape(12, 5).mean(axis=1)
        return float(stats.ttest_1samp(means, 0.0).pvalue)

    if "skewed_pairs" not in {note.code for note in answer.notes}:
        assert told(answer) == otherwise(answer, by_cluster)
    values["s1"][:7] = np.nan
    gappy = rank(Scores.from_arrays(values), missing="pairwise")

    def shared(a: str, b: str) -> float:
        return float(stats.ttest_rel(values[b], values[a], nan_policy="omit").pvalue)

    assert told(gappy) == otherwise(gappy, shared)


def test_what_was_checked_is_said() -> None:
    """The one test behind all pairs, or none where each has the test that suits it; nothing where one way to resample was named."""
    for make, test in ((flags, "mcnemar(variant=mid_p)"), (numbers, None)):
        boards = [rank(Scores.from_arrays(make(seed))) for seed in range(5)]
        found = [n.values for board in boards for n in board.notes if n.code == "alone_otherwise"]
        assert {values["test"] for values in found} == {test}
    named = rank(Scores.from_arrays(numbers(1)), correction="max_t(resampling=flips)")
    assert told(named) == (set(), set())


@pytest.mark.parametrize("step", [0.5, 0.1])
def test_a_constant_difference_is_claimed_by_both(step: float) -> None:
    """The same on every item has no spread for t, and compare claims it at p = 2⁻⁷⁹."""
    rng = np.random.default_rng(7)
    base = rng.normal(size=80).round(2)
    values = {"a": base, "b": base + step, "c": base + rng.normal(size=80)}
    assert ("a", "b") not in told(rank(Scores.from_arrays(values)))[1]
