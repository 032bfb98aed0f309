"""The permutation test: R's and an exact program's numbers, no chance for means, swaps of parts for other metrics."""

import itertools
from typing import Any

import numpy as np
import pytest

from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import SMALLEST, FloatArray
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS, Outcome, permutation
from tellapart.metrics import METRICS
from tellapart.numerics.sign_flip_law import random_flips

MEAN, F1, MCC = (METRICS.parse(name) for name in ("mean", "f1", "mcc"))


def parts(a: FloatArray, b: FloatArray) -> Parts:
    return Parts(a[..., np.newaxis], b[..., np.newaxis], MEAN)


def apply(spelling: str, sample: Parts, seed: int = 0) -> Outcome:
    return TESTS.parse(spelling).apply(sample, stream(seed))


@pytest.fixture(scope="module")
def datasets(reference: Any) -> dict[str, Parts]:
    """The reference scores: theirs are about A − B, so their B stands first here."""
    rows = reference("datasets.csv")
    names = dict.fromkeys(row["dataset"] for row in rows)
    return {
        name: parts(*(np.array([float(r[c]) for r in rows if r["dataset"] == name]) for c in ("score_b", "score_a")))
        for name in names
    }


@pytest.mark.parametrize("side", ["two.sided", "less", "greater"])
def test_reference_numbers(side: str, reference: Any, datasets: dict[str, Parts]) -> None:
    """Every data set has the p-value that exact whole-number programs give it."""
    rows = [r for r in reference("tests_on_data.csv") if r["quantity"] == f"perm_mean_exact_p_{side}"]
    assert len(rows) == 17
    for row in rows:
        outcome = apply(f"permutation(alternative={side.replace('.', '-')})", datasets[row["dataset"]])
        assert float(outcome.pvalue) == pytest.approx(float(row["value"]), rel=1e-12, abs=0.0), row["dataset"]


@pytest.mark.parametrize("spelling", ["permutation", "permutation(resamples=9999)"])
def test_nothing_differs(spelling: str) -> None:
    """Two equal systems give p = 1, with no direction."""
    same = np.random.default_rng(0).normal(size=40)
    outcome = apply(spelling, parts(same, same))
    assert (float(outcome.pvalue), float(outcome.direction)) == (1.0, 0.0)


def test_p_never_reaches_zero() -> None:
    """Where 2^-n is no longer a number, p is the smallest one that is."""
    outcome = apply("permutation", parts(np.zeros(3000), np.random.default_rng(0).random(3000)))
    assert float(outcome.pvalue) == SMALLEST


@pytest.mark.parametrize("items", [12, 60, 1000])
@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_monte_carlo_agrees_with_the_exact_answer(items: int, side: str) -> None:
    """Random swaps of a mean come within five of their standard errors of the p-value without chance."""
    rng = np.random.default_rng(items)
    sample = parts(rng.normal(size=items), rng.normal(0.1, 1.0, size=items))
    exact = apply(f"permutation(alternative={side})", sample)
    resampled = apply(f"permutation(resamples=20000, alternative={side})", sample)
    assert abs(float(resampled.pvalue - exact.pvalue)) <= 5.0 * float(resampled.error) + 1e-9
    assert float(resampled.direction) == float(exact.direction)


def test_few_items_are_swapped_in_every_way() -> None:
    """Where fewer swaps exist than were asked for, all are made, and there is no error."""
    rng = np.random.default_rng(1)
    sample = parts(rng.normal(size=9), rng.normal(0.5, 1.0, size=9))
    exact, resampled = apply("permutation", sample), apply("permutation(resamples=9999)", sample)
    assert float(resampled.pvalue) == pytest.approx(float(exact.pvalue), rel=1e-13, abs=0.0)
    assert float(resampled.error) == 0.0
    assert "all swaps" in resampled.method


def counts(seed: int, items: int, metric: Any) -> FloatArray:
    """Parts of a metric over items: which cell of the table each item falls into."""
    cells = np.random.default_rng(seed).integers(0, len(metric.parts()), size=items)
    return np.eye(len(metric.parts()))[cells]


@pytest.mark.parametrize("metric", [F1, MCC], ids=str)
def test_other_metrics_swap_whole_items(metric: Any) -> None:
    """With ten items, the p-value of F1 or MCC is the share of all 2^10 swaps that differ as much."""
    a, b = counts(1, 10, metric), counts(2, 10, metric)
    outcome = TESTS.parse("permutation").apply(Parts(a, b, metric), stream(0))
    effects = []
    for swap in itertools.product((False, True), repeat=10):
        chosen = np.array(swap)[:, np.newaxis]
        new_a, new_b = np.where(chosen, b, a), np.where(chosen, a, b)
        effects.append(float(metric.value(new_b.mean(axis=0), 10) - metric.value(new_a.mean(axis=0), 10)))
    expected = np.mean(np.abs(effects) >= abs(effects[0]) - 1e-12)
    assert float(outcome.pvalue) == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_other_metrics_swap_whole_clusters() -> None:
    """Items of one cluster change sides together: five clusters have 32 swaps."""
    codes = np.repeat(np.arange(5), 4)
    a, b = counts(3, 20, F1), counts(4, 20, F1)
    outcome = TESTS.parse("permutation(alternative=greater)").apply(Parts(a, b, F1, codes), stream(0))
    effects = []
    for swap in itertools.product((False, True), repeat=5):
        chosen = np.array(swap)[codes][:, np.newaxis]
        means = [np.where(chosen, x, y).mean(axis=0) for x, y in ((a, b), (b, a))]
        effects.append(float(F1.value(means[0], 20) - F1.value(means[1], 20)))
    assert float(outcome.pvalue) == pytest.approx(np.mean(np.array(effects) >= effects[0] - 1e-12))
    assert "clusters" in outcome.method


def test_a_batch_of_other_metrics_agrees_with_a_loop() -> None:
    """Entries of a batch share their swaps, and each answer is right within its error."""
    a = np.stack([counts(seed, 60, F1) for seed in range(30)])
    b = np.stack([counts(seed + 100, 60, F1) for seed in range(30)])
    together = TESTS.parse("permutation").apply(Parts(a, b, F1), stream(1))
    for i in range(0, 30, 6):
        alone = TESTS.parse("permutation").apply(Parts(a[i], b[i], F1), stream(2))
        assert abs(float(together.pvalue[i] - alone.pvalue)) <= 5.0 * float(together.error[i] + alone.error)
        assert float(together.statistic[i]) == pytest.approx(float(alone.statistic))


def test_a_margin_moves_the_null() -> None:
    """Testing against the observed effect itself finds nothing."""
    rng = np.random.default_rng(5)
    sample = parts(rng.integers(0, 2, 40).astype(np.float64), rng.integers(0, 2, 40).astype(np.float64))
    outcome = TESTS.parse("permutation").against(sample, float(sample.effect), stream(0))
    assert float(outcome.pvalue) == pytest.approx(1.0)


def test_resamples_are_not_negative() -> None:
    """A number of swaps below zero is refused where the test is named."""
    with pytest.raises(SpellingError, match="resamples=-5 should be 0"):
        TESTS.parse("permutation(resamples=-5)")


def test_resamples_are_not_beyond_patience() -> None:
    """Billions of swaps are refused at once, with what to do instead, rather than run out of memory."""
    with pytest.raises(SpellingError, match="at most 1000000, usually 9999; leave it out for a mean"):
        TESTS.parse("permutation(resamples=1000000000)")
    assert TESTS.parse("permutation(resamples=1000000)").resamples == 1_000_000  # type: ignore[attr-defined]


def test_many_resamples_of_a_batch_fit_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch whose swapped sums would not fit is swapped in groups, and each entry's answer stays fair."""
    a, b = np.zeros((6, 30)), np.random.default_rng(5).normal(0.3, 1.0, size=(6, 30))
    monkeypatch.setattr(permutation, "HELD", 40_000)
    found = apply("permutation(resamples=20000)", parts(a, b))
    exact = apply("permutation", parts(a, b))
    np.testing.assert_allclose(found.pvalue, exact.pvalue, atol=4.5 * np.sqrt(0.25 / 20_000))


def test_all_swaps_where_they_are_no_more_than_the_random_ones() -> None:
    """Ten units that move have 1,024 swaps: all are made for 1,024 resamples, and random ones for 1,023."""
    a, b = np.zeros(12), np.r_[np.arange(1.0, 11.0), 0.0, 0.0]
    every, some = (apply(f"permutation(resamples={n})", parts(a, b)) for n in (1024, 1023))
    assert (every.method, float(every.error)) == ("all swaps of items", 0.0)
    assert float(every.pvalue) == 2.0 / 1024
    assert some.method == "1,023 random swaps of items"
    assert float(some.error) > 0.0
    assert float(some.pvalue) >= 1.0 / 1024


def test_random_swaps_of_other_metrics_by_default() -> None:
    """Forty items of F1 have too many swaps for all of them: 9,999 random ones, of clusters where these are known."""
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 50, size=(2, 40, 3)).astype(float)
    assert apply("permutation", Parts(a, b, F1)).method == "9,999 random swaps of items"
    clusters = np.repeat(np.arange(20), 2)
    assert apply("permutation", Parts(a, b, F1, clusters)).method == "9,999 random swaps of clusters"


@pytest.mark.parametrize("metric", [F1, MCC], ids=str)
def test_float_noise_makes_no_difference_of_metrics(metric: Any) -> None:
    """Where A and B hold the same items in another order, the metrics are equal up to rounding: no direction, p = 1."""
    a = counts(3, 12, metric) / 3.0
    found = apply("permutation", Parts(a, a[::-1], metric))
    assert (float(found.direction), float(found.pvalue)) == (0.0, 1.0)


@pytest.mark.parametrize("side", ["less", "greater", "two-sided"])
def test_one_sided_swaps_of_other_metrics(side: str) -> None:
    """Each side counts the swaps on its own side, ties included."""
    a, b = counts(5, 9, F1), counts(6, 9, F1)
    effects = []
    for swap in itertools.product((False, True), repeat=9):
        chosen = np.array(swap)[:, np.newaxis]
        one, other = np.where(chosen, b, a), np.where(chosen, a, b)
        effects.append(float(F1.value(other.mean(axis=0), 9) - F1.value(one.mean(axis=0), 9)))
    differences = np.array(effects)
    extreme = {
        "less": differences <= effects[0] + 1e-12,
        "greater": differences >= effects[0] - 1e-12,
        "two-sided": np.abs(differences) >= abs(effects[0]) - 1e-12,
    }[side]
    found = apply(f"permutation(alternative={side})", Parts(a, b, F1))
    assert float(found.pvalue) == pytest.approx(extreme.mean(), rel=1e-12, abs=0.0)
    assert float(found.statistic) == pytest.approx(effects[0], rel=1e-12, abs=0.0)
    assert float(found.direction) == np.sign(effects[0])


def test_the_limits_of_resamples() -> None:
    """0 means none, a million is the most, and one beyond either end is refused."""
    assert TESTS.parse("permutation").counts_signs
    for allowed in (0, 1_000_000):
        assert TESTS.parse(f"permutation(resamples={allowed})").resamples == allowed  # type: ignore[attr-defined]
    for refused in (-1, 1_000_001):
        with pytest.raises(SpellingError, match="should be"):
            TESTS.parse(f"permutation(resamples={refused})")


def test_ties_are_judged_by_the_size_of_the_scores() -> None:
    """The same swaps of scores a billion times as small give the same p-value, ties and all."""
    b = np.random.default_rng(8).integers(-3, 4, size=30).astype(float)
    one, other = (apply("permutation(resamples=999)", parts(np.zeros(30), scale * b)) for scale in (1.0, 1e-15))
    assert float(one.pvalue) == float(other.pvalue) < 1.0
    assert float(one.direction) == float(other.direction) != 0.0


def test_ties_of_other_metrics_are_judged_by_their_own_size() -> None:
    """Counts in the thousands make a metric no larger: a difference of F1 of 1e-8 is one, on all of twelve items."""
    a = np.tile([1e8, 1.0, 0.0], (12, 1))
    found = apply("permutation", Parts(a, a - np.array([0.0, 1.0, 0.0]), F1))
    assert (float(found.direction), float(found.pvalue)) == (1.0, 2.0 / 4096)


def test_many_items_that_tie_make_no_noise() -> None:
    """Two of a thousand items differ, by amounts that differ in the eighth digit: that is a difference."""
    b = np.zeros(1000)
    b[:2] = 1.0, -(1.0 - 1e-8)
    found = apply("permutation(resamples=99)", parts(np.zeros(1000), b))
    assert (float(found.direction), float(found.pvalue)) == (1.0, 1.0)
    assert found.method == "all swaps of items"
    one_sided = apply("permutation(resamples=99, alternative=greater)", parts(np.zeros(1000), b))
    assert float(one_sided.pvalue) == 0.5


def test_entries_are_swapped_one_by_one_where_memory_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """However little may be held, at least one entry of a batch is worked on at a time."""
    monkeypatch.setattr(permutation, "HELD", 1)
    a, b = np.zeros((3, 20)), np.random.default_rng(6).normal(0.3, 1.0, size=(3, 20))
    found = apply("permutation(resamples=9999)", parts(a, b))
    np.testing.assert_allclose(found.pvalue, apply("permutation", parts(a, b)).pvalue, atol=0.02)


def test_random_swaps_of_a_mean_are_of_items() -> None:
    """A mean is swapped item by item, asked for by number or not: eight items in two clusters have 256 swaps, not four."""
    b = np.array([0.9, 0.2, -0.4, 0.7, 0.3, -0.1, 0.8, 0.5])
    clustered = Parts(np.zeros((8, 1)), b[:, np.newaxis], MEAN, np.repeat([0, 1], 4))
    found = apply("permutation(resamples=999)", clustered)
    sums = np.array([np.dot(b, signs) for signs in itertools.product((1.0, -1.0), repeat=8)])
    assert float(found.pvalue) == np.mean(np.abs(sums) >= b.sum() - 1e-12)
    assert found.method == "all swaps of items"


def test_float_noise_is_no_item_that_moves() -> None:
    """Forty items differ by the rounding of 0.1 + 0.2 and five in earnest: these have 32 swaps, and all are made."""
    a, b = np.full(45, 0.3), np.full(45, 0.1 + 0.2)
    b[:5] = 0.7
    found = apply("permutation(resamples=99)", parts(a, b))
    assert (found.method, float(found.pvalue)) == ("all swaps of items", 2.0 / 32.0)


def test_one_entry_with_many_items_that_move_has_all_swapped_by_chance() -> None:
    """Entries share their swaps: all of three items would be few, all of fourteen are more than were asked for."""
    b = np.zeros((2, 14))
    b[0, :3], b[1] = 1.0, np.arange(1.0, 15.0)
    found = apply("permutation(resamples=999)", parts(np.zeros((2, 14)), b))
    assert found.method == "999 random swaps of items"
    np.testing.assert_allclose(found.pvalue, [0.25, 2.0 / 2**14], atol=4.5 * np.sqrt(0.25 * 0.75 / 999))


def effects_of_all_swaps(a: FloatArray, b: FloatArray, metric: Any) -> FloatArray:
    """The metric of B minus that of A after every swap of the units (unit, part) that differ, the first being none."""
    moving = (a != b).any(axis=-1)
    swapped = np.array(list(itertools.product((0.0, 1.0), repeat=int(moving.sum()))))
    apart = (a - b)[moving]
    sum_a, sum_b = a.sum(axis=0) - swapped @ apart, b.sum(axis=0) + swapped @ apart
    return np.asarray(metric.value(sum_b / len(a), len(a)) - metric.value(sum_a / len(a), len(a)))


def labelled(seed: int, items: int, moving: int, metric: Any) -> tuple[FloatArray, FloatArray]:
    """Parts of two systems whose first so many items fall into different cells, and the others into the same."""
    rng, cells = np.random.default_rng(seed), len(metric.parts())
    a = rng.integers(0, cells, size=items)
    b = (a + rng.integers(1, cells, size=items) * (np.arange(items) < moving)) % cells
    return np.eye(cells)[a], np.eye(cells)[b]


BY_KIND = "all swaps of items, by how often each kind is swapped"
LISTED = [(seed, metric) for seed in (2, 3, 5, 8) for metric in (F1, MCC)]


@pytest.mark.parametrize("side", ["less", "greater", "two-sided"])
def test_swaps_of_few_kinds_are_all_listed(side: str) -> None:
    """Labels move in few ways: with more swaps than would be drawn, the share of all 2^n that differ as much, small or large."""
    found = []
    for seed, metric in LISTED:
        a, b = labelled(seed, 22, 15, metric)
        effects = effects_of_all_swaps(a, b, metric)
        extreme = {
            "less": effects <= effects[0] + 1e-12,
            "greater": effects >= effects[0] - 1e-12,
            "two-sided": np.abs(effects) >= abs(effects[0]) - 1e-12,
        }[side]
        outcome = apply(f"permutation(alternative={side})", Parts(a, b, metric))
        assert float(outcome.pvalue) == pytest.approx(extreme.mean(), rel=1e-9, abs=0.0)
        assert float(outcome.statistic) == pytest.approx(effects[0])
        assert float(outcome.direction) == np.sign(effects[0])
        assert float(outcome.error) == 0.0
        assert outcome.method == BY_KIND
        found.append(float(outcome.pvalue))
    assert min(found) < 0.5 < max(found)


def test_listed_swaps_of_a_batch() -> None:
    """Each entry has its own kinds and its own answer; one whose swaps are of too many kinds has all of them drawn."""
    a, b = (np.stack([counts(seed, 40, F1) for seed in seeds]) for seeds in ((1, 2, 3), (4, 5, 6)))
    together = apply("permutation", Parts(a, b, F1))
    assert together.method == BY_KIND
    for i in range(3):
        alone = apply("permutation", Parts(a[i], b[i], F1))
        assert (alone.method, float(alone.pvalue)) == (BY_KIND, float(together.pvalue[i]))
        assert float(alone.direction) == float(together.direction[i])
    b[1] = np.random.default_rng(0).random((40, 3))
    assert apply("permutation", Parts(a, b, F1)).method == "9,999 random swaps of items"


def test_listed_swaps_of_clusters() -> None:
    """Sixteen clusters of three items, of which one differs: all of their swaps, each cluster as a whole."""
    order = np.arange(48).reshape(3, 16).T.ravel()
    a, b = (side[order] for side in labelled(11, 48, 16, F1))
    effects = effects_of_all_swaps(a.reshape(16, 3, 3).sum(axis=1), b.reshape(16, 3, 3).sum(axis=1), F1)
    found = apply("permutation", Parts(a, b, F1, np.repeat(np.arange(16), 3)))
    assert found.method == "all swaps of clusters, by how often each kind is swapped"
    assert float(found.pvalue) == pytest.approx(np.mean(np.abs(effects) >= abs(effects[0]) - 1e-12), rel=1e-9, abs=0.0)


@pytest.mark.parametrize("items", range(30, 60, 3))
def test_listed_swaps_of_equal_metrics(items: int) -> None:
    """The same items in another order: every swap differs as much, which is a share of 1 and no more, and nobody is ahead."""
    a = counts(3, items, F1)
    found = apply("permutation", Parts(a, a[::-1], F1))
    assert (found.method, float(found.direction)) == (BY_KIND, 0.0)
    assert 1.0 - 1e-14 < float(found.pvalue) <= 1.0


def test_entries_with_few_items_each_are_swapped_in_every_way() -> None:
    """Four entries of twelve items that move, none of them shared: all swaps of each are few, and those of all would be 2^48."""
    b = np.zeros((4, 48))
    for i in range(4):
        b[i, 12 * i : 12 * i + 12] = np.random.default_rng(i).normal(0.3, 1.0, size=12)
    found = apply("permutation(resamples=9999)", parts(np.zeros((4, 48)), b))
    assert found.method == "all swaps of items"
    np.testing.assert_allclose(found.pvalue, apply("permutation", parts(np.zeros((4, 48)), b)).pvalue, rtol=1e-9)


def test_work_that_was_stopped_says_the_fewest_swaps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries that are swapped one by one may have been swapped unequally often: what is said holds for all of them."""
    monkeypatch.setattr(permutation, "HELD", 1)
    whole, left = random_flips.flipped_sums, iter([1_000, 400, 700])
    monkeypatch.setattr(random_flips, "flipped_sums", lambda moved, _, rng: whole(moved, next(left), rng))
    b = np.random.default_rng(6).normal(0.1, 1.0, size=(3, 20))
    found = apply("permutation(resamples=1000)", parts(np.zeros((3, 20)), b))
    assert found.method == "400 random swaps of items"
    p, drawn = found.pvalue, np.array([1_000.0, 400.0, 700.0])
    np.testing.assert_allclose(p * (drawn + 1.0), np.rint(p * (drawn + 1.0)), atol=1e-9)
    np.testing.assert_allclose(found.error, np.sqrt(p * (1.0 - p) / drawn), rtol=0.02)
