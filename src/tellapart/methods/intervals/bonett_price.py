from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Discordance
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.tails import two_sided_quantile


@INTERVALS.add("bonett_price")
@dataclass(frozen=True)
class BonettPrice(Interval):
    """The Wald interval after adding one item that only A and one that only B got right, kept within [−1, 1].

    With w' = (w + 1)/(n + 2) and l' = (l + 1)/(n + 2): w' − l' ± z·√((w' + l' − (w' − l')²)/(n + 2)). Closed form, and wide
    rather than short when little differs; for independent items. The wrong choice for clusters, and for few items that
    all lean one way, whose difference it pulls towards 0. Bonett & Price (2012).
    """

    needs = Discordance
    label = "Bonett–Price"

    def interval(self, sample: Discordance, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        items = sample.items + 2.0
        wins, losses = (sample.wins + 1.0) / items, (sample.losses + 1.0) / items
        effect = wins - losses
        half_width = two_sided_quantile(level) * np.sqrt((wins + losses - effect**2) / items)
        low, high = np.maximum(effect - half_width, -1.0), np.minimum(effect + half_width, 1.0)
        return sample.step * low, sample.step * high
