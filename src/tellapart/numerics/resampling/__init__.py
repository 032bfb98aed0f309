"""Bootstrap of an effect: resampling, interval bounds and tail probabilities.

`percentile` takes their quantiles, and is too short for few items; `bca` corrects for median bias and acceleration, which also needs many
items; `studentised` takes quantiles of (resampled − observed effect) over the resample's own standard error, whose law hardly depends on the
unknown spread. Efron & Tibshirani (1993).
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:  # most tests draw nothing
    from tellapart.numerics.resampling.bootstrap_bounds import enough_resamples as enough_resamples
    from tellapart.numerics.resampling.bootstrap_bounds import least_found as least_found
    from tellapart.numerics.resampling.draws import map_replicates as map_replicates

__getattr__ = lazy_names(__name__)
