"""How many items tell of a metric that is no mean."""

import numpy as np
import pytest

from tellapart.arrays import FloatArray
from tellapart.distributions.telling import telling_units
from tellapart.intervals import INTERVALS
from tellapart.metrics import METRICS
from tellapart.seeds import stream
from tellapart.summaries import Parts

SHORT = np.array([10.0, 10.0, 6.0, 4.0, 3.0, 2.0, 10.0, 9.0, 8.0, 7.0])
"""A segment of ten words, as BLEU counts it."""


def bleu(a: FloatArray, b: FloatArray, clusters: object = None) -> Parts:
    return Parts(a, b, METRICS.parse("bleu"), None if clusters is None else np.asarray(clusters))


def telling(sample: Parts) -> float:
    joint = np.concatenate([sample.a, sample.b], axis=-1)[np.newaxis]
    return float(telling_units(sample, joint)[0])


def other(parts: FloatArray) -> FloatArray:
    """The same with one match fewer of each order."""
    return np.where(np.isin(np.arange(10), [2, 3, 4, 5]), parts - 1.0, parts)


def test_equal_segments_tell_alike_and_ties_nothing() -> None:
    """Forty equal ones are forty, and as many as differ where the others are the same."""
    a = np.tile(SHORT, (40, 1))
    assert telling(bleu(a, other(a))) == pytest.approx(40.0)
    b = a.copy()
    b[:7] = other(a[:7])
    assert telling(bleu(a, b)) == 7.0


def test_one_long_segment_holds_most() -> None:
    """A segment as long as all thirty others together: (Σw)²/Σw² of weights 30 and thirty ones."""
    a = np.tile(SHORT, (31, 1))
    a[0] *= 30.0
    b = other(a)
    b[0] = other(SHORT) * 30.0
    assert telling(bleu(a, b)) == pytest.approx(60.0**2 / (30.0**2 + 30.0))


def test_weights_are_slopes_at_as_many_items() -> None:
    """Where a system matches no four words BLEU is smoothed by how many segments there are: (Σw)²/Σw² of slopes taken from values."""
    long, unlike = 1.0 + np.arange(9.0)[:, np.newaxis], np.where(np.arange(10) == 1, 1.1, 1.0)
    a, b = SHORT * long * unlike * (np.arange(10) != 5), SHORT * long[::-1] * unlike
    metric = METRICS.parse("bleu")

    def weights(parts: FloatArray) -> FloatArray:
        means = parts.mean(axis=0)
        steps = 1e-6 * np.diag(means)
        rise = [metric.value(means + step, 9) - metric.value(means - step, 9) for step in steps]
        slopes = np.array(rise) / np.where(means > 0.0, 2e-6 * means, 1.0)
        return np.asarray(parts @ np.abs(slopes))

    weight = weights(a) + weights(b)
    assert telling(bleu(a, b)) == pytest.approx(weight.sum() ** 2 / (weight**2).sum(), rel=1e-6, abs=0.0)


def test_clusters_are_the_units() -> None:
    """Of clusters the sums count: one differs in some item, another in none, and sizes weigh."""
    a = np.tile(SHORT, (6, 1))
    b = a.copy()
    b[[0, 1, 5]] = other(a[[0, 1, 5]])
    assert telling(bleu(a, b, [0, 0, 1, 1, 2, 2])) == 2.0
    b = other(a)
    assert telling(bleu(a, b, [0, 0, 0, 0, 1, 1])) == pytest.approx(36.0 / (16.0 + 4.0))


def test_a_rare_class_holds_its_share() -> None:
    """Two classes count alike in balanced accuracy: two items of one weigh as much as ninety-eight of the other."""
    metric = METRICS.parse("balanced_accuracy")
    labels = np.array([0] * 98 + [1] * 2)
    rng = np.random.default_rng(0)
    a, b = (np.where(rng.random(100) < 0.5, labels, 1 - labels) for _ in range(2))
    a[-2:], b[-2:] = [0, 1], [1, 0]
    first, second = (metric.count(labels, x, ("0", "1")) for x in (a, b))  # type: ignore[attr-defined]
    assert 2.0 < telling(Parts(first, second, metric)) < 8.0


@pytest.mark.parametrize("metric", ["mean", "accuracy"])
def test_all_items_of_a_mean_tell(metric: str) -> None:
    """What ties and tails of a mean do shows in its differences."""
    sample = Parts(np.ones((9, 1)), np.ones((9, 1)), METRICS.parse(metric))
    assert telling_units(sample, np.zeros((4, 9, 1))).tolist() == [9.0] * 4


def test_the_bootstrap_allows_for_few_that_tell() -> None:
    """Four of sixty segments differ: no narrower than Student's interval with three degrees of freedom."""
    rng = np.random.default_rng(2)
    a: FloatArray = SHORT * rng.integers(1, 3, size=(60, 1)).astype(np.float64)
    b = a.copy()
    b[:4] = other(a[:4])
    sample = bleu(a, b)
    low, high = INTERVALS.parse("bootstrap(kind=studentised, resamples=999)").interval(
        sample, 0.95, stream(0)
    )
    error = sample.differences.values.std(ddof=1) / np.sqrt(60.0)
    assert high - low >= 2.0 * 3.18 * error


@pytest.mark.parametrize(("clusters", "units"), [(None, 6.0), ([0, 0, 1, 2, 2, 2], 3.0)])
def test_of_a_mean_all_units_tell(clusters: list[int] | None, units: float) -> None:
    """Items, or clusters, whether they differ or not; in every entry of a batch."""
    a = np.zeros((6, 1))
    sample = Parts(a, a, METRICS.parse("mean"), None if clusters is None else np.array(clusters))
    assert telling_units(sample, np.zeros((2, 6, 1))).tolist() == [units, units]


def test_nothing_tells_where_nothing_counts() -> None:
    """Items without anything that was found, or should be, weigh nothing."""
    none = np.zeros((2, 5, 6))
    sample = Parts(none[0, :, :3], none[0, :, 3:], METRICS.parse("f1"))
    assert telling_units(sample, none).tolist() == [0.0, 0.0]
