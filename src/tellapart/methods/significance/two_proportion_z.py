from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.data.summaries import SeparateCounts
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.null_laws.tails import sided


@TESTS.add("two_proportion_z")
@dataclass(frozen=True)
class TwoProportionZ(Procedure):
    """Are two systems right equally often, each on its own items?

    z = (p_B − p_A − null) / its standard error if the null were true: at zero from the pooled share, elsewhere from the
    likeliest shares that differ by the null. A normal approximation for independent items that wants at least five right
    and five wrong answers of each system. The wrong choice for systems on the same items (`mcnemar`) and for a handful of
    answers. Pearson (1900); Farrington & Manning (1990) for other nulls.
    """

    needs = SeparateCounts
    label = "two-proportion z"
    interval = "newcombe_independent"
    advice = "welch_t"

    def apply(self, sample: SeparateCounts, rng: Generator) -> Outcome:
        return self.against(sample, 0.0, rng)

    def against(self, sample: SeparateCounts, null: float, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        """Right-or-wrong scores cannot be moved to the null, but the share of each system under it can be estimated."""
        null /= sample.step
        gap = sample.b.effect - sample.a.effect - null
        error = _error_under(sample, null)
        # All right or all wrong under the null: any gap at all is impossible, and none is no surprise.
        far = np.where(gap == 0.0, 0.0, np.copysign(np.inf, gap))
        z = np.divide(gap, error, out=far, where=error > 0.0)
        pvalue = sided(special.ndtr(z), special.ndtr(-z), self.alternative)
        method = "normal approximation, " + ("pooled variance" if null == 0.0 else "variance under the null")
        return Outcome(pvalue, z, np.sign(gap), np.zeros_like(gap), method)


def _error_under(sample: SeparateCounts, null: float) -> FloatArray:
    """The standard error of the difference if it were `null`, from the likeliest shares that differ by it."""
    n_a, n_b = sample.a.trials, sample.b.trials
    a = _likeliest_share(sample.a.effect, sample.b.effect, n_b / n_a, null)
    b = a + null
    variance = a * (1.0 - a) / n_a + b * (1.0 - b) / n_b
    # Shares 1 or more apart are no shares, and what they would vary by is no variance: at most 0, which is none.
    return np.asarray(np.sqrt(np.maximum(variance, 0.0)))


def _likeliest_share(a: FloatArray, b: FloatArray, ratio: FloatArray, null: float) -> FloatArray:
    """A's share given that B's exceeds it by `null`, from the observed ones: a root of a cubic, by its cosine."""
    if null == 0.0:
        return np.asarray((a + ratio * b) / (1.0 + ratio))
    # Where the likelihood is steepest no more, a cubic is zero; one of its roots is a possible share, and Viète's cosines
    # give it in closed form. Farrington & Manning call these numbers 3a, b, c, d, v, u, v/u³ and w.
    third = 3.0 * (1.0 + ratio)
    square = -(1.0 + ratio + a + ratio * b - null * (ratio + 2.0))
    linear = null * null - null * (2.0 * a + ratio + 1.0) + a + ratio * b
    constant = a * null * (1.0 - null)
    bend = (square / third) ** 3 - square * linear / (6.0 * (1.0 + ratio) ** 2) + constant / (2.0 * (1.0 + ratio))
    radius = np.copysign(np.sqrt(np.maximum((square / third) ** 2 - linear / third, 0.0)), bend)
    cosine = np.divide(bend, radius**3, out=np.ones_like(bend), where=radius != 0.0)
    # The radius has the sign of the bend, so that the cosine is not below 0; rounding may take it above 1.
    angle = (np.pi + np.arccos(np.minimum(cosine, 1.0))) / 3.0
    return np.asarray(np.clip(2.0 * radius * np.cos(angle) - square / third, max(0.0, -null), min(1.0, 1.0 - null)))
