"""`both`: the larger p-value of two tests, and the test that inverts each interval."""

import numpy as np
import pytest
from scipy import stats

from tellapart.data.summaries import Differences, Parts
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.both import Both
from tellapart.metrics import METRICS
from tellapart.metrics.mean import Mean
from tellapart.numerics.null_laws.tails import Alternative

RESAMPLED = "bootstrap(kind=studentised, resamples=999)"
FLIPPED = "both(first=cluster_t(variance=cr2), second=cluster_sign_flip)"


def parts(values: object) -> Parts:
    b = np.asarray(values, dtype=float)[..., np.newaxis]
    return Parts(np.zeros_like(b), b, Mean())


def lopsided(seed: int, size: int = 30) -> Parts:
    """Many small gains and few large losses."""
    rng = np.random.default_rng(seed)
    return parts(np.where(rng.random(size) < 0.1, -1.0, rng.normal(0.15, 0.05, size)))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_it_is_the_larger_of_both(alternative: str) -> None:
    """On one stream the resamples are those of the bootstrap alone; either of the two is the larger one for some samples."""
    both = TESTS.parse(f"both(second={RESAMPLED}, alternative={alternative})")
    t, resampled = (TESTS.parse(f"{one}alternative={alternative})") for one in ("paired_t(", RESAMPLED[:-1] + ", "))
    larger = set()
    for seed in range(24):
        sample = lopsided(seed)
        found = both.apply(sample, stream(0))
        alone = [
            float(t.apply(sample.differences, stream(0)).pvalue),
            float(resampled.apply(sample, stream(0)).pvalue),
        ]
        assert float(found.pvalue) == max(alone)
        assert (float(found.error) == 0.0) == (alone[0] >= alone[1]), "the error is that of the larger one"
        larger.add(alone[0] > alone[1])
    assert larger == {True, False}


def test_clusters_flipped_and_between() -> None:
    """Both look at differences in clusters, and the larger p-value is that of one of them."""
    rng = np.random.default_rng(5)
    sample = Differences(rng.normal(0.2, 1.0, 48), np.arange(48) // 6)
    both = TESTS.parse(FLIPPED)
    single = [
        TESTS.parse(name).apply(sample, stream(0)).pvalue for name in ("cluster_sign_flip", "cluster_t(variance=cr2)")
    ]
    assert both.needs is Differences
    assert both.apply(sample, stream(0)).pvalue == max(single)


def test_its_spelling_is_whole() -> None:
    """What is left out is filled in, so that equal tests are equal, and so is the interval beside it."""
    spelled = "both(first=paired_t, second=bootstrap(kind=studentised))"
    assert str(TESTS.parse("both")) == spelled
    assert TESTS.parse(spelled) == Both()
    assert Both().interval == "both(first=student_t, second=bootstrap(kind=studentised))"
    assert Both().label == "paired t and studentised bootstrap, larger p"
    assert (
        TESTS.parse("both(first=cluster_t, second=cluster_sign_flip)").interval
        == "both(first=cluster_t(variance=cr2), second=cluster_sign_flip)"
    )


@pytest.mark.parametrize(
    ("spelling", "told"),
    [
        ("both(first=both)", "plain two-sided test"),
        ("both(first=paired_t(alternative=less))", "plain two-sided test"),
        ("both(first=equivalence(margin=0.1))", "plain two-sided test"),
        ("both(first=wilcoxon)", "same number"),
        ("both(first=permutation)", "permutation inverts no interval"),
        ("both(second=mcnemar)", "inverts no interval"),
    ],
)
def test_what_cannot_be_combined_is_refused(spelling: str, told: str) -> None:
    """A side or a margin is said outside; both are about one number; what inverts no interval would have none beside it."""
    with pytest.raises(SpellingError, match=told):
        TESTS.parse(spelling)


@pytest.mark.parametrize(
    ("interval", "test"),
    [
        ("student_t", "paired_t"),
        ("cluster_sign_flip", "cluster_sign_flip"),
        ("bootstrap(kind=bca)", "bootstrap(kind=bca)"),
        ("mixed_model(df=cochran)", "mixed_model(df=cochran)"),
        ("tango", "mcnemar(variant=mid_p)"),
        (str(Both().interval), str(Both())),
        (FLIPPED, FLIPPED),
        (
            f"both(first=student_t, second={RESAMPLED})",
            f"both(first=paired_t, second={RESAMPLED})",
        ),
    ],
)
def test_an_interval_has_its_test(interval: str, test: str) -> None:
    """With its options; one that no test inverts has none, nor has a hull that holds it."""
    assert str(TESTS.parse(str(INTERVALS.parse(interval).inverse))) == test
    assert INTERVALS.parse("wald").inverse is None
    assert INTERVALS.parse("both(first=wald, second=newcombe)").inverse is None


@pytest.mark.parametrize(
    ("test", "needed"),
    [
        ("both(first=paired_t, second=bootstrap)", False),
        ("both(first=cluster_t, second=bootstrap)", True),
        ("both(first=paired_t, second=cluster_t)", True),
        (FLIPPED, True),
    ],
)
def test_clusters_are_needed_where_either_needs_them(test: str, needed: bool) -> None:
    """Without clusters one of the two has no answer, and so no larger p-value."""
    assert TESTS.parse(test).needs_clusters is needed


@pytest.mark.parametrize("null", [0.0, 0.1, -0.3, 1.0])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_at_any_margin_it_is_the_larger_of_both(null: float, alternative: Alternative) -> None:
    """Differences are moved by the margin, also by one of 1: t tests of scipy, the wider one over pairs of items."""
    values = np.random.default_rng(4).normal(0.4, 0.8, size=40)
    values[20:] += values[:20] - values[20:].mean()
    pairs = np.arange(40) % 20
    test = TESTS.parse(f"both(first=cluster_t(variance=cr1), second=paired_t, alternative={alternative})")
    found = test.against(Differences(values, pairs), null, stream(0))
    plain = stats.ttest_1samp(values, null, alternative=alternative)
    sums = values.reshape(2, 20).sum(axis=0) - 2.0 * values.mean()
    t = (values.mean() - null) / (np.sqrt(20.0 / 19.0 * (sums**2).sum()) / 40.0)
    tails = {
        "less": stats.t.cdf(t, 19),
        "greater": stats.t.sf(t, 19),
        "two-sided": 2.0 * stats.t.sf(abs(t), 19),
    }
    assert float(found.pvalue) == pytest.approx(max(float(plain.pvalue), float(tails[alternative])), rel=1e-9, abs=0.0)
    assert float(found.statistic) == pytest.approx(t)
    assert float(found.direction) == np.sign(values.mean() - null)


def test_two_that_point_to_different_sides_agree_on_nothing() -> None:
    """Ratios so skewed that the effect is below zero and their interval at a low level above it: the hull holds zero at any level."""
    values = np.random.default_rng(11).exponential(size=30)
    sample = parts(values - values.mean() - 0.003)
    t = TESTS.parse("paired_t").apply(sample.differences, stream(0))
    resampled = TESTS.parse(RESAMPLED).apply(sample, stream(0))
    assert float(t.direction) == -float(resampled.direction) == -1.0
    assert max(float(t.pvalue), float(resampled.pvalue)) < 1.0
    found = {
        side: float(TESTS.parse(f"both(second={RESAMPLED}, alternative={side})").apply(sample, stream(0)).pvalue)
        for side in ("two-sided", "greater", "less")
    }
    assert found["two-sided"] == 1.0 == min(1.0, 2.0 * min(found["greater"], found["less"]))


@pytest.mark.parametrize("null", [0.0, 0.2])
def test_metrics_that_are_no_means(null: float) -> None:
    """Student's t looks at each item's influence on F1, the bootstrap computes F1 again; both can be asked about any margin."""
    a, b = (np.eye(3)[np.random.default_rng(seed).integers(0, 3, size=60)] for seed in (1, 2))
    sample = Parts(a, b, METRICS.parse("f1"))
    found = TESTS.parse(f"both(second={RESAMPLED})").against(sample, null, stream(0))
    alone = [
        float(TESTS.parse("paired_t").against(sample.differences, null, stream(0)).pvalue),
        float(TESTS.parse(RESAMPLED).against(sample, null, stream(0)).pvalue),
    ]
    assert float(found.pvalue) == max(alone)
    assert alone[0] != alone[1]
