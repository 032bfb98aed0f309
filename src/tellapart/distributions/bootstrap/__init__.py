"""What a bootstrap says: the bounds of an interval, and the tail probabilities that invert the same interval.

Three ways from the same resamples. `percentile` takes their quantiles, and is too short for few items; `bca` moves them for
median bias and acceleration, which also needs many; `studentised` takes quantiles of (resampled − observed effect) over
the resample's own standard error, whose law hardly depends on the unknown spread, and holds its level from few items on.
Where the resamples have too little to say, it falls back on Student's t where that is wider. Efron & Tibshirani (1993).
"""

from tellapart.distributions.bootstrap.inversion import bootstrap_bounds, bootstrap_tails
from tellapart.distributions.bootstrap.limits import (
    Kind,
    check_resamples,
    refuse_few_items,
    refuse_hardly_any,
)

__all__ = [
    "Kind",
    "bootstrap_bounds",
    "bootstrap_tails",
    "check_resamples",
    "refuse_few_items",
    "refuse_hardly_any",
]
