"""Laws that every metric obeys, and wrong metrics that each law catches.

Two metrics here are no part of the product: one smooths zero counts, so that it depends on the number of items, and one
has parts for every class. They show that the contract bears such metrics, through tests and intervals too.
"""

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.laws.law import Law, Laws, fails, spoiled
from tests.laws.setting import Setting, variants

from tellapart.data.scores import Scores
from tellapart.data.summaries import Parts, item_contributions
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS, Metric
from tellapart.metrics.counting.texts import Segment
from tellapart.metrics.from_labels import LabelMetric
from tellapart.metrics.from_texts import TextMetric

LAWS = Laws()
STEPS = 2000
"""Of the way between two systems along which slopes are added up."""


def parts_of(metric: Metric, items: int = 40, seed: int = 2) -> FloatArray:
    """Counts of each part per item: of texts and labels such as they can be, else any."""
    rng = np.random.default_rng(seed)
    if isinstance(metric, TextMetric):
        return metric.count([segment(rng) for _ in range(items)])
    if isinstance(metric, LabelMetric):
        labels = rng.integers(0, 2, size=items)
        predictions = np.where(rng.random(items) < 0.7, labels, rng.integers(0, 2, size=items))
        return metric.count(labels, predictions, ("0", "1"))
    return rng.integers(0, 4, size=(items, len(metric.parts()))).astype(float)


def segment(rng: np.random.Generator) -> Segment:
    """A reference of a few words, and a longer hypothesis that has most of them in their order."""
    reference = rng.choice(list("abcdefgh"), size=rng.integers(5, 12)).tolist()
    hypothesis = [word if rng.random() < 0.8 else "other" for word in reference] + ["more"] * rng.integers(3)
    return " ".join(hypothesis), (" ".join(reference),)


@dataclass(frozen=True)
class Precision(Metric):
    """tp / (tp + fp): what the wrong metrics spoil in one way each."""

    name = "precision"
    counts = True

    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:
        return ("tp", "fp")

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        found = means[..., 0] + means[..., 1]
        return np.asarray(np.divide(means[..., 0], found, out=np.zeros_like(found), where=found > 0.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        tp, fp = means[..., 0], means[..., 1]
        squared = np.where(tp + fp > 0.0, (tp + fp) ** 2, 1.0)
        return np.stack([fp / squared, -tp / squared], axis=-1)


@dataclass(frozen=True)
class Smoothed(Precision):
    """Precision with one false positive more in all: the smoothing depends on how many items there are."""

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        tp, fp = means[..., 0] * items, means[..., 1] * items
        return np.asarray(tp / (tp + fp + 1.0))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        tp, fp = means[..., 0] * items, means[..., 1] * items
        squared = (tp + fp + 1.0) ** 2
        return np.stack([items * (fp + 1.0) / squared, -items * tp / squared], axis=-1)


@dataclass(frozen=True)
class MacroPrecision(Metric):
    """The mean over classes of each class's precision; its parts are one `tp` and one `fp` for every class."""

    name = "macro_precision"
    counts = True

    def parts(self, classes: tuple[str, ...] = ("x", "y")) -> tuple[str, ...]:
        return tuple(f"{part}_{name}" for name in classes for part in ("tp", "fp"))

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        return np.asarray(Precision().value(_by_class(means), items).mean(axis=-1))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        each = _by_class(means)
        return np.asarray(Precision().gradient(each, items).reshape(means.shape) / each.shape[-2])


def _by_class(means: FloatArray) -> FloatArray:
    return means.reshape(*means.shape[:-1], -1, 2)


class OnePartSteeper(Precision):
    """The slope of the second part is 2 % too large."""

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        return np.asarray(super().gradient(means, items) * np.array([1.0, 1.02]))


class WrongGradient(Precision):
    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        return 0.9 * super().gradient(means, items)


class ForgetsItemsInGradient(Smoothed):
    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        return super().gradient(means, 1)


class JumpsNearTheTop(Precision):
    """Calls nearly perfect perfect: its slope is right wherever one is likely to look."""

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        found = super().value(means, items)
        return np.where(found > 0.85, 1.0, found)


class Total(Precision):
    """How many were right in all, and not of how many."""

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        return np.asarray(means[..., 0] * items)

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        slopes = np.zeros_like(means)
        slopes[..., 0] = items
        return slopes


class ClaimsToBeMean(Precision):
    linear = True


class Nameless(Precision):
    def parts(self, classes: tuple[str, ...] = ()) -> tuple[str, ...]:
        return ("tp", "tp")


class UndefinedAtZero(Precision):
    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        found = means.sum(axis=-1)
        return np.where(found > 0.0, super().value(means, items), np.nan)


class PoolsBatch(Precision):
    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        found = super().value(means, items)
        return np.full_like(found, found.mean())


class Backwards(Precision):
    """Says that less precision is better."""

    lower_is_better = True


class AnyNumbers(Precision):
    """Takes its parts for numbers of any sign, and says nothing against a count below 0."""

    counts = False


class Rugged(Precision):
    """Ripples so fine that the derivative, right as it is, tells nothing of what a single item changes."""

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        return np.asarray(super().value(means, items) + 1e-3 * np.sin(2e3 * means[..., 1]))

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        slopes = super().gradient(means, items)
        slopes[..., 1] += 2.0 * np.cos(2e3 * means[..., 1])
        return slopes


class TakesNegatives(Precision):
    def check(self, scores: Scores) -> None:
        replace_counts = Scores(scores.systems, scores.items, np.abs(scores.values), parts=scores.parts)
        super().check(replace_counts)


@LAWS.law(WrongGradient(), OnePartSteeper(), ForgetsItemsInGradient())
def gradient_is_the_derivative(setting: Setting) -> None:
    """Central differences agree with the gradient, the number of items held."""
    means, step = parts_of(setting.metric).mean(axis=0), 1e-6
    metric = setting.metric
    numeric = [
        float(metric.value(means + step * unit, 40) - metric.value(means - step * unit, 40)) / (2 * step)
        for unit in np.eye(len(means))
    ]
    np.testing.assert_allclose(metric.gradient(means, 40), numeric, rtol=1e-6, atol=1e-8)


@LAWS.law(JumpsNearTheTop())
def gradients_add_up_to_the_value(setting: Setting) -> None:
    """From a system that gets most wrong to one that gets nearly all right: what the slopes add up to is what the value gains."""
    good, bad = (parts.mean(axis=0) for parts in better_and_worse(setting.metric))
    gained = float(setting.metric.value(good, 40) - setting.metric.value(bad, 40))
    places = (np.arange(STEPS) + 0.5) / STEPS
    slopes = setting.metric.gradient(bad + places[:, np.newaxis] * (good - bad), np.full(STEPS, 40.0))
    assert float((slopes @ (good - bad)).mean()) == pytest.approx(gained, rel=0.01, abs=0.0)


@LAWS.law(Total())
def more_of_the_same_is_the_same(setting: Setting) -> None:
    """A metric is about the mean item: twice as many of the same make it neither better nor worse, once smoothing has worn off."""
    means = parts_of(setting.metric).mean(axis=0)
    some, twice = (float(setting.metric.value(means, items)) for items in (10**5, 2 * 10**5))
    assert twice == pytest.approx(some, rel=1e-3, abs=0.0)


@LAWS.law(ClaimsToBeMean())
def contributions_average_to_the_metric(setting: Setting) -> None:
    """The mean of what items contribute is the metric itself."""
    parts = parts_of(setting.metric)
    whole = setting.metric.value(parts.mean(axis=0), len(parts))
    np.testing.assert_allclose(item_contributions(parts, setting.metric).mean(), whole, rtol=1e-12)


@LAWS.law(WrongGradient(), Rugged())
def influence_predicts_the_jackknife(setting: Setting) -> None:
    """Leaving one item out moves the metric as its influence says, so standard errors agree within 3 %."""
    parts, n = parts_of(setting.metric, items=400), 400
    values = setting.metric.value((parts.sum(axis=0) - parts) / (n - 1), n - 1)
    jackknife = np.sqrt((n - 1) / n * np.square(values - values.mean()).sum())
    influence = item_contributions(parts, setting.metric).std(ddof=1) / np.sqrt(n)
    np.testing.assert_allclose(influence, jackknife, rtol=0.03)


@LAWS.law(PoolsBatch())
def batches_are_the_same_numbers(setting: Setting) -> None:
    """A batch axis changes nothing, and each entry may be of its own number of items."""
    metric, items = setting.metric, np.array([40.0, 7.0])
    batch = np.stack([parts_of(metric), parts_of(metric, seed=3)]).mean(axis=1)
    alone = [metric.value(row, n) for row, n in zip(batch, items, strict=True)]
    np.testing.assert_allclose(metric.value(batch, items), alone, rtol=1e-14)
    slopes = [metric.gradient(row, n) for row, n in zip(batch, items, strict=True)]
    np.testing.assert_allclose(metric.gradient(batch, items), slopes, rtol=1e-14)


@LAWS.law(ClaimsToBeMean())
def only_a_mean_is_linear(setting: Setting) -> None:
    """A metric says that it is linear if, and only if, it is the mean of its only part."""
    parts = setting.metric.parts()
    means = np.abs(np.random.default_rng(0).normal(size=(50, len(parts))))
    plain = len(parts) == 1 and np.allclose(setting.metric.value(means, 5), means[:, 0])
    assert setting.metric.linear == plain


@LAWS.law(Nameless())
def parts_have_names(setting: Setting) -> None:
    """Each part has a name of its own, which is how a file's columns are found."""
    parts = setting.metric.parts()
    assert parts
    assert len(set(parts)) == len(parts)


@LAWS.law(UndefinedAtZero())
def nothing_counted_is_a_number(setting: Setting) -> None:
    """Where all parts, or all but one, are zero, metric and gradient are finite: no resample spoils the others."""
    width = len(setting.metric.parts())
    for means in (np.zeros(width), *np.eye(width)):
        assert np.isfinite(setting.metric.value(means, 3))
        assert np.isfinite(setting.metric.gradient(means, 3)).all()


def better_and_worse(metric: Metric) -> tuple[FloatArray, FloatArray]:
    """Parts of a system that gets nearly all right, and of one that gets most wrong."""
    rng = np.random.default_rng(5)
    if isinstance(metric, TextMetric):
        right = [segment(rng) for _ in range(40)]
        wrong = [(" ".join(["other"] * 9), references) for _, references in right]
        return metric.count([(references[0], references) for _, references in right]), metric.count(wrong)
    if isinstance(metric, LabelMetric):
        labels = rng.integers(0, 2, size=40)
        chance = np.where(rng.random(40) < 0.9, 1 - labels, labels)
        return metric.count(labels, labels, ("0", "1")), metric.count(labels, chance, ("0", "1"))
    right_parts = np.array([part[:2] in {"tp", "tn"} for part in metric.parts()])
    return tuple(np.tile(np.where(right_parts == good, 9.0, 1.0), (40, 1)) for good in (True, False))  # type: ignore[return-value]


def _has_a_direction(setting: Setting) -> bool:
    """Of texts, labels and confusions it is known what is right; of numbers from elsewhere whoever asks has to say it."""
    metric, parts = setting.metric, {part[:2] for part in setting.metric.parts()}
    return isinstance(metric, TextMetric | LabelMetric) or parts <= {"tp", "tn", "fp", "fn"}


@LAWS.law(Backwards(), applies=_has_a_direction)
def better_is_where_it_says(setting: Setting) -> None:
    """Who gets nearly all right has the lower value where lower is better, and else the higher one."""
    metric = setting.metric
    good, bad = (float(metric.value(x.mean(axis=0), len(x))) for x in better_and_worse(metric))
    assert (good < bad) == metric.lower_is_better
    assert good != bad


@LAWS.law(AnyNumbers(), applies=lambda s: not s.metric.linear)
def only_means_take_any_number(setting: Setting) -> None:
    """What is no mean is made of counts, and says so: a part below 0 would be taken for one."""
    assert setting.metric.counts


@LAWS.law(TakesNegatives(), applies=lambda s: s.metric.counts)
def counts_below_zero_are_refused(setting: Setting) -> None:
    """A count below 0 is an error that names the system, the item and the part."""
    parts = setting.metric.parts()
    values = np.ones((2, 3, 1, len(parts)))
    values[1, 2, 0, -1] = -1.0
    scores = Scores(("a", "b"), (("", "x"), ("", "y"), ("", "z")), values, parts=parts)
    with pytest.raises(DataError, match=f"{re.escape(parts[-1])} of system 'b' on item 'z' is -1"):
        setting.metric.check(scores)


@pytest.mark.parametrize("metric", variants(METRICS), ids=str)
def test_spelling_round_trips(metric: Metric) -> None:
    """What is printed can be typed."""
    assert METRICS.parse(str(metric)) == metric


ALL = [Setting(None, metric) for metric in (*variants(METRICS), Precision(), Smoothed(), MacroPrecision())]


@pytest.mark.parametrize(("law", "setting"), LAWS.tried_in(ALL), ids=str)
def test_law(law: Law, setting: Setting) -> None:
    """Every metric obeys every law."""
    law.check(setting)


@pytest.mark.parametrize(("law", "wrong"), LAWS.controls, ids=spoiled)
def test_a_wrong_metric_is_caught(law: Law, wrong: Metric) -> None:
    """Negative control: the law fails on the metric that was made to break it."""
    assert fails(law, [Setting(None, wrong)])


def test_other_parts_are_refused() -> None:
    """Scores that hold other parts than the metric's are an error with the way out."""
    scores = Scores(("a", "b"), (("", "x"), ("", "y")), np.ones((2, 2, 1, 1)))
    with pytest.raises(DataError, match=r"made of tp, fp, fn of every item, but the scores hold score"):
        METRICS.parse("f1").check(scores)


@pytest.mark.parametrize("metric", [Smoothed(), MacroPrecision()], ids=str)
@pytest.mark.parametrize("clusters", [None, np.repeat(np.arange(15), 2)], ids=["items", "clusters"])
def test_metrics_of_every_kind_go_through(metric: Metric, clusters: Any) -> None:
    """A metric that depends on the number of items, or has parts per class, is tested and bounded like any other."""
    a, b = parts_of(metric, 30, seed=4), parts_of(metric, 30, seed=5)
    sample = Parts(a, b, metric, clusters)
    effect = float(metric.value(b.mean(axis=0), 30) - metric.value(a.mean(axis=0), 30))
    assert float(sample.effect) == pytest.approx(effect, rel=1e-12, abs=0.0)
    low, high = INTERVALS.parse("bootstrap(kind=studentised)").interval(sample, 0.95, stream(0))
    assert float(low) < effect < float(high)
    swapped = TESTS.parse("permutation").apply(replace(sample, a=b, b=a), stream(0))
    assert 0.0 < float(swapped.pvalue) <= 1.0
    assert float(swapped.direction) == -np.sign(effect)


def test_resampled_clusters_tell_how_many_items_they_hold() -> None:
    """Clusters of unequal size make resamples of unequal numbers of items, and the metric is told of each."""

    class Listening(Smoothed):
        def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
            told.update(np.unique(items).tolist())
            return super().value(means, items)

    told: set[float] = set()
    metric = Listening()
    clusters = np.repeat(np.arange(6), [1, 2, 3, 4, 5, 15])
    sample = Parts(parts_of(metric, 30, seed=4), parts_of(metric, 30, seed=5), metric, clusters)
    INTERVALS.parse("bootstrap(kind=studentised)").interval(sample, 0.95, stream(0))
    assert 30.0 in told
    assert {x for x in told if not 6.0 <= x <= 90.0} == set()
    assert len(told) > 20
