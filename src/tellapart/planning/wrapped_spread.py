"""The spread of normal differences in clusters and over several runs."""

import math
from collections.abc import Sequence

from tellapart.populations.clustered import Clustered
from tellapart.populations.population import Population
from tellapart.populations.repeated import Repeated


def wrapped_spread(own: float, wrappers: Sequence[Population]) -> float | None:
    """The standard deviation of a mean difference times the root of the number of items; None where a wrapper leaves it no normal one."""
    parts = [own]
    for wrapper in wrappers:
        if isinstance(wrapper, Clustered):
            parts.append(own * math.sqrt(wrapper.design_effect - 1.0))
        elif isinstance(wrapper, Repeated):
            parts.append(wrapper.within_sd * math.sqrt(2.0 / wrapper.runs))
        else:
            return None
    return math.hypot(*parts)


def cluster_size(wrappers: Sequence[Population]) -> int | None:
    return next((wrapper.size for wrapper in wrappers if isinstance(wrapper, Clustered)), None)
