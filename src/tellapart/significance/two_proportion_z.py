from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.distributions.moments import t_ratio
from tellapart.distributions.tails import sided
from tellapart.errors import Unsuitable
from tellapart.seeds import Generator
from tellapart.significance.procedure import TESTS, Outcome, Procedure
from tellapart.summaries import Independent


@TESTS.add("two_proportion_z")
@dataclass(frozen=True)
class TwoProportionZ(Procedure):
    """Are two systems right equally often, each on its own items?

    A normal approximation with the pooled variance: it wants at least five right and five wrong answers of each system.
    Pearson (1900).
    """

    needs = Independent
    label = "two-proportion z"
    interval = "newcombe_independent"

    def apply(self, sample: Independent, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        if not all(bool(((x == 0.0) | (x == 1.0)).all()) for x in (sample.a, sample.b)):
            raise Unsuitable(
                "two_proportion_z needs right-or-wrong scores (0 and 1); for numbers use welch_t"
            )
        gap, error = sample.effect, _pooled_error(sample)
        z = t_ratio(gap, error)
        pvalue = sided(special.ndtr(z), special.ndtr(-z), self.alternative)
        return Outcome(pvalue, z, np.sign(gap), np.zeros_like(gap), "normal approximation, pooled variance")


def _pooled_error(sample: Independent) -> FloatArray:
    n_a, n_b = sample.a.shape[-1], sample.b.shape[-1]
    share = (sample.a.sum(axis=-1) + sample.b.sum(axis=-1)) / (n_a + n_b)
    return np.asarray(np.sqrt(share * (1.0 - share) * (1.0 / n_a + 1.0 / n_b)))
