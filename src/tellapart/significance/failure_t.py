from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.moments import mean_and_variance, t_ratio
from tellapart.distributions.rare_failures import mean_with_failures
from tellapart.distributions.student import t_tails
from tellapart.distributions.tails import sided
from tellapart.seeds import Generator
from tellapart.significance.procedure import TESTS, Outcome, Procedure
from tellapart.summaries import Differences


@TESTS.add("failure_t")
@dataclass(frozen=True)
class FailureT(Procedure):
    """Would the mean difference still be above zero, had these items not been spared failures like the one or two that they show?

    One or two items that lie three times as far on one side as any does on the other are failures of a kind that comes rarely:
    so few as k are seen one time in twenty where λ are expected, the upper 95 % limit of a Poisson mean. Student's t is taken after λ − k
    more of the size seen; on the other side, and where there are none or more than two, it is `paired_t`. The wrong choice for
    items in clusters, and where one or two such items are known to be all there are. Student (1908); Garwood (1936).
    """

    needs = Differences
    label = "t with failures to come"

    @property
    def interval(self) -> str:
        return "failure_t"

    def apply(self, sample: Differences, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        mean, _ = mean_and_variance(sample.values)
        above, below = _ratio(sample.values), -_ratio(-sample.values)
        _, upper = t_tails(above, sample.items - 1)
        lower, _ = t_tails(below, sample.items - 1)
        return Outcome(
            sided(lower, upper, self.alternative),
            np.where(mean > 0.0, above, below),
            np.sign(mean),
            np.zeros_like(mean),
            "Student's t distribution",
        )


def _ratio(values: FloatArray) -> FloatArray:
    mean, variance = mean_with_failures(values)
    return t_ratio(mean, np.sqrt(variance / values.shape[-1]))
