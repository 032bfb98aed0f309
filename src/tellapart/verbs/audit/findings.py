"""What an audit found about one claim, before any of it is put into words."""

from dataclasses import dataclass
from functools import cached_property

from tellapart.claims.claim import Claim
from tellapart.claims.context import Context
from tellapart.claims.pvalues import PValues
from tellapart.decision import rejects
from tellapart.evidence import Evidence, Gain, Overlap
from tellapart.planning.error_rates import ErrorRates
from tellapart.results.audit import ClaimKind, ClaimVerdict, ExpectationBasis, Supposed
from tellapart.results.note import Note
from tellapart.significance.paired_t import PairedT
from tellapart.verbs.audit.evaluations import Evaluation
from tellapart.verbs.audit.question import Criterion


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
    overlap: Overlap | None
    expectation: Expectation
    remarks: tuple[Note, ...] = ()
    implied: float | None = None
    line: int | None = None

    @property
    def items(self) -> int:
        return self.evaluation.items

    @property
    def kind(self) -> ClaimKind:
        return "mean" if self.claim.of_means else "accuracy"

    @property
    def test(self) -> str:
        return PairedT.name if self.claim.of_means else str(self.criterion.test)

    @property
    def test_label(self) -> str:
        return PairedT.label if self.claim.of_means else self.criterion.test.label

    @cached_property
    def detectable(self) -> float | None:
        return self.evaluation.detectable(self.criterion)

    @cached_property
    def verdict(self) -> ClaimVerdict:
        return verdict(self.pvalues, self.criterion.alpha)

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence that spoke for a claim: on its overlap and on a plausible difference."""
        spoke = (self.overlap, self.expectation.evidence)
        return tuple(evidence for evidence in spoke if evidence is not None)


def verdict(pvalues: PValues | None, alpha: float) -> ClaimVerdict:
    """What the least, the greatest and the expected p-value say at a level; without any the numbers are impossible."""
    if pvalues is None or not rejects(pvalues.low_rounded, alpha):
        return "implausible"
    if rejects(pvalues.high_rounded, alpha):
        return "certain"
    return "likely" if rejects(pvalues.expected, alpha) else "undecidable"
