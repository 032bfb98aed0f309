"""What this many items could have shown, and how many more would settle the question; never from the observed effect."""

import math

import numpy as np
from scipy import special

from tellapart.decision import rejects
from tellapart.distributions.clusters import cluster_error, evenness, suited_variance
from tellapart.distributions.moments import mean_and_variance, welch
from tellapart.distributions.noncentral_t import t_items, t_shift
from tellapart.distributions.proportion_power import connett_detectable, connett_items
from tellapart.distributions.tails import Alternative
from tellapart.results.comparison import Claim, Detectable, Needed
from tellapart.summaries import Differences, Discordance, Independent
from tellapart.verbs.compare.analysis import Analysis

POWER = 0.8

WORTH_PRINTING = 1e6
"""A spread of so many effects (or margins) asks for more than a trillion items: no number worth printing."""

Planned = Differences | Discordance | Independent


def planned(analysis: Analysis) -> Planned:
    """What planning needs of these scores, in the shape that suits the test that was run."""
    if not analysis.paired:
        return Independent.of(analysis.pair, analysis.metric)
    counted = analysis.test.needs.binary
    sample: Planned = analysis.summary(Discordance if counted else Differences)
    return sample


def detectable(analysis: Analysis) -> Detectable | None:
    """The smallest effect found with 80 % power: noncentral t, or Connett's formula at the observed discordance.

    None where too few items or clusters can show nothing at all.
    """
    everything = analysis.least_pvalue(np.ones(analysis.items, dtype=np.bool_))
    if everything is not None and not rejects(everything, analysis.alpha):
        return None
    sample, alpha, alternative = planned(analysis), analysis.alpha, analysis.test.alternative
    if isinstance(sample, Discordance):
        effect = connett_detectable(int(sample.items), float(sample.share), POWER, alpha, alternative)
        return None if effect is None else Detectable(sample.step * effect, POWER, "discordance")
    error, df = _error_and_df(sample)
    if not error > 0.0:
        return None
    effect = abs(float(t_shift(POWER, df, alpha, alternative))) * error
    return Detectable(effect, POWER, None if analysis.correlation is None else "correlation")


def needed(analysis: Analysis, effect: float | None) -> Needed | None:
    """Items that would settle what was left open: the effect or the margin that was asked about; None if neither was."""
    claim = analysis.test.claim
    if effect is not None:
        return _for_effect(planned(analysis), effect, analysis.alpha, analysis.test.alternative)
    if analysis.margin is None or (claim == "non-inferiority" and analysis.rejected):
        return None
    margin_claim: Claim = "non-inferiority" if claim == "non-inferiority" else "equivalence"
    return _for_margin(planned(analysis), analysis.margin, analysis.alpha, margin_claim)


def _for_effect(sample: Planned, effect: float, alpha: float, alternative: Alternative) -> Needed | None:
    """Items to find a true effect of this size with 80 % power, at the spread seen here."""
    size = abs(effect)
    if isinstance(sample, Discordance):
        lift = size / sample.step
        share = max(float(sample.share), lift)
        items = float(connett_items(share, lift, POWER, alpha, alternative))
    else:
        spread = _spread(sample)
        if not 0.0 < spread < WORTH_PRINTING * size:
            return None
        items = float(t_items(size, spread, POWER, alpha, alternative)[1])
    return _settled_by("difference", size, items)


def _for_margin(sample: Planned, margin: float, alpha: float, claim: Claim) -> Needed | None:
    """Items to show a margin claim with 80 % power if the true effect is zero. Chow, Shao & Wang (2008).

    Equivalence has two bounds that can fail, non-inferiority one: the quantile of the power follows.
    """
    missed = 1.0 - POWER if claim == "non-inferiority" else (1.0 - POWER) / 2.0
    quantiles = float(special.ndtri(1.0 - alpha) + special.ndtri(1.0 - missed))
    spread = (
        sample.step * math.sqrt(float(sample.share)) if isinstance(sample, Discordance) else _spread(sample)
    )
    if not 0.0 < spread < WORTH_PRINTING * margin:
        return None
    return _settled_by(claim, margin, (quantiles * spread / margin) ** 2)


def _settled_by(claim: Claim, size: float, items: float) -> Needed | None:
    return Needed(claim, size, max(2, math.ceil(items)), POWER) if items < WORTH_PRINTING**2 else None


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
