"""Coefficients of agreement against krippendorff, lme4 and statsmodels, and by hand."""

import csv
from pathlib import Path

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.methods.reliability import COEFFICIENTS, UnitRatings
from tellapart.methods.reliability.coefficient import BoundedCoefficient, estimate, resampled_weights
from tellapart.methods.reliability.icc import spearman_brown
from tellapart.numerics.mixed_models.fit_samples import fit_differences

REFERENCE = Path(__file__).parents[1] / "reference"
NAN = np.nan


def rows(name: str) -> list[dict[str, str]]:
    with (REFERENCE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def table_of(case: str) -> UnitRatings:
    chosen = [row for row in rows("agreement_data") if row["dataset"] == case]
    units, raters = (sorted({row[name] for row in chosen}) for name in ("unit", "rater"))
    values = np.full((len(units), len(raters)), NAN)
    for row in chosen:
        values[units.index(row["unit"]), raters.index(row["rater"])] = float(row["rating"])
    return UnitRatings(values)


def value(spelling: str, table: UnitRatings) -> float:
    return float(COEFFICIENTS.parse(spelling).value(table, np.ones(len(table.ratings))))


@pytest.mark.parametrize("case", sorted({row["dataset"] for row in rows("agreement_data")}))
def test_as_krippendorff_and_lme4(case: str) -> None:
    """Alpha at every level, intraclass correlations, their variances, and intervals within what 400 resamples leave open."""
    table = table_of(case)
    per_unit = float(1.0 / np.mean(1.0 / table.per_unit))
    fitted = fit_differences(table.ratings.T)
    found = {
        "ratings_per_unit_harmonic_mean": per_unit,
        "icc_2_1": value("icc(k=1)", table),
        "icc_2_k_ratings_per_unit": value(f"icc(k={per_unit})", table),
        "icc_2_k_all_raters": value(f"icc(k={table.ratings.shape[1]})", table),
        "variance_rater": float(fitted.variances[0]),
        "variance_unit": float(fitted.variances[1]),
        "variance_residual": float(fitted.variances[2]),
        "loglik_reml": float(fitted.loglik),
        "units_with_one_rating": float((table.per_unit == 1).sum()),
    }
    weights = resampled_weights(len(table.ratings), 2000, stream(1))
    for level in ("nominal", "ordinal", "interval"):
        alpha = estimate(COEFFICIENTS.parse(f"krippendorff(level={level})"), table, weights, 0.95)
        found[f"alpha_{level}"] = alpha.value
        found[f"alpha_{level}_unit_bootstrap_low"] = alpha.low
        found[f"alpha_{level}_unit_bootstrap_high"] = alpha.high
    expected = {row["quantity"]: row for row in rows("agreement") if row["case"] == case}
    shared = sorted(found.keys() & expected.keys())
    assert len(shared) >= 9
    for name in shared:
        bound = float(expected[name]["tolerance"])
        assert found[name] == pytest.approx(float(expected[name]["value"]), abs=bound, rel=0), name


def labels(seed: int, shape: tuple[int, int], levels: int = 4) -> FloatArray:
    """Raters who are right six times in ten and guess else."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, levels + 1, size=(shape[0], 1))
    return np.where(rng.random(shape) < 0.6, truth, rng.integers(1, levels + 1, size=shape)).astype(np.float64)


def test_fleiss_kappa_as_statsmodels() -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    table = UnitRatings(labels(1, (50, 3)))
    assert value("fleiss_kappa", table) == pytest.approx(inter_rater.fleiss_kappa(table.counts), abs=1e-12)


@pytest.mark.parametrize("weights", ["none", "linear", "quadratic"])
def test_cohen_kappa_as_statsmodels(weights: str) -> None:
    inter_rater = pytest.importorskip("statsmodels.stats.inter_rater")
    ratings = labels(2, (60, 2))
    counted = inter_rater.to_table(ratings.astype(int) - 1, 4)[0]
    expected = inter_rater.cohens_kappa(counted, wt=None if weights == "none" else weights, return_results=False)
    assert value(f"cohen_kappa(weights={weights})", UnitRatings(ratings)) == pytest.approx(float(expected), abs=1e-12)


def test_cohen_kappa_leaves_out_what_one_rater_rated() -> None:
    """Units without a partner change nothing, and labels may be numbers with gaps between them."""
    ratings = labels(3, (40, 2))
    alone = np.vstack([ratings, [[4.0, NAN], [NAN, 1.0]]])
    assert value("cohen_kappa", UnitRatings(alone)) == pytest.approx(
        value("cohen_kappa", UnitRatings(ratings)), abs=1e-14
    )
    # By hand: one of two units apart by 4 of the expected (0 + 4 + 4 + 0)/4 = 2 on average.
    found = value("cohen_kappa(weights=linear)", UnitRatings(np.array([[1.0, 5.0], [5.0, 5.0]])))
    assert found == pytest.approx(1.0 - (4.0 / 2.0) / 2.0)


def test_icc_of_a_full_table_by_mean_squares() -> None:
    """Shrout and Fleiss' own example: six targets, four judges, ICC(2, 1) .29 and ICC(2, 4) .62."""
    ratings = np.array(
        [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float
    )
    assert value("icc(k=1)", UnitRatings(ratings)) == pytest.approx(0.2897638, abs=1e-6)
    assert value("icc(k=4)", UnitRatings(ratings)) == pytest.approx(0.6200505, abs=1e-6)
    one = BoundedCoefficient(0.2897638, 0.1, 0.5)
    assert spearman_brown(one, 4.0).value == pytest.approx(0.6200505, abs=1e-6)
    assert spearman_brown(one, 4.0).high == pytest.approx(0.8)


def test_alpha_by_enumerating_pairs() -> None:
    """Interval alpha from all pairs of ratings, within units and over all."""
    ratings = labels(4, (12, 3)) * 1.7
    ratings[0, 1] = ratings[3, :2] = NAN
    paired = [row[~np.isnan(row)] for row in ratings if (~np.isnan(row)).sum() > 1]
    within = sum(((row[:, None] - row[None, :]) ** 2).sum() / (len(row) - 1) for row in paired)
    pool = np.concatenate(paired)
    expected = 1.0 - (within / len(pool)) / (
        ((pool[:, None] - pool[None, :]) ** 2).sum() / (len(pool) * (len(pool) - 1))
    )
    assert value("krippendorff(level=interval)", UnitRatings(ratings)) == pytest.approx(float(expected), abs=1e-12)


def test_far_from_zero_nothing_cancels() -> None:
    ratings = labels(5, (30, 3))
    assert value("krippendorff(level=interval)", UnitRatings(ratings + 1e9)) == pytest.approx(
        value("krippendorff(level=interval)", UnitRatings(ratings)), abs=1e-6
    )


def test_what_fits() -> None:
    """Levels ask for few of them, kappas for two raters or equal numbers, all for a unit with two ratings."""

    def fitting(ratings: FloatArray) -> set[str]:
        return {str(one) for one in map(COEFFICIENTS.parse, SPELLINGS) if one.fits(UnitRatings(ratings))}

    full, pairs = labels(6, (20, 3)), labels(7, (20, 2))
    gaps = full.copy()
    gaps[0, 0] = NAN
    assert fitting(full) == set(SPELLINGS) - {"cohen_kappa(weights=none)", "cohen_kappa(weights=linear)"}
    assert fitting(gaps) == fitting(full) - {"fleiss_kappa"}
    assert fitting(pairs) == set(SPELLINGS)
    assert fitting(pairs + 0.5) == set(SPELLINGS) - {"cohen_kappa(weights=linear)"}
    assert fitting(np.random.default_rng(0).normal(size=(20, 3))) == {
        "krippendorff(level=interval)",
        "icc(k=1)",
    }
    assert fitting(np.array([[1.0, NAN], [NAN, 2.0]])) == set()


SPELLINGS = (
    "krippendorff(level=nominal)",
    "krippendorff(level=ordinal)",
    "krippendorff(level=interval)",
    "cohen_kappa(weights=none)",
    "cohen_kappa(weights=linear)",
    "fleiss_kappa",
    "icc(k=1)",
)
