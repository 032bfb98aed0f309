"""Standardised effect sizes, against R and by hand."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.data.pair import Pair
from tellapart.data.summaries import Differences, Discordance, Parts
from tellapart.methods.effects import EFFECTS
from tellapart.metrics import METRICS
from tellapart.numerics.null_laws.signed_ranks import midranks

MEAN = METRICS.parse("mean")
REFERENCE = {
    "d_z": "cohen_dz",
    "d_av_mean_sd": "cohen_dav",
    "hedges_g_z_exact": "hedges_g",
    "rank_biserial_matched_zeros_dropped": "rank_biserial",
}


def size(name: str, sample: Any) -> float:
    return float(EFFECTS.parse(name).value(sample))


def suited(name: str, a: Any, b: Any) -> Any:
    """The summary an effect size needs, of two columns of scores."""
    a, b = (np.asarray(x, dtype=float)[..., np.newaxis, np.newaxis] for x in (a, b))
    return EFFECTS[name].needs.of(Pair(a, b), MEAN)


def counts(wins: int, losses: int) -> Discordance:
    return Discordance(np.asarray(3), np.asarray(wins), np.asarray(losses), np.asarray(1))


@pytest.mark.parametrize(("quantity", "name"), REFERENCE.items())
def test_as_in_r(quantity: str, name: str, reference: Any) -> None:
    """Effect sizes are those of R on every reference data set; NA and Inf there are undefined here."""
    data = reference("datasets.csv")
    rows = [row for row in reference("tests_on_data.csv") if row["quantity"] == quantity]
    assert len(rows) >= 16
    for row in rows:
        scores = [[float(r[key]) for r in data if r["dataset"] == row["dataset"]] for key in ("score_b", "score_a")]
        expected = float(row["value"]) if row["value"] not in {"NA", "Inf"} else np.nan
        assert expected == pytest.approx(size(name, suited(name, *scores)), rel=1e-9, abs=1e-12, nan_ok=True), row


def test_midranks_as_in_scipy() -> None:
    """Ties share the mean of their ranks, row by row."""
    values = np.random.default_rng(0).integers(0, 5, size=(4, 3, 11)).astype(float)
    np.testing.assert_array_equal(stats.rankdata(values, axis=-1), midranks(values))


def test_probability_of_superiority_counts_ties_half() -> None:
    """Two wins, one loss and a tie of float noise out of four items."""
    sample = suited("probability_of_superiority", [0.1, 0.2, 0.5, 0.1 + 0.2], [0.4, 0.3, 0.4, 0.3])
    assert size("probability_of_superiority", sample) == 0.625


def test_counts_of_right_and_wrong() -> None:
    """The odds ratio is wins a loss, and g the share of wins less one half."""
    assert size("odds_ratio", counts(12, 4)) == 3.0
    assert size("cohen_g", counts(12, 4)) == 0.25
    assert size("odds_ratio", counts(0, 4)) == 0.0


def test_undefined_is_nan() -> None:
    """Where there is nothing to divide by, no number is invented."""
    assert np.isnan(size("odds_ratio", counts(5, 0)))
    assert np.isnan(size("cohen_g", counts(0, 0)))
    same = np.array([0.1, 0.3, 0.7])
    noisy_shift = same + 0.1
    assert np.isnan(size("cohen_dz", suited("cohen_dz", same, noisy_shift)))
    assert np.isnan(size("hedges_g", suited("hedges_g", [0.0, 1.0], [1.0, 3.0])))
    assert np.isnan(size("rank_biserial", suited("rank_biserial", same, same)))
    assert np.isnan(size("cohen_dav", suited("cohen_dav", [1.0, 1.0], [2.0, 2.0])))
    assert size("probability_of_superiority", suited("probability_of_superiority", same, same)) == 0.5


@pytest.mark.parametrize("name", list(EFFECTS))
def test_batch_equals_loop(name: str) -> None:
    """Simulated evaluations get the sizes that each would get alone."""
    a, b = np.random.default_rng(3).integers(0, 2, size=(2, 5, 3, 40)).astype(float)
    together = EFFECTS.parse(name).value(suited(name, a, b))
    assert together.shape == (5, 3)
    alone = [[size(name, suited(name, a[i, j], b[i, j])) for j in range(3)] for i in range(5)]
    np.testing.assert_allclose(together, alone, rtol=1e-12)


def test_metric_of_parts_is_measured_by_influence() -> None:
    """For F1 the sizes are those of what items contribute, so that dz is the effect over √n standard errors."""
    a, b = np.random.default_rng(6).integers(0, 4, size=(2, 30, 3)).astype(float)
    sample = Parts(a, b, METRICS.parse("f1"))
    spread = sample.differences.values.std(ddof=1)
    assert size("cohen_dz", sample.differences) == pytest.approx(float(sample.effect) / spread)
    assert np.isfinite(size("cohen_dav", sample))
    assert isinstance(sample.differences, Differences)


def test_what_they_say_of_themselves() -> None:
    """The name that a report prints, the value where neither system is ahead, and whether it is a ratio."""
    told = {name: (EFFECTS[name].label, EFFECTS[name].neutral, EFFECTS[name].inverts) for name in EFFECTS}
    assert told == {
        "cohen_dz": ("Cohen's dz", 0.0, False),
        "cohen_dav": ("Cohen's d_av", 0.0, False),
        "hedges_g": ("Hedges' g", 0.0, False),
        "rank_biserial": ("matched rank-biserial correlation", 0.0, False),
        "probability_of_superiority": ("probability of superiority", 0.5, False),
        "cohen_g": ("Cohen's g", 0.0, False),
        "odds_ratio": ("matched odds ratio", 1.0, True),
    }


def test_rank_biserial_is_made_of_the_ranks() -> None:
    """Ranks of gains less those of losses over all ranks, with zeros and ties, for every sample of a batch."""
    differences = np.random.default_rng(3).integers(-4, 6, size=(5, 3, 40)).astype(float)
    found = EFFECTS.parse("rank_biserial").value(Differences(differences))
    for place in np.ndindex(5, 3):
        differing = differences[place][differences[place] != 0.0]
        ranks = stats.rankdata(np.abs(differing))
        assert found[place] == (np.sign(differing) * ranks).sum() / ranks.sum()
