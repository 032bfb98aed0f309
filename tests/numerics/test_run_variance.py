"""Items and runs as parts of the variance, held against reference values and lme4."""

import numpy as np
import pytest
from scipy import stats
from tests.numerics.frontier import quantities, runs

from tellapart.numerics.k_samples import RunSummary
from tellapart.numerics.run_variance import RunVariance, cross_disagreement, identical_runs, run_shift_pvalue
from tellapart.numerics.solve_rates import SolveRates, sampled_pair

CASES = ("even5", "gaps6", "noisy3", "steady10")


def components(case: str) -> dict[str, float]:
    scores = runs(case)
    found = RunVariance.of(scores["a"], scores["b"])
    low, high = found.share_bounds(0.95)
    numbers = {
        "items": found.items,
        "effect": (found.b.means - found.a.means).mean(),
        "standard_error": np.sqrt(found.total / found.items),
        "within_variance_a": found.a.within,
        "within_variance_b": found.b.within,
        "item_variance": found.item_variance,
        "item_variance_untruncated": found.total - found.noise,
        "runs_share": found.share,
        "runs_share_low": low,
        "runs_share_high": high,
        "within_df": found.df,
        "standard_error_endless_runs": found.standard_error(np.inf),
        "standard_error_one_run": found.standard_error(1.0),
        "two_runs_of_a_disagree": 2.0 * found.a.within,
        "two_runs_of_b_disagree": 2.0 * found.b.within,
        "a_and_b_disagree_one_run": cross_disagreement(found.a.means, found.b.means),
    }
    return {name: float(value) for name, value in numbers.items()}


@pytest.mark.parametrize("case", CASES)
def test_components_are_the_reference_ones(case: str) -> None:
    assert components(case) == pytest.approx(quantities("runs_components", case), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("case", ["even5", "steady10"])
def test_balanced_components_are_those_of_lme4(case: str) -> None:
    """With as many runs of every item, REML and mean squares agree; its joint fit shares one variance within items."""
    found, oracle = components(case), quantities("runs_lme4", case)
    scores = runs(case)
    for name in "ab":
        within = found[f"within_variance_{name}"]
        between = np.var(scores[name].mean(axis=1), ddof=1) - within / scores[name].shape[1]
        assert within == pytest.approx(oracle[f"lme4_within_variance_{name}"], rel=1e-5, abs=1e-12)
        assert between == pytest.approx(oracle[f"lme4_item_variance_of_{name}"], rel=1e-5, abs=1e-12)
    joint = oracle["lme4_joint_difference_item_variance"]
    assert found["item_variance"] == pytest.approx(joint, rel=1e-4, abs=1e-12)
    assert found["standard_error"] == pytest.approx(oracle["lme4_joint_effect_se"], rel=1e-4, abs=1e-12)


def test_one_run_of_one_system_leaves_the_share_unknown() -> None:
    scores = runs("even5")
    found = RunVariance.of(scores["a"], scores["b"][:, :1])
    assert found.a.within == pytest.approx(0.1395, rel=1e-9, abs=1e-12)
    assert np.isnan(found.b.within)
    assert np.isnan(found.share)


def test_swapping_systems_changes_no_part() -> None:
    scores = runs("gaps6")
    one, other = RunVariance.of(scores["a"], scores["b"]), RunVariance.of(scores["b"], scores["a"])
    assert float(one.share) == pytest.approx(float(other.share), rel=1e-12, abs=1e-14)
    assert float(one.item_variance) == pytest.approx(float(other.item_variance), rel=1e-12, abs=1e-14)


def test_a_batch_is_its_entries() -> None:
    scores = runs("gaps6")
    both = RunVariance.of(np.stack([scores["a"], scores["b"]]), np.stack([scores["b"], scores["a"]]))
    alone = RunVariance.of(scores["a"], scores["b"])
    assert both.share.tolist() == pytest.approx([float(alone.share)] * 2, rel=1e-12, abs=1e-14)


def test_copies_of_runs_are_found() -> None:
    scores = runs("even5")["a"][..., np.newaxis]
    assert identical_runs(scores) == []
    assert identical_runs(np.concatenate([scores, scores[:, 2:4]], axis=1)) == [(2, 5), (3, 6)]


def test_runs_that_shift_are_noticed_at_their_level() -> None:
    """Of runs that do not shift one in a hundred has p ≤ .01; of runs that do, most."""
    rng = np.random.default_rng(5)
    plain = [run_shift_pvalue(*rng.normal(size=(2, 100, 3))) for _ in range(4000)]
    shifted = [run_shift_pvalue(*(rng.normal(size=(2, 100, 3)) + 0.5 * rng.normal(size=(2, 1, 3)))) for _ in range(200)]
    assert np.mean(np.array(plain) <= 0.01) == pytest.approx(0.01, rel=0.0, abs=0.006)
    assert np.mean(np.array(shifted) <= 0.01) > 0.8
    assert np.isnan(run_shift_pvalue(np.zeros((5, 2)), np.zeros((5, 2))))
    assert np.isnan(run_shift_pvalue(np.ones((5, 1)), rng.normal(size=(5, 2))))


@pytest.mark.parametrize(("accuracy", "icc"), [(0.5, 0.3), (0.7, 0.6), (0.9, 0.6), (0.9, 0.9)])
def test_the_robust_interval_holds_the_share_of_right_or_wrong_runs(accuracy: float, icc: float) -> None:
    """In 400 evaluations of 200 items run three times; that of normal theory (negative control) fails where disagreements are rare."""
    rng = np.random.default_rng(1)
    rates = SolveRates(accuracy, icc)
    own, apart = (2.0 * accuracy * (1.0 - accuracy) * factor for factor in (1.0 - icc, 1.0))
    discordance = 0.5 * (own + apart)
    r = sampled_pair(rates, rates, discordance, RunSummary("pass@", 1)).correlation
    normals = rng.normal(size=(2, 400, 200))
    normals[1] = r * normals[0] + np.sqrt(1.0 - r * r) * normals[1]
    size = 1.0 / icc - 1.0
    solved = stats.beta.ppf(stats.norm.cdf(normals), accuracy * size, (1.0 - accuracy) * size)
    found = RunVariance.of(*(rng.random((2, 400, 200, 3)) < solved[..., np.newaxis]).astype(float))
    true = own / 3.0 / (discordance - own + own / 3.0)
    held = [
        np.mean((low <= true) & (true <= high))
        for low, high in (found.robust_share_bounds(0.95), found.share_bounds(0.95))
    ]
    assert held[0] >= 0.91
    assert held[1] < (0.95 if icc < 0.9 else 0.6)
