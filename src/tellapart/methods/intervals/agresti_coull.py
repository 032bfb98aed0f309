from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Proportion
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.null_laws.tails import two_sided_quantile


@INTERVALS.add("agresti_coull")
@dataclass(frozen=True)
class AgrestiCoull(Interval):
    """The Wald interval after adding z²/2 successes and as many failures.

    With n' = n + z² and p' = (x + z²/2)/n': p' ± z·√(p'(1 − p')/n'). For independent items, wider than Wilson's with the
    same middle. The wrong choice near 0 and 1, where it is not cut: a bound outside says that there are too few items
    for it. Agresti & Coull (1998).
    """

    needs = Proportion
    label = "Agresti–Coull"
    target = "share of items right"

    def interval(self, sample: Proportion, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        z = two_sided_quantile(level)
        items = sample.items + z * z
        middle = (sample.successes + z * z / 2.0) / items
        half_width = z * np.sqrt(middle * (1.0 - middle) / items)
        return middle - half_width, middle + half_width
