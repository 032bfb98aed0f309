"""`cautious`: the larger of a test's p-value and of the alpha at which an interval lets go of zero."""

import numpy as np
import pytest
from scipy import stats

from tellapart.distributions.tails import Alternative
from tellapart.errors import SpellingError
from tellapart.intervals import INTERVALS
from tellapart.metrics import METRICS
from tellapart.metrics.mean import Mean
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.significance.cautious import Cautious, inverse
from tellapart.summaries import Differences, Parts

RESAMPLED = "bootstrap(kind=studentised, resamples=999)"


def parts(values: object) -> Parts:
    b = np.asarray(values, dtype=float)[..., np.newaxis]
    return Parts(np.zeros_like(b), b, Mean())


def lopsided(seed: int, size: int = 30) -> Parts:
    """Many small gains and few large losses."""
    rng = np.random.default_rng(seed)
    return parts(np.where(rng.random(size) < 0.1, -1.0, rng.normal(0.15, 0.05, size)))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_it_is_the_larger_of_both(seed: int, alternative: str) -> None:
    """On the stream of the interval its resamples are the interval's own; the test's p-value has no chance in it."""
    sample = lopsided(seed)
    both = TESTS.parse(f"cautious(test=permutation, interval={RESAMPLED}, alternative={alternative})")
    bounds = TESTS.parse(f"{RESAMPLED[:-1]}, alternative={alternative})").apply(sample, stream(0))
    alone = TESTS.parse(f"permutation(alternative={alternative})").apply(sample, stream(0))
    assert both.apply(sample, stream(0)).pvalue == max(bounds.pvalue, alone.pvalue)


def test_it_claims_only_what_the_printed_interval_shows() -> None:
    """With p at most alpha the interval on the same stream leaves zero out, at every level tried."""
    claimed = 0
    for seed in range(40):
        sample = lopsided(seed, 60)
        found = float(TESTS.parse(f"cautious(interval={RESAMPLED})").apply(sample, stream(3)).pvalue)
        for alpha in (0.2, 0.1, 0.05):
            low, high = INTERVALS.parse(RESAMPLED).interval(sample, 1.0 - alpha, stream(3))
            claimed += found <= alpha
            assert not (found <= alpha and low <= 0.0 <= high)
    assert claimed > 0


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_with_the_wider_of_two_intervals_all_three_must_agree(alternative: str) -> None:
    """The largest of three p-values; it leaves zero out where the hull does, and is spelled in full."""
    hull = f"widest(first=student_t, second={RESAMPLED})"
    three = TESTS.parse(f"cautious(test=permutation, interval={hull}, alternative={alternative})")
    assert TESTS.parse(str(three)) == three
    assert TESTS.parse("cautious(interval=widest)") == TESTS.parse(
        "cautious(interval=widest(first=student_t, second=bootstrap(kind=studentised)))"
    )
    alone = [f"{RESAMPLED[:-1]}, ", "paired_t(", "permutation("]
    for seed in range(12):
        sample = lopsided(seed)
        found = [TESTS.parse(f"{one}alternative={alternative})") for one in alone]
        pvalues = [
            one.apply(sample.differences if one.needs is Differences else sample, stream(0)).pvalue
            for one in found
        ]
        assert three.apply(sample, stream(0)).pvalue == max(map(float, pvalues))
    assert "largest" in three.label


def test_where_nothing_varies_the_test_speaks_alone() -> None:
    """Every item differs by the same: the interval is a point, the permutation test has an answer."""
    sample = parts(np.full(12, 0.25))
    alone = TESTS.parse("permutation").apply(sample, stream(0)).pvalue
    assert TESTS.parse(f"cautious(interval={RESAMPLED})").apply(sample, stream(0)).pvalue == alone


def test_clusters_flipped_and_between() -> None:
    """Both look at differences in clusters, and the larger p-value is that of one of them."""
    rng = np.random.default_rng(5)
    sample = Differences(rng.normal(0.2, 1.0, 48), np.arange(48) // 6)
    both = TESTS.parse("cautious(test=cluster_sign_flip, interval=cluster_t(variance=cr2))")
    single = [
        TESTS.parse(name).apply(sample, stream(0)).pvalue
        for name in ("cluster_sign_flip", "cluster_t(variance=cr2)")
    ]
    assert both.needs is Differences
    assert both.apply(sample, stream(0)).pvalue == max(single)


def test_its_spelling_is_whole() -> None:
    """What is left out of the interval's spelling is filled in, so that equal tests are equal."""
    assert str(TESTS.parse("cautious")) == "cautious(test=permutation, interval=bootstrap(kind=studentised))"
    assert Cautious(interval="bootstrap") == Cautious()
    assert TESTS.parse(str(Cautious(interval="cluster_t"))) == Cautious(interval="cluster_t(variance=cr1)")


@pytest.mark.parametrize(
    "spelling",
    [
        "cautious(interval=wald)",
        "cautious(interval=tango)",
        "cautious(interval=widest(first=wald))",
        "cautious(test=cautious)",
        "cautious(test=paired_t(alternative=less))",
        "cautious(test=equivalence(margin=0.1))",
    ],
)
def test_what_cannot_be_combined_is_refused(spelling: str) -> None:
    """A side or a margin is said outside, and an interval without a test of its own cannot be held against zero."""
    with pytest.raises(SpellingError, match="cautious"):
        TESTS.parse(spelling)


@pytest.mark.parametrize(
    ("interval", "test"),
    [
        ("student_t", "paired_t"),
        ("bootstrap(kind=bca)", "bootstrap(kind=bca)"),
        ("widest", "cautious(test=paired_t, interval=bootstrap(kind=studentised))"),
        (
            "widest(first=cluster_t(variance=cr2))",
            "cautious(test=cluster_t(variance=cr2), interval=bootstrap(kind=studentised))",
        ),
    ],
)
def test_an_interval_has_its_test(interval: str, test: str) -> None:
    assert str(inverse(interval)) == test
    assert inverse("wald") is None
    assert str(inverse("tango")) == "mcnemar(variant=mid_p)"


def test_where_both_are_as_large_the_exact_one_has_no_chance_in_it() -> None:
    """Gains and losses that balance: the exact p-value is 1 and nothing is larger, whatever the resamples drew."""
    sample = parts([1.0, -1.0] * 10)
    alone = TESTS.parse("permutation").apply(sample, stream(0))
    bounds = TESTS.parse(RESAMPLED).apply(sample, stream(0))
    both = TESTS.parse(f"cautious(interval={RESAMPLED})").apply(sample, stream(0))
    assert float(alone.pvalue) == float(bounds.pvalue) == float(both.pvalue) == 1.0
    assert float(both.error) == float(alone.error) < 1e-12 < float(bounds.error)


@pytest.mark.parametrize(
    ("test", "interval", "needed"),
    [
        ("permutation", "bootstrap(kind=studentised)", False),
        ("permutation", "cluster_t", True),
        ("cluster_sign_flip", "student_t", True),
        ("cluster_sign_flip", "cluster_t", True),
    ],
)
def test_clusters_are_needed_where_either_needs_them(test: str, interval: str, needed: bool) -> None:
    """Without clusters one of the two has no answer, and so no larger p-value."""
    both = TESTS.parse(f"cautious(test={test}, interval={interval})")
    assert both.needs_clusters is needed


@pytest.mark.parametrize("null", [0.0, 0.1, -0.3, 1.0])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_at_any_margin_it_is_the_larger_of_both(null: float, alternative: Alternative) -> None:
    """Differences are moved by the margin, also by one of 1: t tests of scipy, the wider one over pairs of items."""
    values = np.random.default_rng(4).normal(0.4, 0.8, size=40)
    values[20:] += values[:20] - values[20:].mean()
    pairs = np.arange(40) % 20
    test = TESTS.parse(f"cautious(test=cluster_t, interval=student_t, alternative={alternative})")
    found = test.against(Differences(values, pairs), null, stream(0))
    plain = stats.ttest_1samp(values, null, alternative=alternative)
    sums = values.reshape(2, 20).sum(axis=0) - 2.0 * values.mean()
    t = (values.mean() - null) / (np.sqrt(20.0 / 19.0 * (sums**2).sum()) / 40.0)
    tails = {
        "less": stats.t.cdf(t, 19),
        "greater": stats.t.sf(t, 19),
        "two-sided": 2.0 * stats.t.sf(abs(t), 19),
    }
    assert float(found.pvalue) == pytest.approx(
        max(float(plain.pvalue), float(tails[alternative])), rel=1e-9, abs=0.0
    )
    assert float(found.statistic) == pytest.approx(t)
    assert float(found.direction) == np.sign(values.mean() - null)


def test_metrics_that_cannot_be_moved_are_judged_at_zero() -> None:
    """F1 has no differences item by item that a margin could be taken off: at zero nothing is moved, and both answer."""
    a, b = (np.eye(3)[np.random.default_rng(seed).integers(0, 3, size=60)] for seed in (1, 2))
    sample = Parts(a, b, METRICS.parse("f1"))
    found = TESTS.parse(f"cautious(interval={RESAMPLED})").apply(sample, stream(0))
    both = [TESTS.parse(one).apply(sample, stream(0)).pvalue for one in ("permutation", RESAMPLED)]
    assert float(found.pvalue) == max(float(one) for one in both)
