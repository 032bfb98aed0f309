"""Score statistics and their inversion: Tango's for paired proportions, and that of votes in both orders."""

from typing import Any

import numpy as np

from tellapart.data.summaries.rater_samples import VotesByOrder
from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.roots import increasing_root

HALVINGS = 64
"""A bracket of length at most 2 shrinks below 1e-18: past the accuracy of the statistic itself. Halving is sure to end there."""


def score_statistic(wins: Any, losses: Any, items: Any, null: Any) -> FloatArray:
    """Standard errors between the observed difference of accuracies B − A and `null`, the error taken at `null`.

    The number of losses is estimated given the supposed difference; at zero this is McNemar's (wins − losses) /
    √(wins + losses). 0 where nothing differs and nothing was supposed to. Tango (1998).
    """
    b, c, n, supposed = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (wins, losses, items, null)))
    # The statistic is odd under swapping the systems; a supposed gain avoids every cancellation below.
    flip = supposed < 0.0
    b, c, size = np.where(flip, c, b), np.where(flip, b, c), np.abs(supposed)
    # No difference of accuracies exceeds 1: one that is supposed to is infinitely far, as there is no variance at 1.
    gain = np.minimum(size, 1.0)
    odd = gain * (1.0 - gain)
    variance = n * (2.0 * likeliest_losses(b, c, n, gain) + odd)
    surplus = (b - c) - n * size
    z = np.divide(surplus, np.sqrt(variance), out=_unbounded(surplus), where=variance > 0.0)
    return np.asarray(np.where(flip, -z, z))


def score_bounds(wins: Any, losses: Any, items: Any, z: FloatArray | float) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest difference whose score statistic is within ±z; the statistic falls as `null` rises."""
    estimate = (np.asarray(wins, dtype=np.float64) - losses) / items
    # Below the first bracket the statistic is at least z, above the second at most −z.
    low = _crossing(wins, losses, items, z, (np.full_like(estimate, -1.0), estimate))
    high = _crossing(wins, losses, items, -z, (estimate, np.full_like(estimate, 1.0)))
    return low, high


def likeliest_losses(b: FloatArray, c: FloatArray, n: FloatArray, gain: FloatArray) -> FloatArray:
    """The likeliest share of losses given that wins exceed losses by `gain` ≥ 0: a root of 2n·q² + h·q − c·gain·(1 − gain)."""
    h = (2.0 * n - b + c) * gain - b - c
    root = np.sqrt(h * h + 8.0 * n * c * gain * (1.0 - gain))
    small = np.divide(2.0 * c * gain * (1.0 - gain), h + root, out=np.zeros_like(h), where=h > 0.0)
    return np.asarray(np.where(h > 0.0, small, (root - h) / (4.0 * n)))


def _unbounded(surplus: FloatArray) -> FloatArray:
    """Without variance any surplus is infinitely far, and none is no distance."""
    return np.where(surplus == 0.0, 0.0, np.copysign(np.inf, surplus))


def _crossing(
    wins: Any, losses: Any, items: Any, target: FloatArray | float, bracket: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """Where the falling statistic passes `target`; the far end of the bracket where it never does."""
    low, high = bracket
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        above = score_statistic(wins, losses, items, middle) > target
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))


# How far votes that showed their systems in both orders are from a supposed difference, each order weighted
# alike.

AWAY = 2.0
"""An offset of means during the search: numbers near 0 would be found to more digits than they have."""


def degrees_of_orders(votes: VotesByOrder) -> FloatArray:
    """Degrees of freedom of the error where votes vary alike in both orders, from how many there are of each; 1 at least.

    Those of Welch's t, which few votes in one order bring down to as few: Bell & McCaffrey (2002).
    """
    parts = 1.0 / votes.votes
    spread = np.divide(parts**2, votes.votes - 1.0, out=np.full_like(parts, np.inf), where=votes.votes > 1.0).sum(
        axis=-1
    )
    return np.asarray(np.maximum(parts.sum(axis=-1) ** 2 / spread, 1.0))


def error_of_orders(votes: VotesByOrder) -> FloatArray:
    """The standard error of the effect at the shares that were seen."""
    spreads = (votes.wins + votes.losses) / votes.votes - votes.means**2
    return _standard_error_of_mean(spreads, votes)


def score_of_orders(votes: VotesByOrder, null: FloatArray) -> FloatArray:
    """Standard errors between the effect and `null`, the error taken at the likeliest shares that are `null` on average.

    Without ties this is Miettinen and Nurminen's statistic (1985) of "the one shown first wins" in both orders, with their factor
    N/(N − 1); ties are a third outcome of unknown share, as in Tango's (1998).
    """
    gap, null = votes.effect - null, np.broadcast_to(null, votes.effect.shape)
    means = _likeliest_means(votes, np.clip(null, -1.0, 1.0))
    error = _standard_error_of_mean(_spread_and_slope(votes, means)[0], votes)
    total = votes.votes.sum(axis=-1)
    # Without variance any gap is infinitely far, and none is no distance.
    far = np.where(gap == 0.0, 0.0, np.copysign(np.inf, gap))
    return np.asarray(np.divide(gap, error * np.sqrt(total / (total - 1.0)), out=far, where=error > 0.0))


def bounds_of_orders(votes: VotesByOrder, z: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The lowest and highest effect whose score is within ±z; the score falls as the supposed effect rises."""
    effect = votes.effect
    low = increasing_root(lambda at: z - score_of_orders(votes, at), -np.ones_like(effect), effect)
    high = -increasing_root(lambda at: z + score_of_orders(votes, -at), -np.ones_like(effect), -effect)
    return low, high


def _standard_error_of_mean(spreads: FloatArray, votes: VotesByOrder) -> FloatArray:
    """Standard error of the mean of both orders' means."""
    return np.asarray(0.5 * np.sqrt(np.maximum(spreads / votes.votes, 0.0).sum(axis=-1)))


def _likeliest_means(votes: VotesByOrder, null: FloatArray) -> FloatArray:
    """The likeliest mean of each order, given that both together average `null`: where likelihoods rise and fall alike."""
    low, high = np.maximum(-1.0, 2.0 * null - 1.0), np.minimum(1.0, 2.0 * null + 1.0)

    def falls(moved: FloatArray) -> FloatArray:
        first = moved - AWAY
        slopes = _spread_and_slope(votes, np.stack([first, 2.0 * null - first], axis=-1))[1]
        # Beyond the last mean that can be there is no likelihood to climb.
        with np.errstate(invalid="ignore"):
            return np.where(first >= high, np.inf, slopes[..., 1] - slopes[..., 0])

    first = np.clip(increasing_root(falls, low + AWAY, high + AWAY) - AWAY, low, high)
    return np.stack([first, 2.0 * null - first], axis=-1)


def _spread_and_slope(votes: VotesByOrder, means: FloatArray) -> tuple[FloatArray, FloatArray]:
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
