"""What this many items could have shown, and how many more would settle the question; never from the observed effect."""

import math

import numpy as np
from scipy import special

from tellapart.distributions.clusters import cluster_error, evenness, suited_variance
from tellapart.distributions.moments import mean_and_variance, welch
from tellapart.distributions.noncentral_t import t_items, t_shift
from tellapart.distributions.proportion_power import connett_detectable, connett_items
from tellapart.distributions.tails import Alternative
from tellapart.results.comparison import Detectable, Needed
from tellapart.summaries import Differences, Discordance, Independent

POWER = 0.8

BEYOND_REACH = 1e6
"""A spread of so many effects (or margins) asks for more than a trillion items: no number worth printing."""

Planned = Differences | Discordance | Independent


def detectable(sample: Planned, alpha: float, alternative: Alternative) -> Detectable | None:
    """The smallest effect found with 80 % power: noncentral t, or Connett's formula at the observed discordance."""
    if isinstance(sample, Discordance):
        effect = connett_detectable(int(sample.items), float(sample.share), POWER, alpha, alternative)
        return None if effect is None else Detectable(effect, POWER)
    error, df = _error_and_df(sample)
    if not error > 0.0:
        return None
    return Detectable(abs(float(t_shift(POWER, df, alpha, alternative))) * error, POWER)


def needed_for_effect(
    sample: Planned, effect: float, alpha: float, alternative: Alternative
) -> Needed | None:
    """Items to find a true effect of this size with 80 % power, at the spread seen here."""
    size = abs(effect)
    if isinstance(sample, Discordance):
        share = max(float(sample.share), size)
        items = float(connett_items(share, size, POWER, alpha, alternative))
    else:
        spread = _spread(sample)
        if not 0.0 < spread < BEYOND_REACH * size:
            return None
        items = float(t_items(size, spread, POWER, alpha, alternative)[1])
    return _needed(f"detect an effect of {size:g}", items)


def needed_for_margin(sample: Planned, margin: float, alpha: float) -> Needed | None:
    """Items to show equivalence within the margin with 80 % power if the true effect is zero. Chow, Shao & Wang (2008)."""
    reach = float(special.ndtri(1.0 - alpha) + special.ndtri(1.0 - (1.0 - POWER) / 2.0))
    return _within_margin(
        sample, margin, reach, f"show equivalence within ±{margin:g} if the systems are equal"
    )


def needed_for_non_inferiority(sample: Planned, margin: float, alpha: float) -> Needed | None:
    """Items to show that B is no worse than the margin with 80 % power if the true effect is zero. Chow, Shao & Wang (2008)."""
    reach = float(special.ndtri(1.0 - alpha) + special.ndtri(POWER))
    return _within_margin(
        sample, margin, reach, f"show non-inferiority within {margin:g} if the systems are equal"
    )


def _within_margin(sample: Planned, margin: float, reach: float, question: str) -> Needed | None:
    spread = math.sqrt(float(sample.share)) if isinstance(sample, Discordance) else _spread(sample)
    return _needed(question, (reach * spread / margin) ** 2) if 0.0 < spread < BEYOND_REACH * margin else None


def _needed(question: str, items: float) -> Needed | None:
    return Needed(question, max(2, math.ceil(items)), POWER) if items < BEYOND_REACH**2 else None


def _error_and_df(sample: Differences | Independent) -> tuple[float, float]:
    if isinstance(sample, Independent):
        _, error, df = welch(sample.a, sample.b)
    elif sample.clusters is not None:
        variance = suited_variance(evenness(sample.clusters))
        _, error, df = cluster_error(sample.values, sample.clusters, variance, sample.scale)
    else:
        _, squared = mean_and_variance(sample.values)
        error, df = np.sqrt(squared / sample.items), np.asarray(sample.items - 1.0)
    return float(error), float(df)


def _spread(sample: Differences | Independent) -> float:
    """The standard deviation that the standard error implies.

    With clusters it carries their design effect, and of systems on different items the way that items are split.
    """
    return _error_and_df(sample)[0] * math.sqrt(sample.items)
