from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.proportions import square_and_add, wilson_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile


@INTERVALS.add("newcombe")
@dataclass(frozen=True)
class Newcombe(Interval):
    """Wilson intervals of the two accuracies, joined by how much the systems agree.

    Each bound is the difference ∓ √(u² − 2φuv + v²), with u and v the distances from the accuracies to their Wilson bounds
    and φ the correlation of right answers, with a continuity correction when it is positive: method 10. Closed form, for
    independent items. The wrong choice for clusters, and where it should agree with a test: it is not one's inverse.
    Newcombe (1998).
    """

    needs = Discordance
    label = "Newcombe hybrid score (method 10)"

    def interval(self, sample: Discordance, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        z = two_sided_quantile(level)
        a = wilson_bounds(sample.both + sample.losses, sample.items, z)
        b = wilson_bounds(sample.both + sample.wins, sample.items, z)
        low, high = square_and_add(a, b, _corrected_phi(sample))
        return sample.step * low, sample.step * high


def _corrected_phi(sample: Discordance) -> FloatArray:
    """The phi coefficient, its numerator reduced by half the items but not below 0; 0 where a margin is empty."""
    both, wins, losses, neither = (
        np.asarray(x, dtype=np.float64) for x in (sample.both, sample.wins, sample.losses, sample.neither)
    )
    cross = both * neither - wins * losses
    corrected = np.where(cross > 0.0, np.maximum(cross - sample.items / 2.0, 0.0), cross)
    margins = np.sqrt((both + wins) * (losses + neither)) * np.sqrt((both + losses) * (wins + neither))
    return np.asarray(np.divide(corrected, margins, out=np.zeros_like(corrected), where=margins > 0.0))
