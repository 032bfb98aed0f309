"""Two classifiers on two classes: probabilities of the eight outcomes, and metrics of confusion tables such as F1."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.quantities import fraction
from tellapart.metrics.from_labels import LabelMetric
from tellapart.metrics.metric import METRICS, Metric
from tellapart.numerics.roots import increasing_root
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS, Design, Population

POSITIVE, NEGATIVE = 0, 1
CLASSES = ("1", "0")
RIGHT = ((False, False), (True, False), (False, True), (True, True))
"""Whether A and B recognise an item: neither, only A, only B, both; the order of cells within a class."""
UPWARDS = (1, 0, 3, 2)
"""The cells of a class as a latent normal rises: only A, neither, both, only B."""


@dataclass(frozen=True)
class EightCells:
    """Prevalence, the recalls and specificities of A and B, and the correlation of being right within each class."""

    metric: LabelMetric
    prevalence: float
    recalls: tuple[float, float]
    specificities: tuple[float, float]
    correlation: float

    @property
    def recall_b(self) -> float:
        return self.recalls[1]

    @property
    def specificity_b(self) -> float:
        return self.specificities[1]

    @property
    def correlations(self) -> tuple[float, float]:
        """The correlations that the rates of both classes leave possible."""
        found = [_correlation_limits(*rates) for rates in (self.recalls, self.specificities)]
        return max(low for low, _ in found), min(high for _, high in found)

    @property
    def possible(self) -> bool:
        low, high = self.correlations
        slack = math.sqrt(STATISTIC_NOISE)
        return low - slack <= self.correlation <= high + slack

    @cached_property
    def within(self) -> FloatArray:
        """`(class, cell)`: the chance of each cell of a class."""
        return np.stack([self._cells(*rates) for rates in (self.recalls, self.specificities)])

    def _cells(self, a: float, b: float) -> FloatArray:
        both = a * b + self.correlation * math.sqrt(a * (1.0 - a) * b * (1.0 - b))
        found = np.clip([1.0 - a - b + both, a - both, b - both, both], 0.0, 1.0)
        return np.asarray(found / found.sum())

    @cached_property
    def chances(self) -> FloatArray:
        """Of all eight cells, those of the positive class first."""
        return np.concatenate([self.prevalence * self.within[0], (1.0 - self.prevalence) * self.within[1]])

    @cached_property
    def parts(self) -> tuple[FloatArray, FloatArray]:
        """The contribution of an item of each cell to the parts of A's and of B's metric, `(cell, part)`."""
        labels = np.repeat([POSITIVE, NEGATIVE], len(RIGHT))
        right = np.array(RIGHT * 2)
        a, b = (np.where(right[:, system], labels, 1 - labels) for system in (0, 1))
        return self.metric.count(labels, a, CLASSES), self.metric.count(labels, b, CLASSES)

    @cached_property
    def values(self) -> tuple[float, float]:
        """The metric of A and of B among endless items."""
        a, b = (float(self.metric.value(self.chances @ parts, 1)) for parts in self.parts)
        return a, b

    @property
    def effect(self) -> float:
        a, b = self.values
        return b - a

    @cached_property
    def sd_difference(self) -> float:
        """The standard deviation of what an item contributes to the difference, by the gradient at the mean parts."""
        a, b = (self._influence(parts) for parts in self.parts)
        return math.sqrt(max(float(self.chances @ (b - a) ** 2), 0.0))

    def _influence(self, parts: FloatArray) -> FloatArray:
        means = self.chances @ parts
        return np.asarray((parts - means) @ self.metric.gradient(means, 1))

    def drawn(self, positive: BoolArray, normals: FloatArray) -> IntArray:
        """The cell of each item, given its class and a normal that says who is right on it."""
        place = np.empty(normals.shape, dtype=np.intp)
        for number, chances in enumerate(self.within):
            ours = positive if number == POSITIVE else ~positive
            cuts = special.ndtri(np.clip(np.cumsum(chances[list(UPWARDS)])[:-1], 0.0, 1.0))
            cells = np.array(UPWARDS)[np.searchsorted(cuts, normals[ours], side="right")]
            place[ours] = cells + number * len(RIGHT)
        return place


def _correlation_limits(a: float, b: float) -> tuple[float, float]:
    """The lowest and highest correlation of being right that two rates leave possible."""
    spread = math.sqrt(max(a * (1.0 - a) * b * (1.0 - b), 0.0))
    if spread == 0.0:
        return 0.0, 0.0
    return (max(0.0, a + b - 1.0) - a * b) / spread, (min(a, b) - a * b) / spread


FARTHEST = 40.0
"""The log-odds step beyond which a rate is 0 or 1 to every digit."""


@POPULATIONS.add("confusion")
@dataclass(frozen=True, kw_only=True)
class Confusion(Population):
    """Labels of two classes and the predictions of two classifiers: F1, MCC and others of whole confusion tables.

    A recognises a share `recall` of the positive items and `specificity` of the negative ones; `correlation` is that of being
    right, within each class. An effect moves both rates of B by one step on the scale of log-odds; or B's own rates are given.
    Simulated by default; `engine=formula` takes the spread of eight cells (class, A right, B right) for a normal law. Assumes
    independent items. The wrong choice for more than two classes, or where predictions are there: plan from a `pilot` of
    them. Matthews (1975).
    """

    effect: float | None = field(default=None, metadata={"help": "true difference of the metric, B − A"})
    metric: Metric = field(default=METRICS.parse("f1"), metadata={"help": "what is compared", "spell": "always"})
    prevalence: float = field(metadata={"help": "share of items that are positive"})
    recall: float = field(metadata={"help": "share of the positive items that A recognises"})
    specificity: float = field(metadata={"help": "share of the negative items that A recognises"})
    correlation: float = field(metadata={"help": "of being right, between the systems and within each class"})
    recall_b: float | None = field(default=None, metadata={"help": "B's recall, in place of an effect"})
    specificity_b: float | None = field(default=None, metadata={"help": "B's specificity, in place of an effect"})

    label = "confusion tables of two classes"
    test = "paired_t"
    examples = (
        "confusion(effect=0.05, metric=f1, prevalence=0.15, recall=0.62, specificity=0.95, correlation=0.6)",
        "confusion(effect=-0.04, metric=mcc, prevalence=0.4, recall=0.8, specificity=0.75, correlation=0.4)",
    )
    latent = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("prevalence", "recall", "specificity"):
            value = fraction(self.name, name, getattr(self, name))
            if value in {0.0, 1.0}:
                raise SpellingError(f"{self.name}: {name}={value:g} should lie between 0 and 1")
        fraction(self.name, "correlation", self.correlation, low=-1.0)
        if not isinstance(self.metric, LabelMetric):
            known = ", ".join(name for name in METRICS if issubclass(METRICS[name], LabelMetric))
            raise SpellingError(f"{self.name}: metric={self.metric} is not of labels and predictions; known: {known}")
        self._take_rates()
        if self.effect is not None:
            self._check_effect(self.effect)

    def _take_rates(self) -> None:
        """Rates of B that are given say the effect."""
        given = [name for name in ("recall_b", "specificity_b") if getattr(self, name) is not None]
        if not given:
            return
        if len(given) == 1:
            raise UsageError(f"{self.name}: {given[0]} is given alone; give recall_b and specificity_b, or an effect")
        recall, specificity = (fraction(self.name, name, getattr(self, name)) for name in given)
        found = self._cells_at(recall, specificity).effect
        if self.effect is not None and abs(self.effect - found) > 1e-9:
            raise UsageError(
                f"{self.name}: B's rates have an effect of {found:.6g}, and effect={self.effect:g} is given too; leave one of them out"
            )
        object.__setattr__(self, "effect", found)

    def _check_effect(self, effect: float) -> None:
        low, high = self.effect_range
        if not low - STATISTIC_NOISE <= effect <= high + STATISTIC_NOISE:
            raise UsageError(
                f"{self.name}: effect={effect:g} cannot be: with correlation={self.correlation:g} a step of B's log-odds reaches from "
                f"{low:.4g} to {high:.4g}"
            )
        if not self.cells.possible:
            raise UsageError(
                f"{self.name}: correlation={self.correlation:g} cannot be: with recalls {self.recall:g} and {self.cells.recall_b:.4g} and "
                f"specificities {self.specificity:g} and {self.cells.specificity_b:.4g} it lies between "
                f"{self.cells.correlations[0]:.4g} and {self.cells.correlations[1]:.4g}"
            )

    def with_effect(self, effect: float | None) -> Self:
        """Another effect is another step; rates of B that were given are then no longer B's."""
        if self.recall_b is not None and effect == self.effect:
            return self
        return self.replace(effect=effect, recall_b=None, specificity_b=None)

    def _cells_at(self, recall_b: float, specificity_b: float) -> EightCells:
        assert isinstance(self.metric, LabelMetric), "checked before"
        return EightCells(
            self.metric, self.prevalence, (self.recall, recall_b), (self.specificity, specificity_b), self.correlation
        )

    def _stepped(self, step: float) -> EightCells:
        recall, specificity = (
            float(special.expit(special.logit(rate) + step)) for rate in (self.recall, self.specificity)
        )
        return self._cells_at(recall, specificity)

    @cached_property
    def _farthest_steps(self) -> tuple[float, float]:
        """The farthest steps down and up at which B can still be correlated so with A."""
        return self._farthest(-1.0), self._farthest(1.0)

    def _farthest(self, sign: float) -> float:
        inside, outside = 0.0, FARTHEST
        if self._stepped(sign * outside).possible:
            return sign * outside
        while outside - inside > 1e-12:
            middle = 0.5 * (inside + outside)
            inside, outside = (middle, outside) if self._stepped(sign * middle).possible else (inside, middle)
        return sign * inside

    @cached_property
    def effect_range(self) -> tuple[float, float]:
        low, high = sorted(self._stepped(step).effect for step in self._farthest_steps)
        return low, high

    @cached_property
    def cells(self) -> EightCells:
        """The chances of the eight cells."""
        if self.recall_b is not None and self.specificity_b is not None:
            return self._cells_at(self.recall_b, self.specificity_b)
        wanted, (low, high) = self.known_effect, self._farthest_steps

        def gap(step: FloatArray) -> FloatArray:
            return np.asarray(self._stepped(float(step)).effect - wanted)

        if wanted == 0.0:
            return self._stepped(0.0)
        if gap(np.asarray(low)) >= 0.0 or gap(np.asarray(high)) <= 0.0:
            return self._stepped(low if abs(float(gap(np.asarray(low)))) < abs(float(gap(np.asarray(high)))) else high)
        return self._stepped(float(increasing_root(gap, np.asarray(low), np.asarray(high))))

    @property
    def sd_difference(self) -> float:
        return self.cells.sd_difference

    def scores(self, noise: Noise) -> Pair:
        """One normal says the class of an item, another who is right on it: from "only A" up to "only B", as of plain answers."""
        self.known_effect  # noqa: B018  (says what is missing where there is none)
        cells = self.cells
        cell = cells.drawn(noise.layers[0] >= -special.ndtri(self.prevalence), noise.layers[1])
        a, b = cells.parts
        return Pair(a[cell][..., np.newaxis, :], b[cell][..., np.newaxis, :])

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (no summary is drawn directly)
        return design.items * max(self.latent, len(self.metric.parts()))
