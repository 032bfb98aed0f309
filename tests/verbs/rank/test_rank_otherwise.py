"""Pairs of a board that `compare` alone would decide otherwise are named."""

from typing import Any

import numpy as np
import pytest

from tellapart import Scores, rank
from tellapart.results.leaderboard import Leaderboard


def flags(seed: int, systems: int = 7, items: int = 150) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    hard = rng.normal(size=items)
    return {f"s{i}": (hard + rng.normal(size=items) < 0.3 * i).astype(float) for i in range(systems)}


def numbers(seed: int, systems: int = 5, items: int = 30) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    ease = rng.normal(size=items)
    return {f"s{i}": ease + rng.normal(size=items) + 0.2 * i for i in range(systems)}


def told(answer: Leaderboard) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The pairs that compare claims and the board does not, and the other way round, as the note has them."""
    found = [note.values for note in answer.notes if note.code == "alone_otherwise"]
    if not found:
        return set(), set()
    (values,) = found
    claimed, not_claimed = ({(a, b) for a, b in values[name]} for name in ("claimed", "not_claimed"))
    return claimed, not_claimed


def asked(
    values: dict[str, Any], answer: Leaderboard, clusters: list[int] | None = None
) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """The same, by asking about every pair alone: a board of two is compare's decision, and quicker than its whole answer."""
    claimed, not_claimed = set(), set()
    for pair in answer.pairs:
        two = Scores.from_arrays({name: values[name] for name in (pair.a, pair.b)}, clusters=clusters)
        alone = rank(two).pairs[0].significant
        if alone and not pair.significant:
            claimed.add((pair.a, pair.b))
        if pair.significant and not alone:
            not_claimed.add((pair.a, pair.b))
    return claimed, not_claimed


@pytest.mark.parametrize("make", [flags, numbers])
@pytest.mark.parametrize("seed", range(5))
def test_the_pairs_are_those_that_compare_decides_otherwise(make: Any, seed: int) -> None:
    """On right or wrong for all pairs; on numbers for all that are near alpha, which here are all that matter."""
    values = make(seed)
    answer = rank(Scores.from_arrays(values))
    assert told(answer) == asked(values, answer)


def test_some_boards_have_such_pairs() -> None:
    """A correction over many pairs leaves some undetermined that alone would be claimed."""
    claimed = [told(rank(Scores.from_arrays(flags(seed))))[0] for seed in range(5)]
    assert any(claimed)
    assert not all(claimed) or len({len(pairs) for pairs in claimed}) > 1


def test_a_board_that_claims_more_than_compare() -> None:
    """Uncorrected flips against a test that also asks an interval: what only the board claims is named too."""
    rng = np.random.default_rng(0)
    found = set()
    for _ in range(25):
        base = rng.normal(size=14)
        values = {"a": base, "b": base + rng.lognormal(0.0, 1.0, 14) - 0.85, "c": base + rng.normal(size=14)}
        answer = rank(Scores.from_arrays(values), correction="none")
        assert told(answer) == asked(values, answer)
        found |= told(answer)[1]
    assert found


def test_with_clusters_and_gaps() -> None:
    """The pairs are compared on what they share, and by clusters where there are some."""
    values, clusters = numbers(3, items=60), np.repeat(np.arange(12), 5).tolist()
    answer = rank(Scores.from_arrays(values, clusters=clusters))
    assert told(answer) == asked(values, answer, clusters)
    values["s1"][:7] = np.nan
    gappy = Scores.from_arrays(values)
    pairs = told(rank(gappy, missing="pairwise"))
    assert all(len(side) < 10 for side in pairs)


def test_what_was_checked_is_said() -> None:
    """The one test behind all pairs, or none where each has the test that suits it; all numbers without chance are settled."""
    boards = [rank(Scores.from_arrays(flags(seed))) for seed in range(5)]
    found = [n.values for board in boards for n in board.notes if n.code == "alone_otherwise"]
    assert {(values["test"], values["unknown"]) for values in found} == {("mcnemar(variant=mid_p)", 0)}
    many = rank(Scores.from_arrays(numbers(1, systems=20)), resamples=999)
    (values,) = (n.values for n in many.notes if n.code == "alone_otherwise")
    assert (values["test"], values["unknown"]) == (None, 0)


@pytest.mark.parametrize("clusters", [4, 5, 6, 9, 20])
@pytest.mark.parametrize("seed", range(3))
def test_few_clusters_claim_what_compare_does(seed: int, clusters: int) -> None:
    """Five clusters cannot reach 0.05 by their signs, whatever cluster t says of them: pairs were called different."""
    values, codes = numbers(seed, systems=4, items=8 * clusters), np.repeat(np.arange(clusters), 8).tolist()
    answer = rank(Scores.from_arrays(values, clusters=codes))
    assert told(answer) == asked(values, answer, codes)


@pytest.mark.parametrize("items", [5, 6, 8, 12, 40])
def test_few_items_claim_what_compare_does(items: int) -> None:
    """Five items give no p-value below .0625, whatever Student's t says of them."""
    rng = np.random.default_rng(items)
    base = rng.normal(size=items)
    values = {f"s{i}": base + i + rng.normal(0.0, 0.3, items) for i in range(3)}
    answer = rank(Scores.from_arrays(values))
    assert told(answer) == asked(values, answer)


@pytest.mark.parametrize("step", [0.5, 0.1])
def test_a_constant_difference_is_claimed_by_both(step: float) -> None:
    """The same on every item has no spread for t, and compare claims it at p = 2⁻⁷⁹."""
    rng = np.random.default_rng(7)
    base = rng.normal(size=80).round(2)
    values = {"a": base, "b": base + step, "c": base + rng.normal(size=80)}
    answer = rank(Scores.from_arrays(values))
    assert told(answer) == asked(values, answer)
    assert ("a", "b") not in told(answer)[1]


def test_ratings_that_would_be_drawn_again_are_counted_and_not_named() -> None:
    """Of many pairs the nearest to alpha are run, and the others may be decided otherwise."""
    rng = np.random.default_rng(3)
    values = {f"s{i}": np.clip(np.rint(rng.normal(3.0 + 0.05 * i, 1.0, 120)), 1, 5) for i in range(14)}
    answer = rank(Scores.from_arrays(values))
    (said,) = (n.values for n in answer.notes if n.code == "alone_otherwise")
    named, truly = told(answer)[0], asked(values, answer)[0]
    assert named <= truly
    assert len(truly) - len(named) <= said["unknown"]
    assert said["unknown"] > 0


def test_a_system_of_another_size_coarsens_no_other_pair() -> None:
    """Float noise is judged beside the scores of a pair, not beside the largest of the board."""
    values = numbers(4, systems=4, items=30)
    values["large"] = 1e13 * values["s0"]
    answer = rank(Scores.from_arrays(values))
    assert told(answer) == asked(values, answer)


def test_runs_that_agree_are_no_right_or_wrong_answers() -> None:
    """Averaged runs of 0 and 1 are numbers to compare: McNemar's test is for items that were run once."""
    rng = np.random.default_rng(11)
    wrong = rng.random((4, 30)) < np.array([0.2, 0.35, 0.5, 0.65])[:, np.newaxis]
    values = {f"s{i}": np.repeat(1.0 - row[:, np.newaxis], 2, axis=1) for i, row in enumerate(wrong)}
    answer = rank(Scores.from_arrays(values))
    assert told(answer) == asked(values, answer)
