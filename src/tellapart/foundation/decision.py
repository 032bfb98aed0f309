"""Decision rules: whether a p-value rejects at level alpha, and the verdict of a comparison or a gate."""

from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray

Verdict = Literal["b better", "a better", "equivalent", "b not worse", "b not better", "undetermined"]


def rejects(pvalue: FloatArray | float, alpha: float) -> BoolArray:
    """Whether the null is rejected: at p = alpha it is; an undefined p (NaN) rejects nothing."""
    return np.asarray(np.asarray(pvalue) <= alpha)


@dataclass(frozen=True)
class ClaimResult:
    """Something that may be claimed of B, and whether the scores show it: `holds` where the p-value is at most alpha."""

    holds: bool
    pvalue: float


def _implied_pvalue(pvalue: float | None, by: float | None) -> float | None:
    """The p-value of a claim that another one implies, where it was asked about."""
    return pvalue if pvalue is None or by is None else min(pvalue, by)


def claim(pvalue: float | None, alpha: float) -> ClaimResult | None:
    """The decision about one claim; None where the claim was not asked about."""
    return None if pvalue is None else ClaimResult(bool(rejects(pvalue, alpha)), pvalue)


@dataclass(frozen=True)
class EstablishedClaims:
    """The claims shown about B relative to A. None where a claim was not asked about: without a margin, or on a test's other side.

    `not_worse` and `not_better` are by no more than the margin, `equivalent` is both.
    """

    better: ClaimResult | None
    worse: ClaimResult | None
    not_worse: ClaimResult | None
    not_better: ClaimResult | None
    equivalent: ClaimResult | None

    @classmethod
    def at(cls, alpha: float, *pvalues: float | None) -> Self:
        """Every claim judged at one level, in the order of the fields; what is better is not worse, and the reverse.

        A claim whose p-value is larger than that of one which implies it takes the smaller one. A difference stands out against a loss
        of the margin at least as far as against zero: a false "not worse" by either way exceeds the lower of two bounds on one statistic,
        so that its chance is the larger of the two, and not their sum.
        """
        better, worse, not_worse, not_better, equivalent = pvalues
        implied = (_implied_pvalue(not_worse, better), _implied_pvalue(not_better, worse))
        return cls(*(claim(pvalue, alpha) for pvalue in (better, worse, *implied, equivalent)))

    def holds(self, name: str) -> bool:
        """Whether this claim was asked about and is shown."""
        found = self._claim_result(name)
        return found is not None and found.holds

    def pvalue(self, name: str) -> float | None:
        """The p-value of this claim, if it was asked about."""
        found = self._claim_result(name)
        return None if found is None else found.pvalue

    def _claim_result(self, name: str) -> ClaimResult | None:
        found: ClaimResult | None = getattr(self, name.replace("-", "_"))
        return found


_VERDICTS: dict[str, Verdict] = {
    "better": "b better",
    "worse": "a better",
    "equivalent": "equivalent",
    "not_worse": "b not worse",
    "not_better": "b not better",
}
"""The name of each claim when it is the strongest that holds, strongest first."""


def verdict(shown: EstablishedClaims) -> Verdict:
    """The strongest claim that holds: which system is better, else that they are equivalent, else which side is excluded."""
    return next((word for name, word in _VERDICTS.items() if shown.holds(name)), "undetermined")


def is_open(reached: Verdict) -> bool:
    """Whether more items could still tell: which system is better, or that none is by more than the margin."""
    return reached in {"undetermined", "b not worse", "b not better"}


GateVerdict = Literal["pass", "fail", "undetermined"]


def gate_verdict(
    not_worse: float, worse: float, bounds: tuple[float, float], margin: float, alpha: float
) -> GateVerdict:
    """The verdict on a change, from the p-values and the bounds at 1 − 2·alpha of a difference that is counted towards better.

    It passes where a loss of the margin is excluded, by test and bound alike. It fails where it is worse and no loss of the margin
    is excluded: at 2·alpha, because `worse` is the two-sided p-value where it points to a loss, which is alpha on that side.
    """
    low, high = bounds
    if rejects(not_worse, alpha) and low >= -margin:
        return "pass"
    return "fail" if high < 0.0 and rejects(worse, 2.0 * alpha) else "undetermined"


def verdict_after_correction(verdict: GateVerdict, adjusted: float, alpha: float) -> GateVerdict:
    """A failure among others, by its p-value that was adjusted for all of them."""
    return "undetermined" if verdict == "fail" and not rejects(adjusted, 2.0 * alpha) else verdict
