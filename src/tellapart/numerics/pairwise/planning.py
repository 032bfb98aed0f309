"""Planned arenas: the variance of strengths when pairs meet as planned, and how often a top tier stays small.

Everything is for one vote; variances of N votes are an N-th of it. Strengths are in logits.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.tails import density
from tellapart.numerics.pairwise.bradley_terry import inverse_about_zero
from tellapart.numerics.roots import increasing_root

NODES = np.linspace(-9.0, 9.0, 2001)
"""Where a normal law is summed up; its tails beyond hold 1e-19."""
GAPS = np.geomspace(5e-4, 11.5, 80)
"""Gaps among which the smallest that is found is looked for, in logits."""


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


@dataclass(frozen=True, eq=False)
class PlannedVotes:
    """The assumptions of one row: gaps in logits, and variances per vote."""

    systems: int
    top: int | None
    ties: float
    spread: float
    design_effect: float
    critical: float
    of_log: float | None = None
    """The variance of the leading pair's difference per vote of the log, where that pair is planned for."""

    def variance(self, gap: float) -> float:
        """Of the difference that is asked about."""
        if self.of_log is not None:
            return self.of_log
        if self.top is None:
            strengths, first = spread_strengths(self.systems, gap, self.spread), self.systems // 2 - 1
        else:
            strengths, first = np.concatenate([[gap], np.zeros(self.systems - 1)]), 0
        per_vote = float(difference_variances(strengths, all_meet(self.systems))[first, first + 1])
        return self.design_effect * (1.0 - self.ties) * per_vote

    def power(self, votes: float, gap: float) -> float:
        error = math.sqrt(self.variance(gap) / votes)
        if self.top is not None:
            return top_tier_power(self.systems, self.top, math.sqrt(2.0) * gap / error, self.critical)
        return float(special.ndtr(gap / error - self.critical))

    def votes(self, gap: float, power: float) -> int:
        if self.top is None:
            return (
                math.ceil(self.variance(gap) * (max(self.critical + float(special.ndtri(power)), 0.0) / gap) ** 2) or 1
            )
        root = increasing_root(
            lambda x: np.asarray(self.power(math.exp(float(x)), gap) - power), np.array(0.0), np.array(8.0)
        )
        return math.ceil(math.exp(float(root)) * (1.0 - 1e-12))

    def gap(self, votes: int, power: float) -> float | None:
        """The smallest gap that is found so often: of very large ones little is learnt by a vote, and power falls again; None where none is."""
        reached = [gap for gap in GAPS.tolist() if self.power(votes, gap) >= power]
        if not reached:
            return None
        place = int(np.searchsorted(GAPS, reached[0]))
        low = np.asarray(GAPS[place - 1] if place else 0.0)
        return float(
            increasing_root(lambda x: np.asarray(self.power(votes, float(x)) - power), low, np.asarray(GAPS[place]))
        )
