"""|t| of every pair under flips of whole clusters: as the cluster t test has it on flipped scores, and what rounding does to it."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tellapart.boards.board import Board
from tellapart.boards.cluster_t_flips import ClusterFlips, Clusters
from tellapart.boards.family import Family, all_pairs, family_of
from tellapart.boards.joint_flips import joint_flips
from tellapart.data.scores import Scores
from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS

Table = np.ndarray[Any, Any]
UNEVEN, EVEN = (1, 2, 4, 9, 3), (3, 3, 3, 3, 3)


def board(table: Table, sizes: tuple[int, ...] | None) -> Board:
    codes = None if sizes is None else np.repeat(np.arange(len(sizes)), sizes).tolist()
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=codes)
    return Board.of(scores, METRICS.parse("mean"))


def drawn(systems: int, items: int, seed: int = 0) -> Table:
    return np.random.default_rng(seed).normal(size=(systems, items)) + np.arange(systems)[:, np.newaxis]


def flipped(table: Table, sizes: tuple[int, ...]) -> tuple[Clusters, ClusterFlips]:
    where = board(table, sizes)
    clusters = Clusters.of(where, family_of(where, *all_pairs(len(table))))
    (block,) = joint_flips(clusters.both, 10_000, stream(0))
    return clusters, clusters.flipped(block)


@pytest.mark.parametrize("sizes", [UNEVEN, EVEN])
def test_every_flip_by_definition(sizes: tuple[int, ...]) -> None:
    """The statistic of the cluster t test on differences of which whole clusters were turned, all 16 ways."""
    table = drawn(3, sum(sizes))
    _, found = flipped(table, sizes)
    codes = np.repeat(np.arange(5), sizes)
    test = TESTS.parse("cluster_t(variance=cr2)")
    a, b = all_pairs(3)
    turned = np.array(list(itertools.product([1.0, -1.0], repeat=5)))[:16]
    expected = np.array(
        [
            [abs(float(test.apply(Differences(signs[codes] * d, codes), stream(0)).statistic)) for signs in turned]
            for d in table[b] - table[a]
        ]
    )
    assert (found.resamples, found.exhaustive) == (15, True)
    np.testing.assert_allclose(found.observed, expected[:, 0], rtol=1e-9)
    for row, one in zip(found.rows(np.arange(3)), expected, strict=True):
        np.testing.assert_allclose(np.sort(row), np.sort(one[1:]), rtol=1e-9)
    backwards = [row.copy() for row in found.rows(np.array([2, 1, 0]))]
    np.testing.assert_allclose(backwards[::-1], list(found.rows(np.arange(3))), rtol=0.0)


def test_sums_over_clusters_by_definition() -> None:
    """Σ w·d², Σ w·n² and the items of each pair, with the weights of CR2."""
    table = drawn(3, 19)
    clusters, _ = flipped(table, UNEVEN)
    sizes = np.array(UNEVEN, dtype=float)
    weights = 19.0 / (19.0 - sizes)
    starts = np.r_[0, np.cumsum(UNEVEN)[:-1]]
    d = np.add.reduceat(table[[1, 2, 2]] - table[[0, 0, 1]], starts, axis=1)
    np.testing.assert_allclose(np.sort(clusters.weights), np.tile(np.sort(weights), (3, 1)), rtol=1e-12)
    np.testing.assert_allclose(clusters.squares, (weights * d**2).sum(axis=1), rtol=1e-10)
    np.testing.assert_allclose(clusters.lengths, np.full(3, (weights * sizes**2).sum()), rtol=1e-12)
    assert clusters.items.tolist() == [19.0] * 3


def test_pairs_that_never_differ_or_never_vary() -> None:
    """Equal systems have t = 0 in every flip; a constant lead has an infinite t where no sign is turned, or all are."""
    base = drawn(1, 15)[0]
    _, found = flipped(np.stack([base, base + 1.0, base]), EVEN)
    assert found.observed.tolist() == [np.inf, 0.0, np.inf]
    led, same, _ = found.rows(np.arange(3))
    assert same.tolist() == [0.0] * 15
    assert np.isfinite(led).all()
    assert (led > 0.0).all()


def test_a_lead_of_nothing_has_no_t() -> None:
    """Sums that cancel but for rounding are 0, observed and in flips: 0.1 + 0.2 − 0.3 is no difference."""
    table = np.array([[0.0] * 6, [0.1, 0.1, 0.2, 0.2, -0.3, -0.3]])
    _, found = flipped(table, (2, 2, 2))
    assert found.observed.tolist() == [0.0]
    (row,) = found.rows(np.array([0]))
    assert np.sort(row)[0] > 0.0


def by_fractions(d: list[Fraction]) -> float:
    """|t| of cluster sums of one item each, exactly: Σd / √(Σ w (d − m)²) with w = n / (n − 1)."""
    n, total = len(d), sum(d, Fraction())
    squares = Fraction(n, n - 1) * sum((x - total / n) ** 2 for x in d)
    return float(abs(total)) / math.sqrt(squares)


@pytest.mark.parametrize("far", [0.5, 3.0, 30.0, 300.0])
def test_rounding_stays_within_the_scale(far: float) -> None:
    """What is left of the squares at a large t carries the rounding of all: |t| is off by less than its scale allows."""
    worst = 0.0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        row = rng.normal(size=8) + far
        row += rng.choice([-1.0, 1.0], 8) * 1e-3
        _, found = flipped(np.stack([np.zeros(8), row]), (1,) * 8)
        exact = by_fractions([Fraction(float(x)) for x in row])
        worst = max(worst, abs(found.observed[0] - exact) / found.scale[0])
    assert worst < 1e-12 / 4.0


def test_the_scale_grows_with_the_cube_of_t() -> None:
    """Rounding of Σd² is 1 + t² of what is left, in t times as much: 1,000 times from t = 9 to t = 99, and no further than 1,000."""

    def scale(t: float) -> float:
        family = Family(np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([0]), np.array([1]), np.ones(1))
        found = ClusterFlips(Clusters(family, np.ones((2, 2))), np.zeros((4, 1)), exhaustive=True)
        vars(found)["observed"] = np.array([t])
        return float(found.scale[0])

    assert scale(0.0) == pytest.approx(1.0, rel=1e-12, abs=0.0)
    assert scale(9.0) == pytest.approx(1e3, rel=1e-12, abs=0.0)
    assert scale(99.0) == pytest.approx(1e6, rel=1e-12, abs=0.0)
    assert scale(1e5) == pytest.approx(1001.0**3, rel=1e-12, abs=0.0)


def test_gaps_have_sizes_of_their_own() -> None:
    """Each pair counts the items that both systems have in a cluster."""
    table = drawn(2, 15)
    table[0, :2] = np.nan
    where = board(table, EVEN)
    clusters = Clusters.of(where, family_of(where, *all_pairs(2)))
    assert clusters.items.tolist() == [13.0]
    assert sorted(clusters.sizes[clusters.family.a[0]].tolist()) == [1.0, 3.0, 3.0, 3.0, 3.0]


def test_flips_that_cancel_have_no_t() -> None:
    """1 + 1 − 2 is 0 in one of the flips, and 0 there; a constant lead is infinitely large however small it is."""
    _, found = flipped(np.array([[0.0] * 3, [1.0, 1.0, 2.0]]), (1, 1, 1))
    (row,) = found.rows(np.array([0]))
    assert np.sort(row)[0] == 0.0
    assert np.sort(row)[1] > 0.0
    _, small = flipped(np.array([[0.0] * 3, [1e-3] * 3]), (1, 1, 1))
    assert small.observed.tolist() == [np.inf]


def test_items_of_one_cluster_alone_have_no_t() -> None:
    """What a pair shares lies in one cluster: there is nothing to see how clusters vary by."""
    table = np.array([[1.0, 2.0, np.nan, np.nan], [3.0, 5.0, 1.0, 1.0], [0.0, 1.0, 2.0, 0.5]])
    where = board(table, (2, 2))
    clusters = Clusters.of(where, family_of(where, *all_pairs(3)))
    (block,) = joint_flips(clusters.both, 100, stream(0))
    assert clusters.flipped(block).observed[:2].tolist() == [0.0, 0.0]
    for row in list(clusters.flipped(block).rows(np.array([0, 1]))):
        assert row.tolist() == [0.0] * len(row)
