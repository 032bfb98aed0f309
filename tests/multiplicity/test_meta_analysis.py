"""Pairs across datasets, against other programs and by hand."""

import numpy as np
import pytest
from scipy import optimize, stats
from statsmodels.stats.meta_analysis import combine_effects

from tellapart.boards.meta_analysis import partial_conjunction, random_effects, replicated, stouffer, suite_mean

EFFECTS = np.array([0.12, 0.30, -0.05, 0.22, 0.41, 0.08, 0.19])
VARIANCES = np.array([0.004, 0.009, 0.006, 0.012, 0.02, 0.003, 0.005])


def test_random_effects_is_statsmodels() -> None:
    """Paule–Mandel variance, Hartung–Knapp interval, Q and I² agree with statsmodels."""
    peer = combine_effects(EFFECTS, VARIANCES, method_re="iterated", use_t=True)
    found, spread = random_effects(EFFECTS, VARIANCES, 0.95)
    assert float(spread.tau_squared) == pytest.approx(peer.tau2, rel=1e-4, abs=0.0)
    assert float(found.mean.effect) == pytest.approx(peer.mean_effect_re, rel=1e-5, abs=0.0)
    reach = stats.t.ppf(0.975, 6) * peer.sd_eff_w_re_hksj
    assert float(found.mean.high - found.mean.effect) == pytest.approx(reach, rel=1e-4, abs=0.0)
    assert float(spread.q) == pytest.approx(peer.q, rel=1e-9, abs=0.0)
    assert float(spread.i_squared) == pytest.approx(peer.i2, rel=1e-9, abs=0.0)
    assert float(spread.pvalue) == pytest.approx(stats.chi2.sf(peer.q, 6), rel=1e-9, abs=0.0)


def test_paule_mandel_solves_its_equation() -> None:
    """At the variance found the weighted squares equal their degrees of freedom to the last digits."""
    found, spread = random_effects(EFFECTS, VARIANCES, 0.95)
    weights = 1.0 / (VARIANCES + spread.tau_squared)
    assert np.sum(weights * (EFFECTS - found.mean.effect) ** 2) == pytest.approx(6.0, rel=1e-12, abs=0.0)
    error = np.sqrt(1.0 / weights.sum())
    assert float(found.mean.high - found.mean.effect) == pytest.approx(stats.t.ppf(0.975, 6) * error, rel=1e-9, abs=0.0)
    reach = stats.t.ppf(0.975, 5) * np.sqrt(spread.tau_squared + error**2)
    assert float(found.prediction_high - found.mean.effect) == pytest.approx(reach, rel=1e-9, abs=0.0)
    assert float(found.mean.effect - found.prediction_low) == pytest.approx(reach, rel=1e-9, abs=0.0)


def test_alike_datasets_have_no_heterogeneity() -> None:
    """Equal effects leave no variance between datasets and a prediction that equals the interval."""
    found, spread = random_effects(np.full(5, 0.2), VARIANCES[:5], 0.95)
    assert float(spread.tau_squared) == 0.0
    assert float(spread.i_squared) == 0.0
    assert float(found.mean.effect) == pytest.approx(0.2, rel=1e-12, abs=0.0)


def test_batches_and_absent_datasets() -> None:
    """A pair that lacks a dataset is judged on the others, and pairs do not disturb each other."""
    effects = np.stack([EFFECTS, np.where(np.arange(7) == 2, np.nan, EFFECTS)])
    variances = np.where(np.isnan(effects), np.nan, VARIANCES)
    together, _ = random_effects(effects, variances, 0.9)
    alone, _ = random_effects(np.delete(EFFECTS, 2), np.delete(VARIANCES, 2), 0.9)
    np.testing.assert_allclose(together.mean.low[1], alone.mean.low, rtol=1e-12)
    np.testing.assert_allclose(together.mean.low[0], random_effects(EFFECTS, VARIANCES, 0.9)[0].mean.low, rtol=1e-12)


def test_suite_mean_by_hand() -> None:
    """A weighted mean, the root of the weighted variances, and Welch's degrees of freedom for two datasets."""
    rng = np.random.default_rng(0)
    one, other = rng.normal(0.3, 1, 20), rng.normal(0.1, 2, 35)
    effects = np.array([one.mean(), -other.mean()])
    variances = np.array([one.var(ddof=1) / 20, other.var(ddof=1) / 35])
    found = suite_mean(effects, variances, np.array([19.0, 34.0]), np.ones(2), 0.95)
    peer = stats.ttest_ind(one, other, equal_var=False)
    assert float(found.effect) == pytest.approx((one.mean() - other.mean()) / 2, rel=1e-12, abs=0.0)
    assert float(found.pvalue) == pytest.approx(peer.pvalue, rel=1e-9, abs=0.0)
    low, high = peer.confidence_interval(0.95)
    assert (float(found.low), float(found.high)) == pytest.approx((low / 2, high / 2), rel=1e-9, abs=0.0)
    by_items = suite_mean(effects, variances, np.array([19.0, 34.0]), np.array([20.0, 35.0]), 0.95)
    assert float(by_items.effect) == pytest.approx((one.sum() - other.sum()) / 55, rel=1e-12, abs=0.0)


def test_stouffer_is_scipys() -> None:
    """Weighted z of one-sided p-values, doubled."""
    p = np.array([0.01, 0.4, 0.03, 0.7])
    weights = np.sqrt([10.0, 20.0, 30.0, 40.0])
    one_sided = stats.combine_pvalues(p, method="stouffer", weights=weights).pvalue
    assert float(stouffer(1.0 - p, p, weights)) == pytest.approx(2 * one_sided, rel=1e-9, abs=0.0)
    assert float(stouffer(p, 1.0 - p, weights)) == pytest.approx(2 * one_sided, rel=1e-9, abs=0.0)


def test_stouffer_survives_certainty() -> None:
    """A dataset with p = 0 in one direction gives a small p and no error."""
    assert 0.0 < float(stouffer(np.array([1.0, 0.5]), np.array([0.0, 0.5]), np.ones(2))) < 1e-100


def test_partial_conjunction_by_hand() -> None:
    """(N − u + 1) times the u-th smallest, never falling."""
    p = np.array([0.001, 0.02, 0.004, 0.3, 0.011])
    np.testing.assert_allclose(partial_conjunction(p), [0.005, 0.016, 0.033, 0.04, 0.3], rtol=1e-12)
    assert int(replicated(p, 0.05)) == 4
    np.testing.assert_allclose(partial_conjunction(np.array([0.9, 0.01, 0.011])), [0.03, 0.03, 0.9], rtol=1e-12)


def test_partial_conjunction_counts_only_what_was_compared() -> None:
    """Datasets a pair lacks neither help nor cost."""
    p = np.array([0.001, np.nan, 0.02])
    np.testing.assert_allclose(partial_conjunction(p)[:2], [0.002, 0.02], rtol=1e-12)
    assert int(replicated(p, 0.05)) == 2


def test_partial_conjunction_holds_its_level() -> None:
    """With two true effects of five, "at least three" is said in at most alpha of the cases (99.9 % band)."""
    rng = np.random.default_rng(3)
    p = rng.random((4000, 5))
    p[:, :2] = 1e-8
    wrong = int((replicated(p, 0.05) >= 3).sum())
    assert wrong <= stats.binom.ppf(0.999, 4000, 0.05)
    assert wrong > stats.binom.ppf(0.001, 4000, 0.04)


def test_agreement_by_chance_is_no_certainty() -> None:
    """However well effects agree, the error of the mean is never below what the items alone make it."""
    for effects in ([0.2, 0.2], [0.2, 0.2 * (1 + 1e-15)], [0.20, 0.201], [0.1, 0.3]):
        found, spread = random_effects(np.array(effects), np.array([0.01, 0.04]), 0.95)
        assert float(spread.tau_squared) == 0.0
        mean = (effects[0] / 0.01 + effects[1] / 0.04) / 125.0
        reach = stats.t.ppf(0.975, 1) * np.sqrt(1.0 / 125.0)
        assert float(found.mean.effect) == pytest.approx(mean, rel=1e-12, abs=0.0)
        assert float(found.mean.high - found.mean.effect) == pytest.approx(reach, rel=1e-9, abs=0.0)
        assert float(found.mean.pvalue) == pytest.approx(2 * stats.t.sf(mean * np.sqrt(125.0), 1), rel=1e-9, abs=0.0)


def test_two_datasets_predict_nothing() -> None:
    """K − 2 degrees of freedom are none; in a batch only the pair with two datasets lacks the prediction."""
    alone, _ = random_effects(EFFECTS[:2], VARIANCES[:2], 0.95)
    assert np.isnan(alone.prediction_low)
    assert np.isfinite(alone.mean.low)
    effects = np.stack([EFFECTS[:3], np.array([0.1, np.nan, 0.3])])
    both, _ = random_effects(effects, np.where(np.isnan(effects), np.nan, VARIANCES[:3]), 0.95)
    assert np.isnan(both.prediction_high).tolist() == [False, True]


@pytest.mark.parametrize("tau", [0.0, 0.2, 1.0])
def test_prediction_holds_for_new_datasets(tau: float) -> None:
    """Of suites of eight, 95 in 100 predict where the true effect on a ninth lies; fewer where items hide how much datasets scatter."""
    rng = np.random.default_rng(5)
    variances = rng.uniform(0.01, 0.04, (2000, 8))
    truths = 0.3 + tau * rng.standard_normal((2000, 9))
    effects = truths[:, :8] + np.sqrt(variances) * rng.standard_normal((2000, 8))
    found, _ = random_effects(effects, variances, 0.95)
    inside = (found.prediction_low <= truths[:, 8]) & (truths[:, 8] <= found.prediction_high)
    assert inside.mean() >= (0.87 if tau == 0.2 else 0.94)
    if tau == 1.0:
        assert inside.mean() <= 0.97
        assert np.mean((found.mean.low <= truths[:, 8]) & (truths[:, 8] <= found.mean.high)) < 0.7


def test_a_suite_without_spread() -> None:
    """No difference anywhere is p = 1; a difference that never varies has an interval without width and no p-value."""
    none = np.zeros(3)
    same = suite_mean(none, none, np.full(3, 9.0), np.ones(3), 0.95)
    assert (float(same.effect), float(same.low), float(same.high), float(same.pvalue)) == (0.0, 0.0, 0.0, 1.0)
    apart = suite_mean(none + 0.5, none, np.full(3, 9.0), np.ones(3), 0.95)
    assert (float(apart.low), float(apart.high)) == (0.5, 0.5)
    assert np.isnan(apart.pvalue)


def test_many_pairs_are_combined_one_by_one() -> None:
    """Stouffer and partial conjunction of a batch are those of its rows, also where a dataset is absent."""
    lower = np.random.default_rng(8).random((3, 5))
    lower[1, 2] = np.nan
    weights = np.sqrt(np.arange(1.0, 6.0))
    together = stouffer(lower, 1.0 - lower, weights)
    for row, found, counts in zip(lower, together, replicated(lower**4, 0.05), strict=True):
        kept = np.isfinite(row)
        assert found == pytest.approx(stouffer(row[kept], 1.0 - row[kept], weights[kept]), rel=1e-12, abs=0.0)
        assert counts == replicated(row[kept] ** 4, 0.05)


def test_far_tails_keep_their_digits() -> None:
    """The smaller tail is taken, on whichever side it is: one dataset alone has its own p-value, however small."""
    tiny, rest, one = np.array([1e-30]), np.array([1.0]), np.ones(1)
    assert float(stouffer(tiny, rest, one)) == pytest.approx(2e-30, rel=1e-9, abs=0.0)
    assert float(stouffer(rest, tiny, one)) == pytest.approx(2e-30, rel=1e-9, abs=0.0)


def test_a_batch_of_suites_is_a_loop() -> None:
    """Every pair has its own datasets and weights, one that was not compared somewhere its own share of them."""
    effects = np.array([[0.1, 0.3], [0.2, np.nan], [-0.4, 0.05]])
    variances, dfs = np.array([[0.01, 0.02], [0.03, 0.01], [0.02, 0.05]]), np.full((3, 2), 30.0)
    weights = np.array([100.0, 300.0])
    together = suite_mean(effects, variances, dfs, weights, 0.9)
    for i in range(3):
        seen = np.isfinite(effects[i])
        share = weights[seen] / weights[seen].sum()
        assert float(together.effect[i]) == pytest.approx(float(share @ effects[i][seen]), rel=1e-12, abs=0.0)
        alone = suite_mean(effects[i], variances[i], dfs[i], weights, 0.9)
        assert float(together.low[i]) == pytest.approx(float(alone.low), rel=1e-12, abs=0.0)


@pytest.mark.parametrize(("scatter", "steps"), [(0.3, 8), (3.0, 12), (300.0, 24)])
def test_the_variance_between_datasets_is_found_in_few_steps(
    scatter: float, steps: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newton's steps double the variance far below the root and the digits near it: a dozen or two find all of them."""
    monkeypatch.setattr("tellapart.boards.meta_analysis.STEPS", steps)
    effects = scatter * np.array([0.12, 0.30, -0.05, 0.22, 0.41, 0.08, 0.19])
    _, spread = random_effects(effects, VARIANCES, 0.95)

    def left(tau_squared: float) -> float:
        weights = 1.0 / (VARIANCES + tau_squared)
        mean = np.average(effects, weights=weights)
        return float(np.sum(weights * (effects - mean) ** 2) - 6.0)

    expected = optimize.brentq(left, 0.0, 10.0 * scatter**2, xtol=1e-18) if left(0.0) > 0.0 else 0.0
    assert float(spread.tau_squared) == pytest.approx(expected, rel=1e-11, abs=0.0)
