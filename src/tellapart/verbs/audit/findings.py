"""What an audit asks of every claim, and what it found, before it is put into words."""

from dataclasses import dataclass, replace

from tellapart.decision import rejects
from tellapart.populations import PairedBinary
from tellapart.results.audit import AmongMany, BestSeed, ClaimVerdict, Supposed
from tellapart.significance.mcnemar import McNemar
from tellapart.verbs.audit_claim import Claim, Context
from tellapart.verbs.beliefs import Beliefs


@dataclass(frozen=True)
class Question:
    """What is asked of every claim: the test, its level, the power that is enough, and the evidence to answer with."""

    test: McNemar
    alpha: float
    power: float
    beliefs: Beliefs

    def among(self, comparisons: int) -> "Question":
        return replace(self, alpha=self.alpha / comparisons)


Range = tuple[float, float]


@dataclass(frozen=True)
class PValues:
    """The p-values of every table that fits: at the reported values, with rounding, and at the supposed overlap."""

    low: float
    high: float
    low_rounded: float
    high_rounded: float
    expected: float

    @classmethod
    def nested(cls, reported: Range, rounded: Range, expected: float) -> "PValues":
        """The expected one within the range at the reported values, and that within what rounding allows.

        Numbers taken as exact may fit no table that prints as they do; then the nearest that does stands for them.
        """
        low, high = (min(max(p, rounded[0]), rounded[1]) for p in reported)
        return cls(low, high, *rounded, min(max(expected, low), high))

    def verdict(self, alpha: float) -> ClaimVerdict:
        if not rejects(self.low_rounded, alpha):
            return "implausible"
        if rejects(self.high_rounded, alpha):
            return "certain"
        return "likely" if rejects(self.expected, alpha) else "undecidable"


@dataclass(frozen=True)
class Expectation:
    """What could be expected beforehand: a plausible effect, where it comes from, and how it would fare."""

    effect: float | None
    source: str | None
    power: float | None
    type_s: float | None
    type_m: float | None


NOTHING_EXPECTED = Expectation(None, None, None, None, None)


@dataclass(frozen=True)
class Findings:
    """Everything an audit computed about one claim; `pvalues` is None where no table fits, and `impossible` says why.

    `implied` is the discordance that the reported p-value takes. `design` is the population a study of accuracies would have met, `sd` the spread of differences a study of means would.
    """

    claim: Claim
    context: Context
    question: Question
    items: int
    a: float
    b: float
    effect: float
    pvalues: PValues | None
    impossible: str
    supposed: Supposed
    detectable: float | None
    expectation: Expectation
    remarks: tuple[str, ...] = ()
    implied: float | None = None
    design: PairedBinary | None = None
    sd: float | None = None
    among_many: AmongMany | None = None
    best_seed: BestSeed | None = None

    @property
    def of_means(self) -> bool:
        return self.claim.of_means

    @property
    def verdict(self) -> ClaimVerdict:
        return "implausible" if self.pvalues is None else self.pvalues.verdict(self.question.alpha)
