"""Calibration scenarios of metrics that are not means: simulated classifiers and translations."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray, IntArray, floats
from tellapart.foundation.seeds import Generator, stream
from tellapart.metrics import METRICS, Metric
from tellapart.numerics.roots import increasing_root
from tellapart.populations.confusion import Confusion
from tellapart.studies.calibration.difference_laws import normal
from tellapart.studies.calibration.laws import OFTEN
from tellapart.studies.calibration.scenario import DETECTED, Scenario

GROUP = "metrics"
SIZES = (30, 100, 300)
NEAREST = 0.9
"""Of the largest difference that there can be: few items ask for more."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Classifiers(Scenario):
    """Two classifiers of two classes, compared by a metric of confusion tables."""

    population: Confusion

    @property
    def metric(self) -> Metric:
        return self.population.metric

    @property
    def held(self) -> int:
        return self.items * 2 * len(self.metric.parts())

    @property
    def effect(self) -> float:
        _, largest = self.population.effect_range
        return min(DETECTED * self.population.sd_difference / float(np.sqrt(self.items)), NEAREST * largest)

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        cells = self.population.with_effect(effect).cells
        positive = rng.random((size, self.items)) < self.population.prevalence
        cell = cells.drawn(positive, rng.standard_normal((size, self.items)))
        a, b = cells.parts
        return Pair(a[cell][..., np.newaxis, :], b[cell][..., np.newaxis, :])


ORDERS = np.arange(1, 5)
"""Of n-grams."""
LENGTHS, SHORTER = (8, 40), 2
"""Words of the shortest and of the longest reference, and how many a hypothesis may lack at most."""
QUALITY, VARYING, ALIKE = 0.3, 0.4, 0.7
"""How likely a word is met, as a normal quantile: on average, how it varies from sentence to sentence, and how alike both systems are in it."""
STEEPEST = 3.0
"""The largest difference of quality that is looked for."""
LOOK = 20_000
"""Sentences that the spread of a difference is measured on."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Translations(Scenario):
    """Two translations of the same sentences, by corpus BLEU: an n-gram is met as likely as all of its words are."""

    @property
    def metric(self) -> Metric:
        return METRICS.parse("bleu")

    @property
    def held(self) -> int:
        return self.items * 2 * len(self.metric.parts())

    @property
    def effect(self) -> float:
        return DETECTED * self._contribution_sd / float(np.sqrt(self.items))

    @cached_property
    def _contribution_sd(self) -> float:
        """The standard deviation of what a sentence adds to the difference."""
        pair = self._drawn_pair((1, LOOK), 0.0, stream(0))
        a, b = (self._item_influence(parts[0, :, 0]) for parts in (pair.a, pair.b))
        return float((b - a).std())

    def _item_influence(self, parts: FloatArray) -> FloatArray:
        return np.asarray(parts @ self.metric.gradient(parts.mean(axis=0), LOOK))

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        return self._drawn_pair((size, self.items), _ahead(self.metric, effect), rng)

    def _drawn_pair(self, shape: tuple[int, int], ahead: float, rng: Generator) -> Pair:
        """B's quality is so much above A's."""
        length = rng.integers(LENGTHS[0], LENGTHS[1] + 1, shape)
        common = np.sqrt(ALIKE) * rng.standard_normal(shape)
        a, b = (_sentence_parts(length, common, QUALITY + more, rng) for more in (0.0, ahead))
        return Pair(a, b)


def _sentence_parts(length: IntArray, common: FloatArray, quality: float, rng: Generator) -> FloatArray:
    """Lengths of hypothesis and reference, then matches and n-grams of each order, `(*shape, 1, part)`."""
    own = np.sqrt(1.0 - ALIKE) * rng.standard_normal(length.shape)
    met = special.ndtr(quality + VARYING * (common + own))[..., np.newaxis] ** ORDERS
    hypothesis = length - rng.binomial(SHORTER, 0.5, length.shape)
    possible = hypothesis[..., np.newaxis] - ORDERS + 1
    lengths = np.stack([hypothesis, length], axis=-1)
    return floats(np.concatenate([lengths, rng.binomial(possible, met), possible], axis=-1)[..., np.newaxis, :])


def _ahead(metric: Metric, effect: float) -> float:
    """How far B's quality is above A's where its BLEU among endless sentences is so much higher."""

    def gap(ahead: FloatArray) -> FloatArray:
        return np.asarray(_bleu(metric, float(ahead)) - _bleu(metric, 0.0) - effect)

    return float(increasing_root(gap, np.asarray(0.0), np.asarray(STEEPEST))) if effect else 0.0


def _bleu(metric: Metric, ahead: float) -> float:
    """Among endless sentences: of the mean of each part."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    met = (weights / weights.sum()) @ special.ndtr(QUALITY + ahead + VARYING * nodes)[:, np.newaxis] ** ORDERS
    length = 0.5 * sum(LENGTHS)
    hypothesis = length - 0.5 * SHORTER
    possible = hypothesis - ORDERS + 1
    return float(metric.value(np.concatenate([[hypothesis, length], met * possible, possible]), LOOK))


RARE_CLASS = "few items are of the rare class, and the influence of each is far from its effect"


def metric_scenarios() -> Iterator[Scenario]:
    """F1 and MCC of two classifiers, F1 of a rare class, and BLEU of two translations; equal systems where nothing must be found."""
    given: dict[str, Any] = {"group": GROUP, "draw": normal, "replicates": OFTEN}
    for name, prevalence, known in (("f1", 0.3, ""), ("mcc", 0.3, ""), ("f1", 0.1, RARE_CLASS)):
        population = Confusion(
            effect=0.0, metric=METRICS.parse(name), prevalence=prevalence, recall=0.6, specificity=0.8, correlation=0.5
        )  # fmt: skip
        for items in SIZES:
            kind = f"{name} of a class of {prevalence:.0%}".replace("%", " %")
            yield Classifiers(**given, kind=kind, items=items, population=population, known=known)
    for items in SIZES:
        yield Translations(**given, kind="corpus bleu", items=items)
