"""The mixed model of raters and items: lme4's p-values, closed forms, and what it refuses."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize, stats

from tellapart import Ratings
from tellapart.data.summaries.rater_samples import ByRaters, Crossed
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.metrics.mean import Mean


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def data_sets(oracle: Path) -> Iterator[tuple[str, ByRaters]]:
    every = rows(oracle / "ratings_fit_data.csv")
    for name in dict.fromkeys(row["dataset"] for row in every):
        own = [row for row in every if row["dataset"] == name]
        columns: dict[str, Any] = {role: [row[role] for row in own] for role in ("system", "item", "rater")}
        ratings = Ratings.from_columns(**columns, value=[float(row["rating"]) for row in own])
        yield name, ByRaters.of(ratings.pair("A", "B"), Mean())


def pvalue(test: str, sample: ByRaters) -> float:
    return float(TESTS.parse(test).apply(sample, stream(0)).pvalue)


def test_lme4_agrees(oracle: Path) -> None:
    """On PPLM, side-by-side MQM and simulated ratings: p-values by three laws, and Cochran's bounds."""
    known = {
        (row["case"], row["quantity"]): (float(row["value"]), float(row["tolerance"]))
        for row in rows(oracle / "ratings_fit.csv")
        if row["model"] == "differences" and "singular" not in row["quantity"]
    }
    seen = 0
    for case, sample in data_sets(oracle):
        if not isinstance(sample, Crossed):
            continue
        for df in ("kenward_roger", "satterthwaite", "cochran"):
            expected, tolerance = known[case, f"p_{df}"]
            assert pvalue(f"mixed_model(df={df})", sample) == pytest.approx(expected, abs=tolerance)
        bounds = INTERVALS.parse("mixed_model(df=cochran)").interval(sample, 0.95, stream(0))
        for bound, quantity in zip(bounds, ("low_cochran", "high_cochran"), strict=True):
            expected, tolerance = known[case, quantity]
            assert float(bound) == pytest.approx(expected, abs=tolerance)
        seen += 1
    assert seen == 3


def test_votes_by_raters_and_items(oracle: Path) -> None:
    """lme4 on votes as −1, 0 and 1: whoever was shown first, and with the order as a fixed effect, about which the interval lies evenly."""
    known = {row["quantity"]: float(row["value"]) for row in rows(oracle / "votes_clustered.csv")}
    from tellapart import read  # noqa: PLC0415  (only here)

    votes = read(oracle / "votes_data.csv").pair("A", "B")
    sample = ByRaters.of(replace(votes, b_first=None), Mean())
    for df in ("kenward_roger", "satterthwaite"):
        assert pvalue(f"mixed_model(df={df})", sample) == pytest.approx(known[f"p_{df}"], abs=1e-5)
    bounds = INTERVALS.parse("mixed_model").interval(ByRaters.of(votes, Mean()), 0.95, stream(0))
    assert float(sum(bounds)) / 2.0 == pytest.approx(known["effect_order_balanced"], abs=1e-5)


def profile(values: np.ndarray[Any, Any], *, reml: bool) -> tuple[float, float]:
    """Effect and plain error by maximising the dense likelihood of differences with gaps, by another program's search."""
    rater, item = np.nonzero(~np.isnan(values))
    y = values[rater, item]
    same_rater, same_item = rater[:, None] == rater, item[:, None] == item

    def cost(logs: np.ndarray[Any, Any]) -> tuple[float, float, float]:
        a, b, e = np.exp(2.0 * logs)
        cov = a * same_rater + b * same_item + e * np.eye(len(y))
        inverse = np.linalg.inv(cov)
        weight = inverse.sum()
        mean = (inverse @ y).sum() / weight
        residual = y - mean
        fit = np.linalg.slogdet(cov)[1] + residual @ inverse @ residual + (np.log(weight) if reml else 0.0)
        return float(fit), float(mean), float(weight**-0.5)

    def lowest(logs: Any) -> float:
        return cost(logs)[0]

    start = np.log([0.5, 0.5, 1.0])
    found: Any = optimize.fmin(lowest, start, xtol=1e-9, ftol=1e-12, maxiter=4000, disp=False)
    return cost(found)[1:]


@pytest.mark.parametrize("fit", ["reml", "ml"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_dense_search_agrees(fit: str, seed: int) -> None:
    """With gaps the normal law of the ratio is that of a likelihood climbed without structure."""
    rng = np.random.default_rng(seed)
    values = 0.2 + rng.normal(size=(7, 1)) + 0.8 * rng.normal(size=(1, 11)) + rng.normal(size=(7, 11))
    values[rng.random((7, 11)) < 0.3] = np.nan
    effect, error = profile(values, reml=fit == "reml")
    expected = 2.0 * stats.norm.sf(abs(effect / error))
    assert pvalue(f"mixed_model(df=normal, fit={fit})", Crossed(values)) == pytest.approx(expected, rel=1e-4, abs=0.0)


def test_balanced_closed_form() -> None:
    """Satterthwaite's degrees of freedom of three mean squares, by hand."""
    values = np.random.default_rng(4).normal(size=(6, 1)) + np.random.default_rng(5).normal(size=(6, 9))
    values += 0.7 * np.random.default_rng(6).normal(size=(1, 9))
    raters, items = values.shape
    mean, by_rater, by_item = values.mean(), values.mean(axis=1), values.mean(axis=0)
    rater = items * ((by_rater - mean) ** 2).sum() / (raters - 1)
    item = raters * ((by_item - mean) ** 2).sum() / (items - 1)
    rest = ((values - by_rater[:, None] - by_item + mean) ** 2).sum() / ((raters - 1) * (items - 1))
    assert min(rater, item) > rest
    total = rater + item - rest
    df = total**2 / (rater**2 / (raters - 1) + item**2 / (items - 1) + rest**2 / ((raters - 1) * (items - 1)))
    t = mean / np.sqrt(total / values.size)
    assert pvalue("mixed_model(df=satterthwaite)", Crossed(values)) == pytest.approx(
        2.0 * stats.t.sf(abs(t), df), rel=1e-9, abs=0.0
    )


def test_what_has_no_meaning_is_refused() -> None:
    """Kenward and Roger correct REML."""
    for registry in (TESTS, INTERVALS):
        with pytest.raises(SpellingError, match="leave fit out"):
            registry.parse("mixed_model(fit=ml)")


def test_it_says_how_it_judged() -> None:
    """The spelling says the law always; the label and the method name it in words."""
    test = TESTS.parse("mixed_model")
    assert str(test) == "mixed_model(df=kenward_roger)"
    assert test.interval == str(test)
    assert "Kenward–Roger" in test.label
    values = np.random.default_rng(1).normal(size=(4, 5))
    assert "Kenward and Roger" in test.apply(Crossed(values), stream(0)).method
