"""What published results say when the user knows nothing: each with its source, its range and its uncertainty."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.spelling import Registry, Spelled

EVIDENCE: "Registry[Evidence]" = Registry("evidence")

Kind = Literal["overlap", "gain", "spread", "contributions", "ratings"]

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

    def within(self, least: float, most: float) -> "Band":
        """The band moved into what is possible."""
        return Band(*(min(max(x, least), most) for x in (self.expected, self.low, self.high)))


@dataclass(frozen=True)
class Evidence(Spelled):
    """Base of every piece of evidence: what it is about, where it was seen, and how far single results lie from it."""

    registry = EVIDENCE
    kind: ClassVar[Kind]
    about: ClassVar[str]
    """What it tells, in words."""
    seen_on: ClassVar[str]
    """Whose results it is made of, short enough for a line of a list."""
    source: ClassVar[str]
    band: ClassVar[str]
    """What its band holds, in a few words."""
    uncertainty: ClassVar[str]
    """How far single results lie from it, in words."""
    examples: ClassVar[tuple[str, ...]]
    """Spellings that can be copied: the list prints them, and every law is tried on them."""
    published: ClassVar[bool] = True
    """Whether its numbers are known beforehand; one's own fits bring theirs."""
    measured: ClassVar[bool] = True
    """Whether it was seen, rather than all that is possible or what somebody expects."""
    caution: ClassVar[str] = ""
    """What to know before using it."""

    @property
    @abstractmethod
    def accuracies(self) -> tuple[float, float]:
        """The accuracies at which it was seen."""

    @property
    @abstractmethod
    def coefficients(self) -> dict[str, float]:
        """The numbers it consists of, as its source prints them."""

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
