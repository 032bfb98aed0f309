"""How far votes that showed their systems in both orders are from a supposed difference, each order weighted alike."""

from typing import NamedTuple

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.roots import increasing_root
from tellapart.distributions.score_difference import likeliest_losses

HALVINGS = 60
"""A bracket of length at most 2 shrinks below 2e-18: past the accuracy of the likelihood."""


class OrderCounts(NamedTuple):
    """Votes that B won, that nobody won and that A won, `(*batch, order)`: those that showed A first, then those that showed B first."""

    wins: FloatArray
    ties: FloatArray
    losses: FloatArray

    @property
    def votes(self) -> FloatArray:
        return self.wins + self.ties + self.losses

    @property
    def means(self) -> FloatArray:
        """Wins less losses of B in each order, as shares of its votes."""
        return (self.wins - self.losses) / self.votes

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.means.mean(axis=-1))


def degrees_of_orders(votes: FloatArray) -> FloatArray:
    """Degrees of freedom of the error where votes vary alike in both orders, from how many there are of each, `(*batch, order)`; 1 at least.

    Those of Welch's t, which few votes in one order bring down to as few: Bell & McCaffrey (2002).
    """
    parts = 1.0 / votes
    spread = np.divide(parts**2, votes - 1.0, out=np.full_like(parts, np.inf), where=votes > 1.0).sum(axis=-1)
    return np.maximum(parts.sum(axis=-1) ** 2 / spread, 1.0)


def error_of_orders(votes: OrderCounts) -> FloatArray:
    """The standard error of the effect at the shares that were seen."""
    spreads = (votes.wins + votes.losses) / votes.votes - votes.means**2
    return _error(spreads, votes)


def score_of_orders(votes: OrderCounts, null: FloatArray) -> FloatArray:
    """Standard errors between the effect and `null`, the error taken at the likeliest shares that are `null` on average.

    Without ties this is Miettinen and Nurminen's statistic (1985) of "the one shown first wins" in both orders, with their factor
    N/(N − 1); ties are a third outcome of unknown share, as in Tango's (1998).
    """
    gap, null = votes.effect - null, np.broadcast_to(null, votes.effect.shape)
    means = _likeliest_means(votes, np.clip(null, -1.0, 1.0))
    error = _error(_spread_and_slope(votes, means)[0], votes)
    total = votes.votes.sum(axis=-1)
    # Without variance any gap is infinitely far, and none is no distance.
    far = np.where(gap == 0.0, 0.0, np.copysign(np.inf, gap))
    return np.divide(gap, error * np.sqrt(total / (total - 1.0)), out=far, where=error > 0.0)


def bounds_of_orders(votes: OrderCounts, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest effect whose score is within ±z; the score falls as the supposed effect rises."""
    effect = votes.effect
    low = increasing_root(lambda at: z - score_of_orders(votes, at), -np.ones_like(effect), effect)
    high = -increasing_root(lambda at: z + score_of_orders(votes, -at), -np.ones_like(effect), -effect)
    return low, high


def _error(spreads: FloatArray, votes: OrderCounts) -> FloatArray:
    """Of the mean of both orders' means."""
    return np.asarray(0.5 * np.sqrt(np.maximum(spreads / votes.votes, 0.0).sum(axis=-1)))


def _likeliest_means(votes: OrderCounts, null: FloatArray) -> FloatArray:
    """The likeliest mean of each order, given that both together average `null`: where likelihoods rise and fall alike."""
    low, high = np.maximum(-1.0, 2.0 * null - 1.0), np.minimum(1.0, 2.0 * null + 1.0)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        slopes = _spread_and_slope(votes, np.stack([middle, 2.0 * null - middle], axis=-1))[1]
        rises = slopes[..., 0] > slopes[..., 1]
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    middle = 0.5 * (low + high)
    return np.stack([middle, 2.0 * null - middle], axis=-1)


def _spread_and_slope(votes: OrderCounts, means: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The variance of one vote where votes average `means`, and how their log-likelihood rises with that average."""
    # Seen from the system that wins more often, so that nothing cancels.
    below = means < 0.0
    more, fewer = np.where(below, votes.losses, votes.wins), np.where(below, votes.wins, votes.losses)
    gain = np.minimum(np.abs(means), 1.0)
    lost = np.minimum(likeliest_losses(more, fewer, votes.votes, gain), 0.5 * (1.0 - gain))
    tied = np.maximum(1.0 - gain - 2.0 * lost, 0.0)
    by_win, by_tie, by_loss = (
        np.divide(count, share, out=np.where(count > 0.0, np.inf, 0.0), where=share > 0.0)
        for count, share in ((more, lost + gain), (votes.ties, tied), (fewer, lost))
    )
    # Without ties a higher average takes from losses what it gives to wins, else from ties.
    with np.errstate(invalid="ignore"):
        slope = np.where(votes.ties > 0.0, by_win - by_tie, 0.5 * (by_win - by_loss))
    return 2.0 * lost + gain - gain**2, np.where(below, -slope, slope)
