"""Planned arenas: the variance of strengths when pairs meet as planned, and how often a top tier stays small.

Everything is for one vote; variances of N votes are an N-th of it. Strengths are in logits.
"""

import math

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.tails import density
from tellapart.numerics.pairwise.bradley_terry import inverse_about_zero

NODES = np.linspace(-9.0, 9.0, 2001)
"""Where a normal law is summed up; its tails beyond hold 1e-19."""


def difference_variances(strengths: FloatArray, meetings: FloatArray) -> FloatArray:
    """The variance of every difference of strengths from one vote without ties, `(system, system)`; `meetings` says how often pairs meet."""
    gaps = strengths[:, np.newaxis] - strengths
    share = meetings / (meetings.sum() / 2.0)
    told = share * special.expit(gaps) * special.expit(-gaps)
    inverse = inverse_about_zero(np.diag(told.sum(axis=1)) - told, len(strengths))
    own = np.diagonal(inverse)
    return np.asarray(own[:, np.newaxis] + own - 2.0 * inverse)


def all_meet(systems: int) -> FloatArray:
    """Every pair equally often."""
    return np.ones((systems, systems)) - np.eye(systems)


def neighbours_meet(systems: int, window: int) -> FloatArray:
    """Pairs within this many ranks, equally often."""
    rank = np.arange(systems)
    apart = np.abs(rank[:, np.newaxis] - rank)
    return np.asarray(((apart > 0) & (apart <= window)).astype(np.float64))


def spread_strengths(systems: int, gap: float, spread: float) -> FloatArray:
    """Normal quantiles with this standard deviation, best first, the two middle ones set `gap` apart."""
    strengths = np.asarray(-spread * special.ndtri((np.arange(systems) + 0.5) / systems))
    first = systems // 2 - 1
    middle = strengths[first : first + 2].mean()
    strengths[first : first + 2] = middle + gap / 2.0, middle - gap / 2.0
    return strengths


def top_tier_power(systems: int, top: int, lead_in_errors: float, critical: float) -> float:
    """How often at most `top` systems stay in the top tier, if the first leads equal others by so many of its own standard errors.

    Given the first one's error z, each other is told from it with chance Φ(lead + z − √2·critical), independently.
    """
    told = special.ndtr(lead_in_errors + NODES - math.sqrt(2.0) * critical)
    enough = special.bdtrc(systems - top - 1, systems - 1, told)
    return float(np.sum(density(NODES) * enough) * (NODES[1] - NODES[0]))
