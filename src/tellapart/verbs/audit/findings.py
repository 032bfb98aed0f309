"""What an audit found about one claim, before any of it is put into words."""

from dataclasses import dataclass
from functools import cached_property

from tellapart.claims.claim import Claim
from tellapart.claims.context import Context
from tellapart.claims.pvalues import PValues
from tellapart.decision import rejects
from tellapart.evidence import Evidence, Gain
from tellapart.planning.error_rates import ErrorRates
from tellapart.results.audit import ClaimKind, ClaimSize, ClaimVerdict, ExpectationBasis, Supposed
from tellapart.results.note import Note
from tellapart.significance.paired_t import PairedT
from tellapart.verbs.audit.evaluations import Evaluation
from tellapart.verbs.audit.question import Criterion

FAR = 5.0
"""Times the level from which a p-value is far above it."""
BORDERLINE = 1.5
"""Times what is detectable up to which a claim is borderline."""


@dataclass(frozen=True)
class Expectation:
    """What could be expected beforehand: a plausible effect, where it comes from, and how it would fare."""

    effect: float | None = None
    basis: ExpectationBasis | None = None
    evidence: Gain | None = None
    rates: ErrorRates | None = None

    @property
    def source(self) -> str | None:
        return self.basis if self.evidence is None else str(self.evidence)


@dataclass(frozen=True)
class Findings:
    """Everything an audit computed about one claim; `pvalues` is None where no result fits, and `impossible` says why.

    `overlap` is the evidence behind what was supposed, None where the claim itself says it. `implied` is the discordance that
    the reported p-value takes.
    """

    claim: Claim
    context: Context
    criterion: Criterion
    evaluation: Evaluation
    a: float
    b: float
    effect: float
    pvalues: PValues | None
    impossible: Note | None
    supposed: Supposed
    overlap: Evidence | None
    expectation: Expectation
    remarks: tuple[Note, ...] = ()
    implied: float | None = None
    line: int | None = None
    runs: int = 1

    @property
    def items(self) -> int:
        return self.evaluation.items

    @property
    def kind(self) -> ClaimKind:
        return "mean" if self.claim.of_means else "accuracy"

    @property
    def test(self) -> str:
        return PairedT.name if self.by_paired_t else str(self.criterion.test)

    @property
    def test_label(self) -> str:
        return PairedT.label if self.by_paired_t else self.criterion.test.label

    @property
    def by_paired_t(self) -> bool:
        """Whether items have numbers as scores: means, or shares of right runs."""
        return self.claim.of_means or self.runs > 1

    @cached_property
    def detectable(self) -> float | None:
        return self.evaluation.detectable(self.criterion)

    @cached_property
    def verdict(self) -> ClaimVerdict:
        return self.verdict_at(self.criterion.alpha)

    def verdict_at(self, alpha: float) -> ClaimVerdict:
        """What the least, the greatest and the expected p-value say at a level; without any the numbers cannot be."""
        p = self.pvalues
        if p is None:
            return "impossible"
        if not rejects(p.low_rounded, alpha):
            return "not significant"
        if rejects(p.high_rounded, alpha):
            return "certain"
        if self.supposed.basis == "nothing known":
            return "undecidable"
        if rejects(p.expected, alpha):
            return "likely"
        return "unlikely" if self._is_far_from(alpha, p) else "undecidable"

    def _is_far_from(self, alpha: float, p: PValues) -> bool:
        """Whether past pairs leave little hope: p far above the level, and above it everywhere in their band.

        Several runs of an item may scatter less than the single runs of past pairs, so these say nothing against them.
        """
        return (
            self.supposed.basis == "evidence"
            and self.supposed.measured
            and self.runs == 1
            and p.expected > FAR * alpha
            and not rejects(p.usual_low, alpha)
        )

    @property
    def ratio(self) -> float | None:
        """The claimed difference as a multiple of what its items detect; None where they detect none, or every one."""
        return abs(self.effect) / self.detectable if self.detectable else None

    @property
    def size(self) -> ClaimSize | None:
        """Below what its items detect, at most half as much again (borderline), or above; None where nothing tells what they do.

        Boyi (2026), section 6.
        """
        if not self.evaluation.known:
            return None
        if self.detectable is None:
            return "below"
        if self.ratio is None:
            return "above" if self.effect else "below"
        if self.ratio < 1.0:
            return "below"
        return "borderline" if self.ratio <= BORDERLINE else "above"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence that spoke for a claim: on its overlap and on a plausible difference."""
        spoke = (self.overlap, self.expectation.evidence)
        return tuple(evidence for evidence in spoke if evidence is not None)
