"""Dataclasses of the `evidence fit` answer: evidence fitted to the user's past results, for `plan` and `audit`."""

from dataclasses import dataclass
from typing import ClassVar

from tellapart.answers.answer import Answer
from tellapart.answers.parts import BadRow, Note


@dataclass(frozen=True)
class Fit:
    """The evidence fitted to past results: `evidence` is its spelling, `prediction_error` the error for each result, or system, left out.

    A spread is no line and has no such errors; `accuracy_low` and `accuracy_high` are the lowest and highest means then.
    `option` is what takes the spelling, in the words of the door where it is read.
    """

    evidence: str
    response: str
    coefficients: dict[str, float]
    r_squared: float | None
    residual_sd: float | None
    prediction_error: float | None
    observations: int
    accuracy_low: float
    accuracy_high: float
    option: str = ""


@dataclass(frozen=True)
class SeenPair:
    """Two systems on the items they share: their means, B − A, their correlation, and on which share of the items they differ."""

    a: str
    b: str
    items: int
    mean_a: float
    mean_b: float
    gain: float
    correlation: float | None
    discordance: float | None


@dataclass(frozen=True)
class SwappedPair:
    """Two systems by a corpus metric, and what swapping one item at a time changes.

    `zero_share` of the swaps change nothing; `scale` is that of the others by their second moment, None where none vary, and
    `likelihood_scale` that of a Laplace law fitted to them. `additivity` is the correlation of joint swaps with sums of single ones.
    """

    a: str
    b: str
    items: int
    value_a: float
    value_b: float
    effect: float
    zero_share: float
    scale: float | None
    likelihood_scale: float | None
    additivity: float


@dataclass(frozen=True)
class EvidenceFit(Answer):
    """Overlap from accuracy and gap, and gain from baseline, as far as the table tells; of scores also every pair.

    `spread` is for scores that are numbers: their standard deviation and correlation. `contributions` is for a metric that is no
    mean, and `swaps` has its pairs.
    """

    schema: ClassVar[str] = "tellapart/evidence_fit/2"

    overlap: Fit | None
    gain: Fit | None
    bad_rows: tuple[BadRow, ...]
    notes: tuple[Note, ...]
    signature: str
    spread: Fit | None = None
    pairs: tuple[SeenPair, ...] = ()
    contributions: Fit | None = None
    swaps: tuple[SwappedPair, ...] = ()
    headline: str = ""
    sentence: str = ""

    @property
    def swapped_pairs(self) -> int:
        """Pairs of which some swap changes something."""
        return sum(one.scale is not None for one in self.swaps)
