"""Which way the pairs of a board are resampled, and what their p-values are made of."""

from typing import Any

import numpy as np
import pytest

from tellapart.boards.board import Board
from tellapart.boards.cluster_t_flips import cluster_flips
from tellapart.boards.family import Family, all_pairs, family_of
from tellapart.boards.joint_bootstrap import joint_bootstrap
from tellapart.boards.joint_flips import joint_flips
from tellapart.boards.joint_pvalues import LargestPvalues, joint_pvalues, parallel_joint_pvalues
from tellapart.choosing import boards as room
from tellapart.choosing.boards import Resampled, drawn_pairs, skewed_pairs
from tellapart.choosing.pairs import visibly_skewed
from tellapart.data.scores import Scores
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS


def family(table: Any, clusters: Any = None) -> tuple[Board, Family]:
    codes = None if clusters is None else np.asarray(clusters).tolist()
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=codes)
    board = Board.of(scores, METRICS.parse("mean"))
    return board, family_of(board, *all_pairs(len(table)))


def judged(table: Any, by: Any = "both", clusters: Any = None, resamples: int = 399) -> LargestPvalues:
    return Resampled(resamples, 20, (7, ())).pvalues(*family(table, clusters), by)


def one_risky(items: int = 60) -> Any:
    """Three systems of normal scores, and one that gains a little and fails on one item in twelve."""
    rng = np.random.default_rng(2)
    gains = np.where(rng.random(items) < 0.08, -3.0, 0.3)
    return np.vstack([0.2 * rng.standard_normal((3, items)) + np.array([[0.0], [0.1], [0.2]]), gains])


def two_in_ten(items: int = 200) -> Any:
    """Ten systems, two of which differ only in that one of them fails now and then."""
    table = np.random.default_rng(6).standard_normal((10, items))
    table[1] = table[0] + np.where(np.random.default_rng(7).random(items) < 0.06, -1.0, 0.1)
    return table


def test_each_way_is_the_one_asked_for() -> None:
    """Random signs alone, items drawn again alone, and the larger of both for the pair that is skewed."""
    board, pairs = family(two_in_ten())
    flips = joint_pvalues(joint_flips(pairs, 399, stream(7, 0)))
    drawn = joint_pvalues([joint_bootstrap(board, pairs, 399, stream(7, 3))])
    skewed = skewed_pairs(board, pairs)
    assert np.flatnonzero(skewed).tolist() == [0]
    for name in ("raw", "step_down", "single_step"):
        one, other = getattr(flips, name), getattr(drawn, name)
        assert getattr(judged(two_in_ten(), "flips"), name).tolist() == one.tolist()
        assert getattr(judged(two_in_ten(), "bootstrap"), name).tolist() == other.tolist()
        larger = np.where(skewed, np.maximum(one, other), one)
        assert getattr(judged(two_in_ten()), name).tolist() == larger.tolist()
        assert (one != other).any()


def test_as_many_skewed_pairs_as_one_system_has_are_reason_to_draw_for_all() -> None:
    """Three of six pairs: those of the one risky system. All six are then held to the larger p-value."""
    board, pairs = family(one_risky())
    assert skewed_pairs(board, pairs).tolist() == [False, False, True, False, True, True]
    assert drawn_pairs(board, pairs).all()
    found = judged(one_risky())
    one, other = (way.pvalues.step_down for way in found.ways)
    assert found.step_down.tolist() == np.maximum(one, other).tolist()
    board, pairs = family(one_risky()[[0, 1, 3]])
    fewer = family_of(board, np.array([0, 0]), np.array([1, 2]))
    assert drawn_pairs(board, fewer).tolist() == skewed_pairs(board, fewer).tolist() == [False, True]


def test_nothing_is_drawn_where_nothing_is_skewed() -> None:
    found = judged(np.random.default_rng(3).normal(size=(4, 200)))
    assert [way.resampled_by for way in found.ways] == ["flips"]


def test_right_or_wrong_is_swapped_alone() -> None:
    """However rarely a system is wrong: differences of −1, 0 and 1 are symmetric where systems are equal."""
    assert not skewed_pairs(*family((one_risky() > 0.0).astype(float))).any()
    assert not skewed_pairs(*family(5.0 * (one_risky() > 0.0))).any()
    three = np.array([0.0, 0.5, 1.0])[np.random.default_rng(1).choice(3, (3, 90), p=[0.03, 0.02, 0.95])]
    assert skewed_pairs(*family(three)).any()


def test_skewness_is_that_of_each_pair_on_what_it_shares() -> None:
    """By definition, pair by pair, with gaps too: items that a pair does not share are no zeros."""
    table = one_risky(80)
    # What 30 of 80 items show looks more skewed with zeros in the place of the others.
    table[1] = np.random.default_rng(3).gamma(10.0, size=80)
    table[0, :50] = np.nan
    board, pairs = family(table)
    expected = [
        bool(visibly_skewed((d := table[b] - table[a])[~np.isnan(d)]))
        for a, b in zip(pairs.places[0], pairs.places[1], strict=True)  # type: ignore[index]
    ]
    assert skewed_pairs(board, pairs).tolist() == expected
    assert len(set(expected)) == 2


def test_skewness_of_clusters_is_that_of_their_sums() -> None:
    """Items of a cluster are one unit: what is left of their sum when the mean is taken off."""
    codes = np.repeat(np.arange(20), 3)
    table = one_risky()
    board, pairs = family(table, codes)
    sums = np.array([[row[codes == c].sum() for c in range(20)] for row in table])
    expected = [bool(visibly_skewed(sums[b] - sums[a])) for a, b in zip(pairs.a, pairs.b, strict=True)]
    assert skewed_pairs(board, pairs).tolist() == expected
    assert any(expected)


def test_clusters_are_flipped_whole_and_studentised() -> None:
    codes = np.repeat(np.arange(18), [2] * 9 + [4] * 9)
    table = np.random.default_rng(4).normal(size=(3, 54)) + np.array([[0.0], [0.3], [0.9]])
    board, pairs = family(table, codes)
    found = judged(table, "flips", codes)
    own = parallel_joint_pvalues(cluster_flips(board, pairs, 399, stream(7, 0)))
    assert found.step_down.tolist() == own.step_down.tolist()
    assert found.step_down[1] < 0.05 < found.step_down[0]


def test_five_clusters_cannot_tell_anything_at_five_percent() -> None:
    """Their signs decide: of sixteen patterns, one is .0625."""
    table = np.vstack([np.zeros(20), np.linspace(0.9, 1.1, 20)])
    found = judged(table, clusters=np.repeat(np.arange(5), 4))
    assert found.first.exhaustive
    assert found.step_down.tolist() == [1 / 16]


def test_skewed_pairs_that_differ_on_five_items_are_not_told_apart() -> None:
    rng = np.random.default_rng(5)
    row = rng.normal(size=40)
    table = np.stack([row, row + 5.0 * (np.arange(40) < 5), row + 5.0 * (np.arange(40) < 8), rng.normal(size=40)])
    found = judged(table, resamples=999)
    assert found.ways[-1].decides[0]
    assert found.raw[0] == found.step_down[0] == 1.0
    assert found.raw[1] < 1.0


def test_too_many_items_are_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_UNITS", 60)
    assert skewed_pairs(*family(one_risky(60))).any()
    assert not skewed_pairs(*family(one_risky(61))).any()


def test_pairs_in_blocks_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = skewed_pairs(*family(one_risky())).tolist()
    monkeypatch.setattr(room, "HELD", 1)
    assert skewed_pairs(*family(one_risky())).tolist() == whole


@pytest.mark.parametrize(
    ("resamples", "needed", "items", "expected"),
    [(10_000, 20, 60, 10_000), (10_000, 20, 16_000, 1_999), (10_000, 5_000, 16_000, 5_000), (99, 20, 60, 99)],
)
def test_as_many_draws_as_can_be_afforded(resamples: int, needed: int, items: int, expected: int) -> None:
    """Within some billion products, but always as many as alpha needs and a p-value of .05 deserves."""
    board, pairs = family(np.zeros((45 if items > 99 else 4, items)) + np.arange(items))
    assert Resampled(resamples, needed, (0, ()))._affordable(board, pairs) == expected
