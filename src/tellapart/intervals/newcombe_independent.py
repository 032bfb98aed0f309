from dataclasses import dataclass

from tellapart.arrays import FloatArray
from tellapart.distributions.normal import two_sided_quantile
from tellapart.distributions.proportion import Bounded, square_and_add, wilson_bounds
from tellapart.errors import Unsuitable
from tellapart.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.seeds import Generator
from tellapart.summaries import Independent, count


@INTERVALS.add("newcombe_independent")
@dataclass(frozen=True)
class NewcombeIndependent(Interval):
    """Wilson intervals of two accuracies on different items, joined like standard errors.

    Closed form, for independent items of two systems that share none. Method 10 of Newcombe (1998) for unpaired
    proportions.
    """

    needs = Independent
    label = "Newcombe hybrid score"

    def interval(self, sample: Independent, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        z = two_sided_quantile(level)
        return square_and_add(_bounded(sample.a, z), _bounded(sample.b, z), 0.0)


def _bounded(values: FloatArray, z: float) -> Bounded:
    if not bool(((values == 0.0) | (values == 1.0)).all()):
        raise Unsuitable(
            "newcombe_independent needs right-or-wrong scores (0 and 1); these are not. Use welch_t for numbers"
        )
    return wilson_bounds(count(values > 0.5), values.shape[-1], z)
