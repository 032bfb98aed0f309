"""Pairs judged by their own p-values under joint flips of clusters: brute force, the rule, and the error rate."""

import itertools
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.max_t import MaxT
from tellapart.multiplicity.corrections.min_p import MinP
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.flipped_pvalues import flipped_pvalues, own_law, pair_law
from tellapart.multiplicity.joint_pvalues import JointPvalues
from tellapart.multiplicity.judging import Judging
from tellapart.scores import Pair, Scores
from tellapart.seeds import Generator, stream
from tellapart.significance import TESTS
from tellapart.summaries import Differences

Table = np.ndarray[Any, Any]


def board(table: Table, sizes: tuple[int, ...]) -> Board:
    codes = np.repeat(np.arange(len(sizes)), sizes).tolist()
    scores = Scores.from_arrays({f"s{i:02d}": row for i, row in enumerate(table)}, clusters=codes)
    return Board.of(scores, METRICS.parse("mean"))


def judged(where: Board, alpha: float = 0.05, resamples: int = 999, seed: int = 0) -> JointPvalues:
    family = family_of(where, *all_pairs(len(where.systems)))
    return flipped_pvalues(where, family, alpha, resamples, stream(seed))


def drawn(rng: Generator, systems: int, sizes: tuple[int, ...], effects: Table | None = None) -> Table:
    """Scores that are alike within clusters; `effects`, `(system, cluster)`, are what clusters have in common."""
    common = rng.standard_normal((systems, len(sizes))) if effects is None else effects
    items = sum(sizes)
    alike = np.repeat(common, sizes, axis=1)
    return np.asarray(0.55 * alike + 0.84 * rng.standard_normal((systems, items)))


def by_definition(differences: Table, sizes: tuple[int, ...], law: str) -> tuple[Table, Table, Table]:
    """Raw, step-down and single-step p-values over all patterns of signs, one `compare` of every pair after another."""
    codes = np.repeat(np.arange(len(sizes)), sizes)
    patterns = np.array(list(itertools.product([1.0, -1.0], repeat=len(sizes))))
    test = TESTS.parse(law)
    flipped = patterns[:, np.newaxis, codes] * differences
    pvalues = np.array(
        [[float(test.apply(Differences(row, codes), stream(0)).pvalue) for row in rows] for rows in flipped]
    )
    order = np.argsort(pvalues[0])
    step_down, worst = np.empty(len(order)), 0.0
    for place, pair in enumerate(order):
        smallest = pvalues[:, order[place:]].min(axis=1)
        worst = max(worst, float(np.mean(smallest <= pvalues[0, pair] * (1.0 + 1e-9))))
        step_down[pair] = worst
    reached = pvalues.min(axis=1)[:, np.newaxis] <= pvalues[0] * (1.0 + 1e-9)
    return pvalues[0], np.maximum(step_down, pvalues[0]), np.maximum(reached.mean(axis=0), pvalues[0])


@pytest.mark.parametrize("seed", range(3))
def test_listed_patterns_by_definition(seed: int) -> None:
    """With nine clusters and a large alpha every p-value is exact: those of `cluster_sign_flip`, and the smallest of each flip."""
    sizes = (1, 2, 2, 3, 3, 4, 6, 8, 11)
    table = drawn(np.random.default_rng(seed), 3, sizes) + np.array([[0.0], [0.1], [0.9]])
    where = board(table, sizes)
    assert own_law(where, 3, 0.2) == "cluster_sign_flip"
    found = judged(where, alpha=0.2)
    a, b = all_pairs(3)
    raw, step_down, single = by_definition(table[b] - table[a], sizes, "cluster_sign_flip")
    assert (found.exhaustive, found.resamples) == (True, 2**8 - 1)
    np.testing.assert_allclose(found.raw, raw, rtol=1e-12)
    np.testing.assert_allclose(found.step_down, step_down, rtol=1e-12)
    np.testing.assert_allclose(found.single_step, single, rtol=1e-12)


@pytest.mark.parametrize(("sizes", "variance"), [((1, 2, 3, 5, 9, 12, 20), "cr2"), ((4,) * 7, "cr1")])
def test_cluster_t_by_definition(sizes: tuple[int, ...], variance: str) -> None:
    """With seven clusters a pair's p-value is that of the cluster t test, and so it is in every flip."""
    table = drawn(np.random.default_rng(5), 4, sizes) + np.array([[0.0], [0.1], [0.3], [1.9]])
    where = board(table, sizes)
    law = f"cluster_t(variance={variance})"
    assert own_law(where, 6, 0.05) == law
    found = judged(where)
    a, b = all_pairs(4)
    raw, step_down, single = by_definition(table[b] - table[a], sizes, law)
    assert found.exhaustive
    np.testing.assert_allclose(found.raw, raw, rtol=1e-9)
    np.testing.assert_allclose(found.step_down, step_down, rtol=1e-9)
    np.testing.assert_allclose(found.single_step, single, rtol=1e-9)


def test_no_pair_is_surer_among_many_than_alone() -> None:
    """Few flips count a family's p-values roughly, some of them below the pair's own: then its own is taken."""
    sizes, below = (2, 3, 4, 5) * 5, 0
    for seed in range(12):
        where = board(drawn(np.random.default_rng(seed), 2 + seed % 2, sizes), sizes)
        found = judged(where, resamples=49, seed=seed)
        assert not found.exhaustive
        assert (found.step_down >= found.raw).all()
        assert (found.single_step >= found.raw).all()
        # A counted p-value is a whole number of fiftieths.
        fiftieths = 50.0 * found.single_step
        below += int(np.count_nonzero(np.abs(fiftieths - np.round(fiftieths)) > 1e-6))
    assert below > 0


def test_gaps_by_definition() -> None:
    """Each pair on the items it shares, with the clusters that these are in."""
    sizes = (2, 3, 5, 6, 8, 9)
    table = drawn(np.random.default_rng(6), 3, sizes) + np.array([[0.0], [0.5], [1.9]])
    table[0, :2], table[1, 6:9] = np.nan, np.nan
    codes = np.repeat(np.arange(6), sizes)
    found = judged(board(table, sizes))
    for pair, (i, j) in enumerate(zip(*all_pairs(3), strict=True)):
        shared = ~np.isnan(table[i] + table[j])
        difference = Differences(
            (table[j] - table[i])[shared], np.unique(codes[shared], return_inverse=True)[1]
        )
        expected = TESTS.parse("cluster_t(variance=cr2)").apply(difference, stream(0)).pvalue
        assert found.raw[pair] == pytest.approx(float(expected), rel=1e-9, abs=0.0)


@pytest.mark.parametrize(
    ("units", "pairs", "alpha", "law"),
    [
        (12, 10, 0.05, "exact flips"),
        (11, 10, 0.05, "exact flips"),
        (10, 10, 0.05, "t"),
        (16, 300, 0.05, "exact flips"),
        (16, 946, 0.05, "t"),
        (17, 1, 0.05, "t"),
        (12, 10, 0.01, "t"),
    ],
)
def test_what_decides_the_law(units: int, pairs: int, alpha: float, law: str) -> None:
    """At most 16 clusters, and pairs · 2^(1 − clusters) at most alpha / 5; nothing else is asked."""
    assert pair_law(units, pairs, alpha) == law


def test_one_far_behind_in_uneven_clusters() -> None:
    """Four systems at 75 % and one at 0 %, 500 items in 12 uneven clusters: max-T cannot tell them apart, min-P can."""
    sizes = (2, 2, 3, 3, 4, 5, 6, 10, 15, 50, 150, 250)
    rng = np.random.default_rng(0)
    shares = np.clip(0.75 + 0.05 * rng.standard_normal((4, 12)), 0.0, 1.0)
    right = rng.random((4, 500)) < np.repeat(shares, sizes, axis=1)
    where = board(np.concatenate([np.zeros((1, 500)), right.astype(float)]), sizes)
    family = family_of(where, *all_pairs(5))
    judging = Judging(where, family, 0.05, 10_000, (0, ()))
    judge = judging.chosen()
    assert judge == MinP()
    behind = family.a == 0
    found = judging.joint(judge)
    assert found.raw[behind].tolist() == [2.0**-11] * 4
    assert found.step_down[behind].max() <= 0.01
    assert judging.joint(MaxT()).step_down[behind].max() > 0.05


def test_no_floor_on_large_boards() -> None:
    """The best of 44 systems, three standard deviations ahead on 40 clusters, is told from all others."""
    sizes = (3,) * 40
    table = drawn(np.random.default_rng(1), 44, sizes)
    table[7] += 3.0
    where = board(table, sizes)
    found = judged(where, resamples=1999)
    a, b = all_pairs(44)
    assert found.step_down[(a == 7) | (b == 7)].max() <= 0.05


def exponential(rng: Generator, systems: int, clusters: int) -> Table:
    return np.asarray(rng.standard_exponential((systems, clusters)) - 1.0)


def one_exponential(rng: Generator, systems: int, clusters: int) -> Table:
    return np.concatenate([exponential(rng, 1, clusters), 0.3 * rng.standard_normal((systems - 1, clusters))])


def normal(rng: Generator, systems: int, clusters: int) -> Table:
    return rng.standard_normal((systems, clusters))


@pytest.mark.parametrize(
    ("effects", "allowed"), [(normal, 0.05), (exponential, 0.05), (one_exponential, 0.08)]
)
@pytest.mark.parametrize(("systems", "clusters"), [(3, 12), (5, 8), (5, 12), (10, 6)])
def test_equal_systems_are_seldom_told_apart(
    effects: Any, allowed: float, systems: int, clusters: int
) -> None:
    """Uneven clusters, whatever effects they have in common: boards with a false claim are no more than promised.

    One system whose clusters lean among others whose do not breaks the symmetry that flips assume: that costs a little.
    """
    sizes = tuple(int(size) for size in np.round(np.geomspace(2.0, 30.0, clusters)))
    rng, replicates = stream(21), 200
    false = 0
    for seed in range(replicates):
        table = drawn(rng, systems, sizes, effects(rng, systems, clusters))
        false += bool((judged(board(table, sizes), resamples=299, seed=seed).step_down <= 0.05).any())
    assert false <= stats.binom.ppf(0.999, replicates, allowed)


def test_a_difference_that_never_varies() -> None:
    """Clusters that all differ by the same have an infinite t: then only signs can be counted."""
    sizes = (3,) * 20
    base = np.random.default_rng(2).standard_normal(60)
    where = board(np.stack([base, base + 1.0, base, base + 1.0]), sizes)
    found = judged(where, resamples=999)
    a, b = all_pairs(4)
    same = (b - a) == 2
    assert (found.raw[same] == 1.0).all()
    assert (found.step_down[~same] <= 0.01).all()


def test_units_leave_no_trace() -> None:
    """Scores in another unit have the same p-values."""
    sizes = (2, 3, 5, 7, 9, 11, 4)
    table = drawn(np.random.default_rng(4), 4, sizes)
    one, other = (judged(board(factor * table, sizes)).step_down for factor in (1.0, 2.0**40))
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("items", "law"), [(12, "permutation"), (40, "paired_t")])
def test_items_without_clusters_have_laws_too(items: int, law: str) -> None:
    """A pair's own test is spelled as `compare` has it for items: all signs of few of them, t of many; p-values are those of it."""
    table = np.random.default_rng(7).standard_normal((3, items)) + np.array([[0.0], [0.3], [0.8]])
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)})
    where = Board.of(scores, METRICS.parse("mean"))
    assert own_law(where, 3, 0.05) == law
    found = judged(where)
    for pair, (i, j) in enumerate(zip(*all_pairs(3), strict=True)):
        sample = Pair(table[i][:, np.newaxis, np.newaxis], table[j][:, np.newaxis, np.newaxis])
        test = TESTS.parse(law)
        expected = test.apply(test.needs.of(sample, METRICS.parse("mean")), stream(0)).pvalue
        assert found.raw[pair] == pytest.approx(float(expected), rel=1e-9, abs=0.0)


def test_listed_pvalues_are_put_on_the_scale_of_t() -> None:
    """The t of as many degrees of freedom as clusters less one whose two-sided p-value is the exact one; so is every flip's."""
    sizes = (1, 2, 2, 3, 3, 4, 6, 8, 11)
    table = drawn(np.random.default_rng(0), 3, sizes) + np.array([[0.0], [0.1], [0.9]])
    found = judged(board(table, sizes), alpha=0.2)
    np.testing.assert_allclose(found.observed, stats.t.isf(found.raw / 2.0, 8), rtol=1e-9)
    counts = 2.0 * stats.t.sf(found.maxima, 8) * 2**8
    np.testing.assert_allclose(counts, np.rint(counts), atol=1e-6)
    assert counts.min() == pytest.approx(1.0)
