"""Evidence: printed numbers carry over, predictions stay possible, and the default is the best that was seen."""

import csv
import gzip
import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.foundation.errors import SpellingError
from tellapart.populations.evidence import (
    EVIDENCE,
    Evidence,
    Gain,
    GlueGain,
    GlueOverlap,
    NoPrior,
    Overlap,
    RatingSpreads,
    Squad2Correlation,
    Squad2Gain,
    Squad2Overlap,
    Squad2Pairs,
    TypicalGain,
    gain_over,
    overlap_at,
)
from tellapart.populations.evidence.evidence import discordance_at, possible_discordance

ALL = [EVIDENCE.parse(example) for name in EVIDENCE for example in EVIDENCE[name].examples]
every = pytest.mark.parametrize("evidence", ALL, ids=str)
overlaps = pytest.mark.parametrize("evidence", [e for e in ALL if isinstance(e, Overlap)], ids=str)
gains = pytest.mark.parametrize("evidence", [e for e in ALL if isinstance(e, Gain)], ids=str)
share = st.floats(0.0, 1.0)


@every
def test_spelled_cited_and_portable(evidence: Evidence) -> None:
    """Every piece round-trips through its spelling, pickles, and names its source, range and uncertainty."""
    assert EVIDENCE.parse(str(evidence)) == evidence == pickle.loads(pickle.dumps(evidence))  # noqa: S301
    assert all([evidence.about, evidence.source, evidence.uncertainty, evidence.band, evidence.coefficients])
    low, high = evidence.accuracies
    assert 0.0 <= low < high <= 1.0
    assert [evidence.covers(x) for x in (low, 0.5 * (low + high), high)] == [True] * 3


@overlaps
@given(a=share, b=share)
def test_discordance_is_always_possible(evidence: Overlap, a: float, b: float) -> None:
    """Whatever was fitted, two accuracies are never given an overlap they cannot have, and the band is in order."""
    band = evidence.discordance(a, b)
    least, most = possible_discordance(a, b)
    assert least <= band.low <= band.expected <= band.high <= most
    swapped = evidence.discordance(b, a)
    assert (swapped.low, swapped.expected, swapped.high) == pytest.approx(
        (band.low, band.expected, band.high), abs=1e-12
    )


@gains
@given(baseline=share)
def test_gains_stay_within_the_errors_that_are_left(evidence: Gain, baseline: float) -> None:
    """No gain is larger than all the baseline gets wrong."""
    band = evidence.gain(baseline)
    assert -baseline <= band.low <= band.expected <= band.high <= 1.0 - baseline


@pytest.mark.parametrize(
    ("evidence", "a", "b", "expected"),
    [
        (GlueOverlap(), 0.92, 0.93, 1.0 - (0.4142 + 0.5819 * 0.92 - 0.4662 * 0.01)),
        (Squad2Overlap(), 0.90, 0.89, 1.0 - (0.4339 + 0.5932 * 0.89 - 1.2849 * 0.01)),
        (Squad2Pairs(), 0.70, 0.72, -0.01 + 0.99 * 0.02 + 0.66 * 0.28),
        (NoPrior(), 0.70, 0.72, 0.5 * (0.02 + 0.58)),
        (EVIDENCE.parse("benchmark_correlation(benchmark=math)"), 0.3, 0.4, discordance_at(0.3, 0.4, 0.41)),
        (Squad2Correlation(), 0.70, 0.735, discordance_at(0.70, 0.735, 0.56)),
    ],
    ids=str,
)
def test_printed_coefficients(evidence: Overlap, a: float, b: float, expected: float) -> None:
    """Predictions are those of the coefficients as their sources print them."""
    assert evidence.discordance(a, b).expected == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("evidence", "baseline", "points"),
    [
        (GlueGain(task="mrpc"), 0.92, 24.342 - 0.264 * 92.0 + 0.023),
        (GlueGain(task="wnli"), 0.945, 24.342 - 0.264 * 94.5 - 0.520),
        (Squad2Gain(), 0.90724, 13.31 - 14.08 * 0.90724),
        (TypicalGain(), 0.92, 7.78 * 0.08),
    ],
    ids=str,
)
def test_printed_gains(evidence: Gain, baseline: float, points: float) -> None:
    """Gains as printed; for the tasks of table 9 they are what it calls the expected effect, within its digits."""
    assert 100.0 * evidence.gain(baseline).expected == pytest.approx(points, abs=1e-9)


def test_residuals_follow_from_the_printed_likelihoods() -> None:
    """The sd around tables 5, 6 and 8 is that of a normal with the printed log-likelihood, corrected for its coefficients."""
    for line, likelihood, rows, free in (
        (GlueOverlap.line.residual_sd, 818.14, 270, 3),
        (Squad2Overlap.line.residual_sd, 36.368, 14, 3),
        (Squad2Gain.residual_sd, 45.711, 14, 2),
    ):
        variance = np.exp(-2.0 * likelihood / rows - 1.0) / (2.0 * np.pi) * rows / (rows - free)
        assert line == pytest.approx(np.sqrt(variance), rel=1e-3, abs=0.0)


def test_ratings_are_on_the_scale_of_differences() -> None:
    """High and low as printed with their slopes doubled, and as measured on PPLM."""
    assert RatingSpreads(setting="high").coefficients["rater_effect_sd"] == 0.22
    assert list(RatingSpreads(setting="low").coefficients.values()) == [0.01, 0.08, 0.01, 0.26, 0.16]
    assert list(RatingSpreads(setting="pplm").coefficients.values()) == [0.01, 0.19, 0.14]


@pytest.mark.parametrize(
    ("accuracy", "expected"),
    [
        (0.7, "squad2_pairs"),
        (0.9, "squad2_pairs"),
        (0.92, "glue_overlap"),
        (0.99, "no_prior"),
        (0.589, "swe_bench_pairs"),
        (0.3, "swe_bench_pairs"),
        (0.05, "no_prior"),
    ],
)
def test_default_overlap(accuracy: float, expected: str) -> None:
    """The evidence with most pairs around the accuracy speaks; where none was seen, only what is possible."""
    assert str(overlap_at(accuracy)) == expected


@pytest.mark.parametrize(
    ("baseline", "dataset", "expected"),
    [
        (0.92, None, "typical_gain"),
        (0.92, "MRPC", "glue_gain(task=mrpc)"),
        (0.972, "SST-2", "glue_gain(task=sst-2)"),
        (0.945, "WNLI", "typical_gain"),
        (0.8, "SQuAD 2.0", "squad2_gain"),
        (0.7, "MMLU", "typical_gain"),
    ],
)
def test_default_gain(baseline: float, dataset: str | None, expected: str) -> None:
    """A dataset that evidence knows is answered by it, unless it expects no gain any more."""
    assert str(gain_over(baseline, dataset)) == expected


@pytest.mark.parametrize(
    "spelling",
    [
        "glue_overlab",
        "glue_gain",
        "glue_gain(task=cola)",
        "ratings(setting=middle)",
        "fitted_gain(intercept=1, baseline=0, error=-1)",
        "fitted_overlap(intercept=1, accuracy=0, gap=0, error=0.1, seen=0.9:0.2)",
    ],
)
def test_mistakes_are_refused(spelling: str) -> None:
    """What no source says cannot be spelled."""
    with pytest.raises(SpellingError):
        EVIDENCE.parse(spelling)


@pytest.fixture(scope="module")
def squad2_pairs(shared: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accuracies of both systems and their discordance, for all published pairs."""
    with gzip.open(shared / "nlppower_squad2_models.csv.gz", "rt") as file:
        accuracy = {row["index"]: float(row["dev_em"]) / 100.0 for row in csv.DictReader(file)}
    with gzip.open(shared / "nlppower_squad2_pairs_dev.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    sides = (np.array([accuracy[row[side]] for row in rows]) for side in "ij")
    return *sides, np.array([float(row["dev_disagree"]) for row in rows]) / 11_873  # type: ignore[return-value]


def test_squad2_pairs_hold_on_the_data(squad2_pairs: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    """The fit explains 95.6 % of the pairs' variance, and 80 % of them lie within its band."""
    a, b, discordance = squad2_pairs
    bands = [Squad2Pairs().past(x, y) for x, y in zip(a, b, strict=True)]
    errors = discordance - [band.expected for band in bands]
    assert 1.0 - errors.var() / discordance.var() == pytest.approx(0.956, abs=0.001)
    inside = (discordance >= [x.low for x in bands]) & (discordance <= [x.high for x in bands])
    assert inside.mean() == pytest.approx(0.8, abs=0.005)


def test_squad2_correlations_hold_on_the_data(
    squad2_pairs: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> None:
    """The printed quantiles are those of the pairs in each band of gaps, to two digits."""
    a, b, discordance = squad2_pairs
    gap, spread = np.abs(a - b), np.sqrt(a * (1 - a) * b * (1 - b))
    correlation = (0.5 * (a + b - discordance) - a * b) / spread
    known = Squad2Correlation()
    for i, (low, high) in enumerate([(0.0, 0.01), (0.01, 0.02), (0.02, 0.05), (0.05, 0.1), (0.1, 1.0)]):
        found = np.quantile(correlation[(gap >= low) & (gap < high)], [0.1, 0.5, 0.9])
        assert found == pytest.approx([known.tenth[i], known.median[i], known.ninetieth[i]], abs=0.006)


def test_typical_gain_holds_on_the_data(shared: Path) -> None:
    """The median and the outer tenths of claimed improvements, as shares of the baseline's errors."""
    with gzip.open(shared / "nlppower_glue_paper_annotations.csv.gz", "rt") as file:
        rows = [r for r in csv.DictReader(file) if r["SOTA.Comparison"] == "Y"]
    claimed = [r for r in rows if r["Claimed Improvement (Bolded or in text)"] == "Y"]
    baseline, new = (np.array([float(r[c]) for r in claimed]) for c in ("Previous Best", "Model Accuracy"))
    found = np.quantile((new - baseline) / (100.0 - baseline), [0.1, 0.5, 0.9])
    known = TypicalGain()
    assert len(claimed) == 61
    assert found == pytest.approx([known.tenth, known.median, known.ninetieth], abs=5e-5)


def test_gains_carry_no_noise() -> None:
    """What is printed with three decimals comes out with few: 24.342 − 0.264 · 92 + 0.023 points are 0.00077."""
    assert GlueGain(task="mrpc").gain(0.92).expected == 0.00077
    assert TypicalGain().gain(0.9).expected == 0.00778
