"""The bootstrap test inverts the bootstrap interval."""

from typing import Any

import numpy as np
import pytest

from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS, bootstrap
from tellapart.methods.significance.bootstrap import Bootstrap
from tellapart.metrics import METRICS
from tellapart.numerics.null_laws.tails import counting_error
from tellapart.numerics.resampling.bootstrap_bounds import bootstrap_bounds, bootstrap_tails
from tellapart.numerics.resampling.draws import Replicates, map_replicates

MEAN = METRICS.parse("mean")
KINDS = ("percentile", "bca", "studentised")


def parts(differences: FloatArray, clusters: Any = None) -> Parts:
    column = np.asarray(differences, dtype=float)[..., np.newaxis]
    return Parts(np.zeros_like(column), column, MEAN, clusters)


def replicates(sample: Parts, resamples: int = 999) -> Replicates:
    kept: list[Replicates] = []

    def keep(found: Replicates) -> tuple[FloatArray]:
        kept.append(found)
        return (found.effect,)

    map_replicates(sample, resamples, stream(0), keep)
    (found,) = kept
    return found


SAMPLES = {
    "skewed": np.random.default_rng(0).exponential(size=60) - 0.7,
    "negative": -np.random.default_rng(1).exponential(size=55) + 0.6,
    "likert": np.random.default_rng(2).integers(-1, 3, size=70).astype(float) - 0.25,
    "rare": np.repeat([0.0, 1.0, -1.0], [52, 6, 1]),
    "tied": np.concatenate([np.zeros(50), np.random.default_rng(3).normal(0.4, 1.0, size=20)]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SAMPLES)
def test_p_is_where_the_interval_begins_to_leave_zero_out(name: str, kind: Any) -> None:
    """Just above p the interval leaves zero out, just below it does not."""
    found = replicates(parts(SAMPLES[name]))
    tails = bootstrap_tails(kind, found, 0.0)
    p = 2.0 * min(float(t[0]) for t in tails)
    assert 0.002 <= p < 0.9
    for alpha, outside in ((p * 1.001, True), (p * 0.97, False)):
        if alpha / 2.0 * 1000 < 1.0:
            continue
        low, high = bootstrap_bounds(kind, found, 1.0 - alpha)
        assert (low[0] > 0.0 or high[0] < 0.0) == outside


@pytest.mark.parametrize("values", [[1, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 0, 1, 1, 1], [1, 2, 3, 0, 0, 0, 0, 0]])
def test_thin_scores_invert_too(values: list[float]) -> None:
    """Where many resamples are without spread, test and interval still tell one story."""
    found = replicates(parts(np.array(values)), resamples=9_999)
    p = 2.0 * min(float(t[0]) for t in bootstrap_tails("studentised", found, 0.0))
    flat = float(np.mean(found.errors == 0.0))
    assert 0.0 < flat < p < 1.0, "a resample without spread counts against rejecting"
    for alpha, outside in ((p * 1.002, True), (p * 0.98, False)):
        low, high = bootstrap_bounds("studentised", found, 1.0 - alpha)
        assert (low[0] > 0.0 or high[0] < 0.0) == outside


@pytest.mark.parametrize("kind", KINDS)
def test_sides(kind: Any) -> None:
    """B above A: the one-sided p in its favour is half of the two-sided one, the other side is near 1."""
    sample = parts(np.random.default_rng(3).normal(loc=0.3, size=60))
    p = {
        side: float(Bootstrap(kind=kind, alternative=side).apply(sample, stream(0)).pvalue)
        for side in ("two-sided", "greater", "less")
    }
    assert p["two-sided"] == pytest.approx(2.0 * p["greater"])
    assert p["less"] > 0.9
    outcome = Bootstrap(kind=kind).apply(sample, stream(0))
    assert float(outcome.direction) == 1.0
    assert float(outcome.error) > 0.0
    assert "resamples of items" in outcome.method


@pytest.mark.parametrize("kind", KINDS)
def test_p_is_never_zero(kind: Any) -> None:
    """An overwhelming effect has the smallest p that so many resamples can show, two-sided."""
    sample = parts(np.random.default_rng(4).normal(loc=50.0, size=60))
    assert float(Bootstrap(kind=kind, resamples=499).apply(sample, stream(0)).pvalue) == pytest.approx(2 / 500)


@pytest.mark.parametrize("kind", KINDS)
def test_no_spread(kind: Any) -> None:
    """Nothing differs: p = 1. Everything differs by the same: undefined."""
    same = Bootstrap(kind=kind).apply(parts(np.zeros(60)), stream(0))
    assert float(same.pvalue) == 1.0
    assert float(same.direction) == 0.0
    base = np.random.default_rng(5).random((60, 1))
    shifted = Bootstrap(kind=kind).apply(Parts(base, base + 0.1, MEAN), stream(0))
    assert np.isnan(shifted.pvalue)


def test_a_margin_moves_the_null() -> None:
    """Testing against a margin is testing shifted differences, for a mean; F1, which cannot be shifted, works too."""
    values = np.random.default_rng(6).normal(loc=0.2, size=60)
    one = Bootstrap().against(parts(values), 0.1, stream(0))
    other = Bootstrap().apply(parts(values - 0.1), stream(0))
    assert float(one.pvalue) == pytest.approx(float(other.pvalue), rel=1e-9, abs=0.0)
    a, b = np.random.default_rng(7).integers(0, 4, size=(2, 60, 3)).astype(float)
    f1 = Bootstrap(alternative="less").against(Parts(a, b, METRICS.parse("f1")), 0.5, stream(0))
    assert float(f1.pvalue) < 0.001


def test_size_of_a_skewed_mean() -> None:
    """Under a true null with 25 exponential items the studentised test rejects about as often as it says."""
    values = np.random.default_rng(8).exponential(size=(1_200, 25)) - 1.0
    pvalue = Bootstrap(resamples=499).apply(parts(values), stream(0)).pvalue
    assert 0.03 < float(np.mean(pvalue <= 0.05)) < 0.08


def test_whole_clusters_are_drawn() -> None:
    """Items that move together in ten clusters are ten observations, not a hundred."""
    codes = np.repeat(np.arange(10), 10)
    values = np.random.default_rng(9).normal(loc=0.3, size=10)[codes]
    together = Bootstrap().apply(parts(values, codes), stream(0))
    apart = Bootstrap().apply(parts(values), stream(0))
    assert float(together.pvalue) > 5.0 * float(apart.pvalue)
    assert "clusters" in together.method


def test_percentile_refuses_few_items() -> None:
    """Below 50 items the percentile bootstrap is refused with the kind to use."""
    with pytest.raises(Unsuitable, match="kind=studentised"):
        Bootstrap(kind="percentile").apply(parts(np.arange(49.0)), stream(0))


def test_names_its_interval() -> None:
    """The interval printed beside the test is the one it inverts."""
    assert TESTS.parse("bootstrap").interval == "bootstrap(kind=studentised)"
    assert Bootstrap(kind="bca").interval == "bootstrap(kind=bca)"


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        ("studentised", "studentised bootstrap"),
        ("percentile", "percentile bootstrap"),
        ("bca", "BCa bootstrap"),
    ],
)
def test_each_kind_has_its_name(kind: Any, label: str) -> None:
    """The label in a report says which bootstrap, of the test and of its interval."""
    assert Bootstrap(kind=kind).label == label
    assert INTERVALS.parse(f"bootstrap(kind={kind})").label == label


@pytest.mark.parametrize(("alternative", "tails"), [("two-sided", 2.0), ("less", 1.0), ("greater", 1.0)])
def test_statistic_and_error(alternative: Any, tails: float) -> None:
    """The effect in its standard error, and what counting 199 resamples leaves open: twice that where a tail is doubled."""
    values = np.random.default_rng(12).normal(loc=0.1, size=60)
    found = Bootstrap(alternative=alternative, resamples=199).against(parts(values), 0.05, stream(0))
    error = values.std(ddof=1) / np.sqrt(60)
    assert float(found.statistic) == pytest.approx((values.mean() - 0.05) / error, rel=1e-9, abs=0.0)
    assert float(found.direction) == np.sign(values.mean() - 0.05)
    p = float(found.pvalue) / tails
    assert float(found.error) == pytest.approx(tails * counting_error(np.asarray(p), 199), rel=1e-12, abs=0.0)
    assert found.method == "199 resamples of items"


def test_an_effect_short_of_the_null_points_below_it() -> None:
    """The direction is seen from the null that is tested, not from zero."""
    values = np.random.default_rng(12).normal(loc=0.3, size=60)
    directions = [
        float(Bootstrap(resamples=199).against(parts(values), null, stream(0)).direction) for null in (-0.5, 0.0, 1.0)
    ]
    assert directions == [1.0, 1.0, -1.0]


def test_too_few_resamples_are_refused() -> None:
    """A p-value of 5 % needs more than a handful of resamples to be seen."""
    with pytest.raises(SpellingError, match="at least 99"):
        Bootstrap(resamples=20)


def test_bca_refuses_few_items() -> None:
    """Its percentiles are no longer than their own: five items in a row would have p = 0.0002."""
    with pytest.raises(Unsuitable, match="BCa bootstrap of 49 items"):
        Bootstrap(kind="bca").apply(parts(np.arange(49.0)), stream(0))
    assert np.isfinite(Bootstrap(kind="bca").apply(parts(np.arange(50.0)), stream(0)).pvalue)


@pytest.mark.parametrize(("clusters", "drawn"), [(2, False), (5, False), (6, True)])
@pytest.mark.parametrize("clustered", [False, True])
def test_fewer_than_six_units_claim_nothing(clusters: int, drawn: bool, clustered: bool) -> None:
    """Five of one sign have a sign-flip p of 1/16; their resamples would claim 1 in 10,000. Six are drawn again."""
    values = np.linspace(0.1, 0.11, clusters)
    codes = np.repeat(np.arange(clusters), 3) if clustered else None
    sample = parts(np.repeat(values, 3) if clustered else values, codes)
    test = TESTS.parse("bootstrap(kind=studentised)")
    found = test.apply(sample, stream(0))
    assert (float(found.pvalue) < 1.0) is drawn
    assert float(found.direction) == 1.0
    interval = INTERVALS.parse(test.interval)
    assert np.isfinite(interval.interval(sample, 0.95, stream(0))).all() == drawn
    batch = Parts(np.stack([sample.a] * 3), np.stack([sample.b] * 3), MEAN, codes)
    assert test.apply(batch, stream(0)).pvalue.shape == (3,)
    assert (test.apply(batch, stream(0)).pvalue < 1.0).tolist() == [drawn] * 3


@pytest.mark.parametrize(
    ("shift", "batch", "resamples"),
    [(0.0, False, "1,999"), (0.25, False, "9,999"), (1.5, False, "1,999"), (0.25, True, "1,999")],
)
def test_how_many_resamples(shift: float, batch: bool, resamples: str) -> None:
    """More where the p-value of one evaluation may be near alpha, for the test, its margins and its interval alike."""
    values = np.random.default_rng(2).normal(size=60)
    values += shift - values.mean()
    sample = parts(np.stack([values, values]) if batch else values)
    p = np.max(Bootstrap(resamples=1_999).apply(sample, stream(0)).pvalue)
    assert (0.005 <= p <= 0.2) == (shift == 0.25)
    for null in (0.0, 0.4):
        assert Bootstrap().against(sample, null, stream(0)).method == f"{resamples} resamples of items"
    named, automatic = (
        INTERVALS.parse(f"bootstrap(resamples={number})").interval(sample, 0.95, stream(0))
        for number in (resamples.replace(",", ""), "0")
    )
    np.testing.assert_array_equal(named, automatic)


def plainly(sample: Parts, null: float, resamples: int, seed: int) -> tuple[float, float]:
    """Both tails of the studentised bootstrap as a textbook has it: units copied one resample after the other.

    A resample without spread counts on either side, and so does the observed sample.
    """
    rng = np.random.default_rng(seed)
    codes = np.arange(sample.items) if sample.clusters is None else sample.clusters
    members = [np.flatnonzero(codes == code) for code in np.unique(codes)]

    def effect_and_error(units: Any) -> tuple[float, float]:
        items = np.concatenate([members[unit] for unit in units])
        again = Parts(sample.a[items], sample.b[items], sample.metric)
        influence = again.differences.values - again.differences.values.mean()
        ends = np.cumsum([len(members[unit]) for unit in units])[:-1]
        sums = np.array([part.sum() for part in np.split(influence, ends)])
        error = np.sqrt(np.sum(sums**2) * len(units) / (len(units) - 1.0)) / len(items)
        return float(again.effect), error if error > 1e-9 else 0.0

    effect, error = effect_and_error(range(len(members)))
    observed, beyond, below = (effect - null) / error, 1, 1
    for _ in range(resamples):
        again, spread = effect_and_error(rng.integers(0, len(members), len(members)))
        ratio = (again - effect) / spread if spread else np.nan
        beyond += not ratio < observed - 1e-9
        below += not ratio > observed + 1e-9
    return below / (resamples + 1.0), beyond / (resamples + 1.0)


def counts(seed: int, items: int, clusters: Any = None) -> Parts:
    """Counts that F1 is made of."""
    a, b = np.random.default_rng(seed).integers(0, 3, (2, items, 3)).astype(float)
    return Parts(a, b, METRICS.parse("f1"), clusters)


ORACLE = {
    "skewed": parts(np.random.default_rng(0).exponential(size=20) - 0.6),
    "seven": parts(np.array([0.0, 0.0, 0.0, 0.5, 0.5, 1.0, -0.5])),
    "one in eight": parts(np.repeat([1.0, 0.0], [7, 1])),
    "clusters": parts(
        np.random.default_rng(3).exponential(size=30) - 0.5, np.repeat(np.arange(8), [1, 2, 3, 4, 5, 6, 7, 2])
    ),
    "f1": counts(7, 25),
    "f1 in clusters": counts(8, 24, np.arange(24) // 3),
}


@pytest.mark.parametrize("null", [0.0, 0.3])
@pytest.mark.parametrize("name", ORACLE)
def test_studentised_as_in_a_textbook(name: str, null: float) -> None:
    """Both tails are those of a loop over resamples of copied items, within what 2,000 of them leave open."""
    sample, resamples = ORACLE[name], 2_000
    for side, expected in zip(("less", "greater"), plainly(sample, null, resamples, 5), strict=True):
        test = Bootstrap(resamples=19_999, alternative=side)  # type: ignore[arg-type]
        found = float(test.against(sample, null, stream(1)).pvalue)
        error = np.sqrt(expected * (1.0 - expected) * (1.0 / resamples + 1.0 / 19_999)) + 1.0 / resamples
        assert abs(found - expected) < 4.0 * error, (found, expected)


def test_work_that_was_stopped_says_the_fewest_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of entries may have been drawn unequally often: what is said holds for all of them."""
    b = np.random.default_rng(3).normal(0.2, 1.0, size=(3, 60, 1))

    def stopped(*asked: Any) -> Any:
        lower, upper, statistic, drawn = map_replicates(*asked)
        assert drawn.tolist() == [999.0] * 3
        return lower, upper, statistic, np.array([999.0, 300.0, 500.0])

    monkeypatch.setattr(bootstrap, "map_replicates", stopped)
    found = Bootstrap(resamples=999).apply(Parts(np.zeros_like(b), b, METRICS.parse("mean")), stream(0))
    assert found.method == "300 resamples of items"
    np.testing.assert_allclose(found.error, 2.0 * counting_error(found.pvalue / 2.0, 300), rtol=1e-12)
