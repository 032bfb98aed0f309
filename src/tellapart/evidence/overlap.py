"""How often two systems of given accuracies differ: the share of items that only one of them gets right."""

import math
from abc import abstractmethod
from dataclasses import dataclass

from tellapart.evidence.evidence import Band, Evidence


@dataclass(frozen=True)
class Overlap(Evidence):
    """Base of evidence on discordance."""

    kind = "overlap"

    @property
    @abstractmethod
    def among(self) -> str:
        """Among which systems that overlap is usual; nothing where nothing was seen."""

    def discordance(self, a: float, b: float) -> Band:
        """The share of items on which systems with these accuracies differ, within what they leave possible."""
        return self.past(a, b).within(*possible_discordance(a, b))

    @abstractmethod
    def past(self, a: float, b: float) -> Band:
        """What past pairs suggest, possible or not."""


@dataclass(frozen=True)
class AgreementLine:
    """A line through past pairs: agreement = intercept + accuracy · (worse accuracy) + gap · |difference|."""

    intercept: float
    accuracy: float
    gap: float
    residual_sd: float

    def discordance(self, a: float, b: float) -> Band:
        agreement = self.intercept + self.accuracy * min(a, b) + self.gap * abs(b - a)
        return Band.around(1.0 - agreement, self.residual_sd)

    @property
    def coefficients(self) -> dict[str, float]:
        return {"intercept": self.intercept, "accuracy": self.accuracy, "gap": self.gap}


class LinearOverlap(Overlap):
    """Base of evidence that is a line through past pairs."""

    @property
    @abstractmethod
    def line(self) -> AgreementLine:
        """Agreement from the worse accuracy and the gap."""

    @property
    def coefficients(self) -> dict[str, float]:
        return self.line.coefficients

    def past(self, a: float, b: float) -> Band:
        return self.line.discordance(a, b)


def possible_discordance(a: float, b: float) -> tuple[float, float]:
    """The smallest and largest share of items on which systems with these accuracies can differ.

    At least the gap: all that one gets right the other may get right too. At most where their right answers, or their
    errors, have no item in common.
    """
    return abs(b - a), max(min(a + b, 2.0 - a - b), abs(b - a))


def discordance_at(a: float, b: float, correlation: float) -> float:
    """The share of items that differ when right-or-wrong scores with these means have this correlation.

    Both are right on a · b + correlation · √(a (1 − a) b (1 − b)) of the items, by the definition of the correlation.
    """
    spread = math.sqrt(max(a * (1.0 - a) * b * (1.0 - b), 0.0))
    return a + b - 2.0 * (a * b + correlation * spread)


def correlated(a: float, b: float, correlations: Band) -> Band:
    """The band of discordance under a band of correlations: the higher the one, the lower the other."""
    expected, high, low = (
        discordance_at(a, b, r) for r in (correlations.expected, correlations.low, correlations.high)
    )
    return Band(expected, low, high)
