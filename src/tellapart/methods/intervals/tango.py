from dataclasses import dataclass

from tellapart.data.summaries import Discordance
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.score_difference import score_bounds
from tellapart.numerics.null_laws.tails import two_sided_quantile


@INTERVALS.add("tango")
@dataclass(frozen=True)
class Tango(Interval):
    """The differences of accuracy that the score test does not reject.

    The d with |w − l − n·d| ≤ z·√(n·(2q + d·(1 − d))), w and l the items only B and only A got right and q the likeliest
    share of the latter if d were true; both ends are roots of that equation. Close to its level from some thirty
    independent items on, also when almost nothing differs, and never outside [−1, 1]. It excludes 0 exactly where the
    asymptotic McNemar test rejects. The wrong choice for clusters and for graded scores. Tango (1998).
    """

    needs = Discordance
    label = "Tango score"
    # McNemar's test moved to a margin; at zero mid-p decides, and the two may differ.
    inverse = "mcnemar"

    def interval(self, sample: Discordance, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        low, high = score_bounds(sample.wins, sample.losses, sample.items, two_sided_quantile(level))
        return sample.step * low, sample.step * high
