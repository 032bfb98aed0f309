"""Ranks, tiers and letters from decisions."""

import itertools
from typing import Any

import numpy as np
import pytest

from tellapart.boards.standings import compact_letters, rank_sets, ranks, tiers

Matrix = np.ndarray[Any, Any]


def decisions(systems: int, *claims: tuple[int, int]) -> Matrix:
    better = np.zeros((systems, systems), dtype=bool)
    for one, other in claims:
        better[one, other] = True
    return better


def random_decisions(seed: int, systems: int = 8) -> Matrix:
    """Significant pairs of systems sorted by mean: a claim always points down."""
    rng = np.random.default_rng(seed)
    return np.triu(rng.random((systems, systems)) < 0.4, 1)


def test_nothing_significant() -> None:
    """Without a decision every system can have every rank and there is one tier."""
    low, high = rank_sets(decisions(4))
    assert low.tolist() == [1] * 4
    assert high.tolist() == [4] * 4
    assert tiers(decisions(4)).tolist() == [1] * 4


def test_everything_significant() -> None:
    """A total order leaves one rank and one tier each."""
    better = np.triu(np.ones((4, 4), dtype=bool), 1)
    low, high = rank_sets(better)
    assert low.tolist() == high.tolist() == tiers(better).tolist() == [1, 2, 3, 4]


def test_tiers_are_not_cut_between_near_equals() -> None:
    """B lies between A and C: only A beats C, so A and B share the first tier and C has the second."""
    assert tiers(decisions(3, (0, 2))).tolist() == [1, 1, 2]


def test_tier_counts_the_longest_chain() -> None:
    """A beats B and B beats C: C is in the third tier although A and C were not told apart."""
    assert tiers(decisions(3, (0, 1), (1, 2))).tolist() == [1, 2, 3]


def test_circles_share_a_tier() -> None:
    """Pairs judged on different items can beat each other in a circle; none of these is above the others."""
    assert tiers(decisions(5, (0, 1), (1, 2), (2, 0), (3, 0), (2, 4))).tolist() == [2, 2, 2, 1, 3]


@pytest.mark.parametrize("seed", range(10))
def test_a_tier_follows_from_the_ones_above(seed: int) -> None:
    """Every system is one tier below the lowest-placed of those significantly better."""
    better = random_decisions(seed)
    tier = tiers(better)
    for k in range(8):
        above = [tier[j] for j in range(8) if better[j, k]]
        assert tier[k] == 1 + max(above, default=0)
    assert ((tier == 1) == (rank_sets(better)[0] == 1)).all()


def test_batch_equals_loop() -> None:
    """Many leaderboards at once."""
    batch = np.stack([random_decisions(seed) for seed in range(5)])
    means = np.random.default_rng(9).integers(0, 5, (5, 8)).astype(float)
    low, high = rank_sets(batch)
    for place, alone in enumerate(batch):
        np.testing.assert_array_equal(tiers(batch)[place], tiers(alone))
        np.testing.assert_array_equal(low[place], rank_sets(alone)[0])
        np.testing.assert_array_equal(high[place], rank_sets(alone)[1])
        np.testing.assert_array_equal(ranks(means)[place], ranks(means[place]))


def test_long_chains_and_long_circles() -> None:
    """Nine systems in a chain have nine tiers; nine in a circle have one, and what they all beat has the next."""
    chain = decisions(9, *[(i, i + 1) for i in range(8)])
    assert tiers(chain).tolist() == list(range(1, 10))
    circle = decisions(10, *[(i, (i + 1) % 9) for i in range(9)], (4, 9))
    assert tiers(circle).tolist() == [1] * 9 + [2]


def test_ranks_share_ties() -> None:
    """1 + the number of systems strictly better, in either direction."""
    means = np.array([0.3, 0.5, 0.5, 0.1])
    assert ranks(means).tolist() == [3, 1, 1, 4]
    assert ranks(means, lower_is_better=True).tolist() == [2, 3, 3, 1]


@pytest.mark.parametrize("seed", range(20))
def test_letters_say_exactly_the_decisions(seed: int) -> None:
    """Two systems share a letter if and only if they are not told apart."""
    apart = random_decisions(seed) | random_decisions(seed).T
    letters = compact_letters(apart)
    for i, j in itertools.combinations(range(8), 2):
        assert bool(set(letters[i]) & set(letters[j])) != bool(apart[i, j])
    met = list(dict.fromkeys("".join(letters)))
    assert met == sorted(met), "new letters come in their order from the top down"


@pytest.mark.parametrize("seed", range(5))
def test_letters_are_the_largest_groups(seed: int) -> None:
    """As many letters as there are maximal groups without a significant pair, found by trying all subsets."""
    apart = random_decisions(seed) | random_decisions(seed).T
    free = [
        set(group)
        for size in range(1, 9)
        for group in itertools.combinations(range(8), size)
        if not any(apart[i, j] for i, j in itertools.combinations(group, 2))
    ]
    largest = [group for group in free if not any(group < other for other in free)]
    letters = compact_letters(apart)
    assert len(set("".join(letters))) == len(largest)


def test_letters_start_at_the_top() -> None:
    """The best system has the letter a, and a clean order has one letter each."""
    assert compact_letters(np.triu(np.ones((3, 3), dtype=bool), 1)) == ("a", "b", "c")
    assert compact_letters(decisions(3, (0, 2))) == ("a", "ab", "b")


def test_many_letters_stay_readable() -> None:
    """More groups than letters get numbered names with spaces between."""
    letters = compact_letters(np.triu(np.ones((60, 60), dtype=bool), 2))
    assert letters[0] == "a"
    assert letters[-1].startswith("g1")
    assert len(set(letters)) == 60


def test_letters_when_groups_are_beyond_counting() -> None:
    """Decisions with exponentially many largest groups still get letters that say exactly the decisions."""
    apart = decisions(41, *[(2 * i, 2 * i + 1) for i in range(20)], *[(i, 40) for i in range(40)])
    letters = [set(names) for names in compact_letters(apart)]
    for i, j in itertools.combinations(range(41), 2):
        assert bool(letters[i] & letters[j]) != bool(apart[i, j])
    assert letters[40]
    assert len(set().union(*letters)) <= 52


@pytest.mark.parametrize("systems", [1, 2, 3, 5, 7, 8, 15])
def test_circles_of_any_length(systems: int) -> None:
    """Every system leads to every other, the last one through all of them."""
    circle = decisions(systems, *[(i, (i + 1) % systems) for i in range(systems) if systems > 1])
    assert tiers(circle).tolist() == [1] * systems


def test_better_means_higher_unless_said_otherwise() -> None:
    """Without a word the largest mean has rank 1."""
    assert ranks(np.array([0.1, 0.9])).tolist() == [2, 1]


def test_exactly_as_many_letters_as_there_are() -> None:
    """52 groups have one letter each, written side by side; a 53rd needs names that are written apart."""
    letters = compact_letters(np.triu(np.ones((53, 53), dtype=bool), 2))
    assert letters[:3] == ("a", "ab", "bc")
    assert letters[-1] == "Z"
    assert compact_letters(np.triu(np.ones((54, 54), dtype=bool), 2))[1] == "a b"


def test_covering_groups_leave_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only some groups are looked for, a system that is told from all others has a letter of its own all the same."""
    monkeypatch.setattr("tellapart.boards.standings.MOST_GROUPS", 0)
    assert compact_letters(decisions(4, (0, 1), (0, 2), (0, 3), (1, 3))) == ("a", "b", "bc", "c")
    for seed in range(10):
        apart = random_decisions(seed) | random_decisions(seed).T
        letters = compact_letters(apart)
        assert all(letters)
        for i, j in itertools.combinations(range(8), 2):
            assert bool(set(letters[i]) & set(letters[j])) != bool(apart[i, j])
