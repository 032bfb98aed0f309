"""Base classes of evidence: what published results suggest, each with its source, range and uncertainty."""

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.foundation.spelling import Registry, Spelled

EVIDENCE: "Registry[Evidence]" = Registry("evidence")

Kind = Literal["overlap", "gain", "spread", "contributions", "ratings"]

LOW, EXPECTED, HIGH = -1.0, 0.0, 1.0
"""Places in a band of evidence."""

TENTH = 1.2815515655446004
"""Standard deviations between the middle of a normal and its 10 % and 90 % points, where bands end."""


@dataclass(frozen=True)
class Band:
    """A number that past results suggest, and the band in which most of them lay."""

    expected: float
    low: float
    high: float

    @classmethod
    def around(cls, expected: float, sd: float) -> "Band":
        """The band that holds 80 % of results scattered normally around the expected one."""
        return cls(expected, expected - TENTH * sd, expected + TENTH * sd)

    def at(self, place: float) -> float:
        """The number at the low end of the band, at the high end, or the expected one."""
        return {LOW: self.low, HIGH: self.high}.get(place, self.expected)

    def within(self, least: float, most: float) -> "Band":
        """The band moved into what is possible."""
        return Band(*(min(max(x, least), most) for x in (self.expected, self.low, self.high)))


@dataclass(frozen=True)
class Evidence(Spelled):
    """Base of every piece of evidence: what it is about, where it was seen, and how far single results lie from it."""

    registry = EVIDENCE
    kind: ClassVar[Kind]
    about: ClassVar[str]
    """The subject of the evidence, in words."""
    seen_on: ClassVar[str]
    """Whose results it is made of, short enough for a line of a list."""
    source: ClassVar[str]
    band: ClassVar[str]
    """The meaning of the band, in a few words."""
    uncertainty: ClassVar[str]
    """How far single results lie from it, in words."""
    examples: ClassVar[tuple[str, ...]]
    """Spellings that can be copied: the list prints them, and every law is tried on them."""
    published: ClassVar[bool] = True
    """Whether its numbers are known beforehand; one's own fits bring theirs."""
    measured: ClassVar[bool] = True
    """Whether it was seen, rather than all that is possible or what somebody expects."""
    caution: ClassVar[str] = ""
    """A caution about its use."""

    @property
    @abstractmethod
    def accuracies(self) -> tuple[float, float]:
        """The accuracies at which it was seen."""

    @property
    @abstractmethod
    def coefficients(self) -> dict[str, float]:
        """The numbers it consists of, as its source prints them."""

    @property
    def among(self) -> str:
        """Among which systems it is usual; nothing where nothing was seen."""
        return ""

    @property
    def label(self) -> str:
        """A name short enough for a sentence."""
        return str(self) if self.published else self.name

    def covers(self, accuracy: float) -> bool:
        return self.covers_nearly(accuracy, 0.0)

    def covers_nearly(self, accuracy: float, slack: float) -> bool:
        """Whether it was seen at this accuracy, or so near to it."""
        low, high = self.accuracies
        return low - slack <= accuracy <= high + slack


# By how much new systems beat the one before: what a plausible difference is, whatever a claim says.

DECIMALS = 12
"""Of a gain: what comes after them is noise of floating point, which a plan would carry into its signature."""


@dataclass(frozen=True)
class Gain(Evidence):
    """Base of evidence on gains in accuracy over a baseline."""

    kind = "gain"

    def gain(self, baseline: float) -> Band:
        """The gain that past results suggest over a baseline of this accuracy, at most all it gets wrong."""
        past = self.past(baseline)
        gains = Band(*(round(gain, DECIMALS) for gain in (past.expected, past.low, past.high)))
        return gains.within(-baseline, 1.0 - baseline)

    @abstractmethod
    def past(self, baseline: float) -> Band:
        """The number that past results suggest, possible or not."""


@EVIDENCE.add("typical_gain")
@dataclass(frozen=True)
class TypicalGain(Gain):
    """The median claim removes 7.8 % of its baseline's errors.

    Assumes that gains shrink with the errors that are left, as they did in the claims it was computed from.
    """

    accuracies = 0.61, 0.99
    about = "gain over a baseline, as a share of its errors"
    seen_on = "61 claims on GLUE"
    source = (
        "median of the 61 claimed improvements in 14 GLUE papers collected by Card et al. (2020), computed from their table; "
        "24 SQuAD 2.0 records give 5.4 %"
    )
    band = "80 % of claims"
    uncertainty = "80 % of the claims removed between 1.2 % and 27 %"
    examples = ("typical_gain",)
    caution = "published gains are selected: the typical attempt gains less"

    # Quantiles of the gain as a share of the baseline's errors, over the claims.
    median = 0.0778
    tenth = 0.0118
    ninetieth = 0.2727

    @property
    def coefficients(self) -> dict[str, float]:
        return {"median": self.median, "tenth": self.tenth, "ninetieth": self.ninetieth}

    def past(self, baseline: float) -> Band:
        errors = 1.0 - baseline
        return Band(self.median * errors, self.tenth * errors, self.ninetieth * errors)


# How often two systems of given accuracies differ: the share of items that only one of them gets right.


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
        """The number that past pairs suggest, possible or not."""


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
