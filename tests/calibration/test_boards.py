"""Do the guarantees hold? Leaderboards with known truth, and the methods that fail on them."""

import numpy as np
import pytest
from scipy import stats
from tests.calibration.board_lines import calibrated_boards, calibrated_skewed_boards
from tests.multiplicity.levels import simultaneous_level

from tellapart.boards import simultaneous_intervals
from tellapart.boards.board import Board
from tellapart.boards.family import all_pairs, family_of
from tellapart.boards.joint_bootstrap import joint_bootstrap
from tellapart.boards.joint_pvalues import joint_pvalues
from tellapart.boards.omnibus import mean_ranks
from tellapart.data.scores import Scores
from tellapart.data.summaries import Proportion
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.metrics import METRICS
from tellapart.numerics.null_laws.studentized_range import range_survival
from tellapart.populations.many_systems import ManySystems
from tellapart.studies.calibration.boards import _board_scores, board_populations, chosen_claims, claims, tally

ALPHA = 0.05
REPLICATES = 600


def most(replicates: int) -> int:
    """The most false alarms that a true 5 % gives in 99.9 % of such simulations."""
    return int(stats.binom.ppf(0.999, replicates, ALPHA))


@pytest.mark.parametrize("items", [20, 50, 200])
@pytest.mark.parametrize("systems", [3, 10])
@pytest.mark.parametrize("name", board_populations(3))
def test_claims_and_rank_sets_hold(name: str, systems: int, items: int) -> None:
    """At most 5 % of leaderboards hold any false claim, and at least 95 % hold every true rank in its set."""
    found = tally(board_populations(systems)[name], items, REPLICATES, ALPHA, stream(items))
    assert found.false_claims <= most(REPLICATES)
    assert REPLICATES - found.covered <= most(REPLICATES)


def test_the_table_of_make_calibrate() -> None:
    """Fifty systems run from the same function at any scale, and every line says how many failures chance allows."""
    rows = list(calibrated_boards(0.005, systems=[50]))
    assert {row.systems for row in rows} == {50}
    assert {row.items for row in rows} == {20, 50, 200}
    assert {row.truth for row in rows} == set(board_populations(50))
    assert {row.tally.replicates for row in rows} == {5}
    assert {row.allowed for row in rows} == {int(stats.binom.ppf(0.999, 5, ALPHA))}
    assert all(row.holds for row in rows)


def test_a_broken_line_is_seen() -> None:
    """Negative control: a line with more failures than chance allows does not hold."""
    row = next(calibrated_boards(0.02, systems=[3]))
    broken = row.tally._replace(false_claims=row.allowed + 1)
    assert row.holds
    assert not row._replace(tally=broken).holds


def test_the_level_is_used_up() -> None:
    """With equal systems the guarantee is met, not overdone: false claims come close to 5 %."""
    found = tally(ManySystems((0.0,) * 6), 50, 2000, ALPHA, stream(1))
    assert found.false_claims >= stats.binom.ppf(0.001, 2000, ALPHA - 0.005)


def test_real_gaps_are_found() -> None:
    """Negative control of the above: a method that never claims anything would pass it."""
    rng = stream(2)
    truth = ManySystems((0.0, 0.0, 1.0, 2.0))
    found = np.mean([claims(truth.draw(100, rng), None, ALPHA, rng).sum() for _ in range(50)])
    assert found > 4.8


def label_permutation_rejects(values: FloatArray, rng: np.random.Generator) -> bool:
    """The randomised Tukey HSD of information retrieval: labels permuted within items, the range of means compared."""
    means = values.mean(axis=1)
    permuted = rng.permuted(np.broadcast_to(values.T, (199, *values.T.shape)), axis=2).mean(axis=1)
    return bool((1 + np.sum(np.ptp(permuted, axis=1) >= np.ptp(means) - 1e-12)) / 200 <= ALPHA)


def test_label_permutation_fails_under_unequal_variances() -> None:
    """Permuting labels tests exchangeability: with equal means and unequal variances it claims far too often."""
    truth = ManySystems((0.0,) * 10, (*(0.1,) * 9, 3.0), correlation=0.0)
    rng = stream(3)
    rejected = sum(label_permutation_rejects(truth.draw(50, rng), rng) for _ in range(300))
    assert rejected > 1.3 * most(300)
    assert tally(truth, 50, 300, ALPHA, stream(3)).false_claims <= most(300)


def bootstrap_claims(values: FloatArray, rng: np.random.Generator) -> bool:
    """Whether the bootstrap max-T claims anything."""
    a, b = all_pairs(len(values))
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(values)})
    board = Board.of(scores, METRICS.parse("mean"))
    found = joint_pvalues([joint_bootstrap(board, family_of(board, a, b), 199, rng)])
    return bool((found.step_down <= ALPHA).any())


def test_sign_flips_fail_under_skew_and_the_bootstrap_does_not() -> None:
    """Equal means, skewed scores of very unequal spread: random signs claim too often, drawing items again does not."""
    rng = stream(9)
    spreads = np.linspace(0.1, 5.0, 10)[:, np.newaxis]
    draws = [spreads * (rng.exponential(size=(10, 30)) - 1.0) for _ in range(400)]
    assert sum(bool(claims(values, None, ALPHA, rng).any()) for values in draws) > most(400)
    assert sum(bootstrap_claims(values, rng) for values in draws[:200]) <= most(200)


def bootstrap_ranks_cover(values: FloatArray, rng: np.random.Generator) -> bool:
    """Whether 95 % percentile intervals of bootstrapped ranks hold the true rank, 1 for all, of equal systems."""
    drawn = rng.integers(0, values.shape[1], (200, values.shape[1]))
    weights = np.stack([np.bincount(row, minlength=values.shape[1]) for row in drawn])
    means = weights @ values.T
    ranks = 1 + (means[:, None, :] > means[:, :, None]).sum(axis=2)
    return bool((np.quantile(ranks, 0.025, axis=0) <= 1).all())


def test_bootstrap_ranks_fail_at_ties() -> None:
    """Percentile intervals of bootstrapped ranks almost never hold the truth for ten equal systems; rank sets do."""
    truth, rng = ManySystems((0.0,) * 10), stream(4)
    covered = sum(bootstrap_ranks_cover(truth.draw(300, rng), rng) for _ in range(200))
    assert covered <= 0.01 * 200
    assert 200 - tally(truth, 300, 200, ALPHA, stream(4)).covered <= most(200)


def skewed_pool(rng: np.random.Generator, items: int = 200) -> FloatArray:
    """Five systems of mean 0: two mostly a little above it and rarely far below, three symmetric."""
    skewed = np.where(rng.random((2, items)) < 0.1, -1.8, 0.2)
    return np.concatenate([skewed, 0.3 * rng.standard_normal((3, items))])


def mean_ranks_reject(pool: FloatArray) -> bool:
    """Whether the test of mean ranks that many papers use claims anything. Nemenyi (1963)."""
    found, systems = mean_ranks(pool.T), len(pool)
    error = np.sqrt(systems * (systems + 1.0) / (12.0 * found.blocks))
    return bool(range_survival(np.ptp(found.means) / error, systems) <= ALPHA)


def test_mean_ranks_reject_equal_means() -> None:
    """The test of mean ranks finds differences between systems whose means are equal; max-T does not."""
    rng = stream(5)
    pools = [skewed_pool(rng) for _ in range(200)]
    assert sum(mean_ranks_reject(pool) for pool in pools) > 0.8 * 200
    assert sum(bool(claims(pool, None, ALPHA, rng).any()) for pool in pools) <= 2 * most(200)


def test_the_lines_of_skewed_boards() -> None:
    """Every line runs at any scale, and says how many failures chance allows or why there are more."""
    lines = list(calibrated_skewed_boards(0.012, seed=1))
    assert {line.truth for line in lines} >= {
        "half steady, half failing",
        "12 uneven clusters, unequal exponential",
    }
    assert {line.tally.replicates for line in lines} == {12}
    assert all(line.holds or line.known for line in lines)


@pytest.mark.parametrize(
    ("truth", "units", "by_flips", "at_most"),
    [
        ("half steady, half failing", 60, 0.4, 0.2),
        ("lognormal, unequal spreads", 100, 0.05, 0.10),
        ("uneven clusters, unequal exponential", 20, 0.05, 0.12),
    ],
)
def test_items_drawn_again_hold_back_false_claims(truth: str, units: int, by_flips: float, at_most: float) -> None:
    """Of ten equal systems: by sign flips alone so many boards at the least held a false claim; 200 boards tell that from what is left."""
    rng, flipped, chosen = stream(14), 0, 0
    for _ in range(200):
        values, codes = _board_scores(truth, units, rng)
        flipped += bool(claims(values, codes, ALPHA, rng).any())
        chosen += bool(chosen_claims(values, codes, rng).any())
    assert flipped / 200 >= by_flips
    assert chosen / 200 <= at_most
    assert chosen <= flipped


def accuracies_missed(shares: FloatArray, items: int, method: str, replicates: int) -> int:
    """Boards on which the simultaneous_intervals intervals of these systems' accuracies miss one of them."""
    rng, missed = stream(13), 0
    for _ in range(replicates):
        ease = rng.standard_normal(items)
        latent = np.sqrt(0.5) * (ease + rng.standard_normal((len(shares), items)))
        right = (latent < stats.norm.ppf(shares)[:, np.newaxis]).astype(float)
        left = right - right.mean(axis=1, keepdims=True)
        level = simultaneous_level(left, 0.95, rng)
        counts = Proportion(right.sum(axis=1).astype(np.int64), np.full(len(shares), items))
        low, high = INTERVALS.parse(method).interval(counts, level, rng)
        missed += bool(((low > shares) | (high < shares)).any())
    return missed


@pytest.mark.parametrize(("share", "items"), [(0.99, 100), (0.985, 200), (0.97, 60)])
def test_accuracies_near_one_are_covered_together(share: float, items: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten systems that are nearly always right: exact intervals at the simultaneous_intervals level hold all of them, Wilson's do not always."""
    monkeypatch.setattr(simultaneous_intervals, "DRAWS", 1000)
    shares = np.linspace(share - 0.01, share, 10)
    assert accuracies_missed(shares, items, "clopper_pearson", 300) <= most(300)


def test_wilson_misses_accuracies_near_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control of the above: the approximate interval is too short there."""
    monkeypatch.setattr(simultaneous_intervals, "DRAWS", 1000)
    assert accuracies_missed(np.linspace(0.975, 0.985, 10), 200, "wilson", 1200) > most(1200)
