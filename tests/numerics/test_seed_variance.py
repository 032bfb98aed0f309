"""Mean squares of seeds and items by brute force, and the power and the level of their t test."""

import numpy as np
import pytest
from scipy import stats
from tests.numerics.frontier import rows

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.numerics.seed_power import SeedPower, SeedSpreads
from tellapart.numerics.seed_variance import (
    SeedMeanSquares,
    SeedRule,
    seed_mean_squares,
    weighted_t_quantile,
    weighted_t_tails,
)


def scores(seeds: int, items: int, seed: int = 3) -> FloatArray:
    rng = np.random.default_rng(seed)
    shift = 0.1 * rng.normal(size=(1, seeds)) + 0.4 * rng.normal(size=(items, 1))
    return np.asarray(shift + 0.3 * rng.normal(size=(items, seeds)))


def test_mean_squares_are_those_of_a_two_way_table() -> None:
    """Of each system the table of item and seed; of both the differences of item means."""
    a, b = scores(3, 40), scores(5, 40, seed=4)
    found = seed_mean_squares((a, b), b.mean(axis=1) - a.mean(axis=1), 1.0)
    for place, one in enumerate((a, b)):
        items, seeds = one.shape
        own = one.mean(axis=0)
        rest = one - one.mean(axis=1, keepdims=True) - own + one.mean()
        assert found.between[place] == pytest.approx(own.var(ddof=1) / seeds, rel=1e-12, abs=1e-15)
        square = (rest**2).sum() / ((items - 1) * (seeds - 1))
        assert found.interaction[place] == pytest.approx(square / (items * seeds), rel=1e-12, abs=1e-15)
    differences = b.mean(axis=1) - a.mean(axis=1)
    assert found.items == pytest.approx(differences.var(ddof=1) / 40, rel=1e-12, abs=1e-15)
    whole = found.seed_variance + found.items - sum(found.interaction)
    assert found.variance == pytest.approx(max(whole, found.seed_variance, found.items), rel=1e-12, abs=1e-15)


def test_variances_are_those_that_made_the_scores() -> None:
    """Averaged over many evaluations the squared standard deviations are the ones that were drawn with."""
    spreads = SeedSpreads((4, 6), (0.05, 0.08), 0.3, (0.2, 0.4))
    found = spreads.drawn(500, 40_000, np.random.default_rng(1))
    assert np.mean(found.variance) == pytest.approx(spreads.standard_error(500) ** 2, rel=0.01, abs=0.0)
    net = (found.between[0] - found.interaction[0]).mean() * 4
    assert net == pytest.approx(0.05**2, rel=0.02, abs=0.0)


def test_a_weighted_law_is_between_its_laws() -> None:
    """Weights of one law give that law; the tail of the quantile is the level."""
    weights = [np.array(0.3), np.array(0.5), np.array(0.2)]
    dfs = [1.0, 2.0, 299.0]
    quantile = weighted_t_quantile(0.975, weights, dfs)
    expected = sum(float(w) * stats.t.ppf(0.975, df) for w, df in zip(weights, dfs, strict=True))
    assert float(quantile) == pytest.approx(expected, rel=1e-12, abs=0.0)
    below, above = weighted_t_tails(quantile, weights, dfs)
    assert float(above) == pytest.approx(0.025, rel=1e-8, abs=0.0)
    assert float(below) == pytest.approx(0.975, rel=1e-8, abs=0.0)
    alone = weighted_t_tails(np.array(2.2), [np.array(0.0), np.array(0.0), np.array(1.0)], dfs)[1]
    assert float(alone) == pytest.approx(stats.t.sf(2.2, 299), rel=1e-8, abs=0.0)


@pytest.mark.parametrize("row", rows("seeds_plan"), ids=lambda r: f"{r['seed_sd']}-{r['seeds']}-{r['items']}")
def test_power_is_that_of_simulated_evaluations(row: dict[str, str]) -> None:
    """As an independent program simulated it, whose own standard error is 0.001; not the noncentral t, which says 0.56 for 0.30."""
    seeds, seed_sd = int(row["seeds"]), float(row["seed_sd"])
    rest = float(row["seed_item_sd"])
    spreads = SeedSpreads((seeds, seeds), (seed_sd, seed_sd), float(row["item_sd"]), (rest, rest))
    items = 1_000_000 if row["items"] == "endless" else int(row["items"])
    spreads = spreads.of_endless_items if row["items"] == "endless" else spreads
    power = SeedPower(spreads, items, 0.05, "satterthwaite", "two-sided", 200_000, stream(0))
    assert sum(power.at(float(row["effect"]))) == pytest.approx(float(row["power_simulated"]), rel=0.0, abs=0.004)


def level(seeds: tuple[int, int], items: int, seed_sd: float, rule: SeedRule) -> float:
    spreads = SeedSpreads(seeds, (seed_sd, seed_sd), 0.3, (0.3, 0.3))
    return sum(SeedPower(spreads, items, 0.05, rule, "two-sided", 100_000, stream(1)).at(0.0))


@pytest.mark.parametrize(
    "row", rows("seeds_size2"), ids=lambda r: f"{r['seeds_a']}-{r['seeds_b']}-{r['items']}-{r['seed_sd']}"
)
def test_false_claims_by_satterthwaite(row: dict[str, str]) -> None:
    """As simulated by an independent program, with unlike numbers of seeds too, where it claims too much and is not chosen."""
    seeds = int(row["seeds_a"]), int(row["seeds_b"])
    found = level(seeds, int(row["items"]), float(row["seed_sd"]), "satterthwaite")
    assert found == pytest.approx(float(row["false_claim_rate"]), rel=0.0, abs=0.003)
    if seeds[0] == seeds[1]:
        assert found <= 0.06


@pytest.mark.parametrize(
    "row",
    [row for row in rows("seeds_size") if row["rule"] == "satterthwaite"],
    ids=lambda r: f"{r['seeds']}-{r['items']}-{r['tau']}",
)
def test_false_claims_with_as_many_seeds_of_both(row: dict[str, str]) -> None:
    seeds, seed_sd, rest = int(row["seeds"]), float(row["tau"]), float(row["gamma"])
    spreads = SeedSpreads((seeds, seeds), (seed_sd, seed_sd), float(row["omega"]), (rest, rest))
    found = sum(SeedPower(spreads, int(row["items"]), 0.05, "satterthwaite", "two-sided", 100_000, stream(1)).at(0.0))
    assert found == pytest.approx(
        float(row["false_claim_rate"]), rel=0.0, abs=0.003 + 4.0 * float(row["standard_error"])
    )


RULES = {"satterthwaite": "satterthwaite", "cochran, each system's own seeds": "cochran"}


@pytest.mark.parametrize(
    "row",
    [row for row in rows("seeds_unlike") if row["rule"] in RULES],
    ids=lambda r: f"{r['seeds_a']}-{r['seeds_b']}-{r['items']}-{r['seed_sd']}-{r['rule'][:5]}",
)
def test_false_claims_by_either_rule(row: dict[str, str]) -> None:
    seeds = int(row["seeds_a"]), int(row["seeds_b"])
    found = level(seeds, int(row["items"]), float(row["seed_sd"]), RULES[row["rule"]])  # type: ignore[arg-type]
    assert found == pytest.approx(float(row["false_claim_rate"]), rel=0.0, abs=0.006)


@pytest.mark.parametrize("seeds", [(2, 5), (3, 10), (2, 3)])
@pytest.mark.parametrize("seed_sd", [0.01, 0.1, 0.3])
def test_false_claims_by_cochran_with_unlike_numbers_of_seeds(seeds: tuple[int, int], seed_sd: float) -> None:
    """At most .034, where Satterthwaite's degrees of freedom claim up to .073."""
    assert level(seeds, 300, seed_sd, "cochran") <= 0.037


def test_one_decision() -> None:
    """The p-value is alpha exactly where the half width is the effect."""
    found = SeedSpreads((3, 5), (0.05, 0.05), 0.3, (0.2, 0.2)).drawn(200, 5, np.random.default_rng(2))
    for rule in ("satterthwaite", "cochran"):
        _at_the_edge(found, rule)


def _at_the_edge(found: SeedMeanSquares, rule: SeedRule) -> None:
    width = found.half_width(0.95, rule)
    below, above = found.tails(width, rule)
    assert above == pytest.approx(0.025, rel=1e-7, abs=0.0)
    assert below == pytest.approx(0.975, rel=1e-7, abs=0.0)
