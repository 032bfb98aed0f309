"""Two classifiers on two classes: the chances that an item is of a class and recognised by one, both or none, and what follows."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from tellapart.arrays import STATISTIC_NOISE, BoolArray, FloatArray, IntArray
from tellapart.metrics.from_labels import LabelMetric

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
        found = [_correlations(*rates) for rates in (self.recalls, self.specificities)]
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
        """What an item of each cell adds to the parts of A's metric and of B's, `(cell, part)`."""
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


def _correlations(a: float, b: float) -> tuple[float, float]:
    """The lowest and highest correlation of being right that two rates leave possible."""
    spread = math.sqrt(max(a * (1.0 - a) * b * (1.0 - b), 0.0))
    if spread == 0.0:
        return 0.0, 0.0
    return (max(0.0, a + b - 1.0) - a * b) / spread, (min(a, b) - a * b) / spread
