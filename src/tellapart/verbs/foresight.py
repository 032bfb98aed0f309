"""What this many items could have shown, and how many more would settle the question; never from the observed effect."""

import math

import numpy as np
from scipy import special

from tellapart.distributions.clusters import cluster_error
from tellapart.distributions.connett import connett_detectable, connett_items
from tellapart.distributions.moments import mean_and_variance, welch
from tellapart.distributions.noncentral_t import t_items, t_shift
from tellapart.distributions.tails import Alternative
from tellapart.results.comparison import Detectable, Needed
from tellapart.summaries import Differences, Discordance, Independent
from tellapart.wording import significant

POWER = 0.8

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


def _error_and_df(sample: Differences | Independent) -> tuple[float, float]:
    if isinstance(sample, Independent):
        _, error, df = welch(sample.a, sample.b)
    elif sample.clusters is not None:
        _, error, df = cluster_error(sample.values, sample.clusters, "cr1")
    else:
        _, variance = mean_and_variance(sample.values)
        error, df = np.sqrt(variance / sample.items), np.asarray(sample.items - 1.0)
    return float(error), float(df)


def needed_for_effect(
    sample: Differences | Discordance, effect: float, alpha: float, alternative: Alternative
) -> Needed | None:
    """Items to find a true effect of this size with 80 % power, at the spread seen here."""
    question = f"detect an effect of {significant(abs(effect))}"
    if isinstance(sample, Discordance):
        share = max(float(sample.share), abs(effect))
        return Needed(
            question, math.ceil(connett_items(share, abs(effect), POWER, alpha, alternative)), POWER
        )
    spread = _spread(sample)
    if not spread > 0.0:
        return None
    return Needed(question, int(t_items(abs(effect), spread, POWER, alpha, alternative)[1]), POWER)


def needed_for_margin(sample: Differences | Discordance, margin: float, alpha: float) -> Needed | None:
    """Items to show equivalence within the margin with 80 % power if the true effect is zero. Chow, Shao & Wang (2008)."""
    spread = math.sqrt(float(sample.share)) if isinstance(sample, Discordance) else _spread(sample)
    if not spread > 0.0:
        return None
    reach = float(special.ndtri(1.0 - alpha) + special.ndtri(1.0 - (1.0 - POWER) / 2.0))
    items = max(2, math.ceil((reach * spread / margin) ** 2))
    return Needed(f"show equivalence within ±{significant(margin)} if the systems are equal", items, POWER)


def _spread(sample: Differences) -> float:
    """The standard deviation that the standard error implies: with clusters it carries their design effect."""
    return _error_and_df(sample)[0] * math.sqrt(sample.items)
