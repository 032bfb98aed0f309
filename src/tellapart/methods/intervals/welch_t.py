from dataclasses import dataclass

from tellapart.data.summaries import Independent
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.moments import welch
from tellapart.numerics.null_laws.tails import t_quantile


@INTERVALS.add("welch_t")
@dataclass(frozen=True)
class WelchT(Interval):
    """Difference of the means of two systems on different items ± t-quantile times its standard error.

    (mean B − mean A) ± t·√(s_A²/n_A + s_B²/n_B) with Welch's degrees of freedom, so that the variances may differ; exact
    enough for normal scores, and for any once there are some fifty items of each system. The wrong choice for systems on
    the same items, whose pairing it throws away. Welch (1947).
    """

    needs = Independent
    label = "Welch t"

    def interval(self, sample: Independent, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        effect, error, df = welch(sample.a, sample.b)
        half_width = t_quantile(0.5 + level / 2.0, df) * error
        return effect - half_width, effect + half_width
