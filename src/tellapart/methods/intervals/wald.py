from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Discordance
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.tails import two_sided_quantile


@INTERVALS.add("wald")
@dataclass(frozen=True)
class Wald(Interval):
    """Difference of accuracies ± z times its estimated standard error, kept within [−1, 1].

    d ± z·√(w + l − (w − l)²/n)/n. Only for many discordant items: at 30 items it can hold the truth 78 % of the time
    instead of 95 %, and it has no width when nothing differs. The wrong choice nearly always, and here to reproduce
    published numbers; prefer `tango`. Wald (1943).
    """

    needs = Discordance
    label = "Wald"

    def interval(self, sample: Discordance, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        share = sample.effect / sample.step
        surplus = (sample.wins - sample.losses).astype(np.float64)
        # Counts, not shares: w + l − (w − l)²/n is exact in whole numbers, and rounding alone could make it negative.
        spread = np.maximum(sample.wins + sample.losses - surplus**2 / sample.items, 0.0)
        half_width = two_sided_quantile(level) * np.sqrt(spread) / sample.items
        low, high = np.maximum(share - half_width, -1.0), np.minimum(share + half_width, 1.0)
        return sample.step * low, sample.step * high
