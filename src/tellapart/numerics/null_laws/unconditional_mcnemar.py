"""Unconditional McNemar test: tail probabilities maximised over the share of items that differ.

Everything depends on the square of the statistic, (wins − losses)² / (wins + losses). Equal fractions are equal floats,
so tables compare exactly.
"""

from functools import lru_cache

import numpy as np
from scipy import special

from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.numerics.null_laws.tails import Alternative, half_lower

MOST_ITEMS = 10_000
"""Beyond this the search takes seconds and the answer is that of the other variants to three digits."""

FINENESS = 16
"""Grid points per 1/√items of angle: the binomial's spread, below which a mixture of it cannot change."""

AT_ONCE = 15
"""Candidates for a critical value tried together: their grids cost little more than one."""

DOUBT = 0.02
"""Relative; further below its level a grid's maximum cannot miss a peak that is above it."""

PEAKS, ROUNDS, POINTS = 3, 5, 17
"""The highest grid points looked at again, how often, and on how many points around each."""


def unconditional_pvalue(wins: IntArray, losses: IntArray, items: IntArray, alternative: Alternative) -> FloatArray:
    """The largest probability, over every share of items that differ, of a statistic as extreme as the observed one.

    Exact for independent items. Suissa & Shuster (1991).
    """
    wins, losses, items = np.broadcast_arrays(*(np.asarray(x, dtype=np.int64) for x in (wins, losses, items)))
    square = (wins - losses) ** 2 / np.maximum(wins + losses, 1)
    both = np.ones(square.shape)
    for n in np.unique(items):
        here = (items == n) & (square > 0.0)
        distinct, back = np.unique(square[here], return_inverse=True)
        both[here] = worst_case(distinct, int(n))[back]
    if alternative == "two-sided":
        return both
    towards = wins > losses if alternative == "greater" else wins < losses
    return np.where(towards, both / 2.0, 1.0)


def unconditional_critical_counts(
    discordant: IntArray, items: int, alpha: float, alternative: Alternative
) -> tuple[IntArray, IntArray]:
    """The most wins that reject downwards and the fewest that reject upwards; −1 and discordant + 1 where none do."""
    m = np.asarray(discordant, dtype=np.int64)
    square = critical_square(items, alpha if alternative == "two-sided" else 2.0 * alpha)
    lower, upper = np.full_like(m, -1), m + 1
    if not np.isfinite(square):
        return lower, upper
    # A gap of more than m, which no table has, leads beyond both ends.
    (gap,) = _critical_gap(np.asarray([square]), m)
    return (
        lower if alternative == "greater" else np.maximum((m - gap) // 2, lower),
        upper if alternative == "less" else np.minimum((m + gap) // 2, upper),
    )


@lru_cache(maxsize=256)
def critical_square(items: int, alpha: float) -> float:
    """The smallest squared statistic that `items` items can give and whose worst case is at most alpha; else infinity."""
    _refuse_many_items(items)
    attainable = _attainable_statistics(items, *_critical_bracket(alpha))
    first = _first_enough(attainable, items, alpha)
    return float(attainable[first]) if first < len(attainable) else float("inf")


def _critical_bracket(alpha: float) -> tuple[float, float]:
    """Between which squares the critical one lies: worst cases are near the normal tail, and further up for few items."""
    quantile = -float(special.ndtri(alpha / 2.0))
    return (0.8 * quantile) ** 2, (1.5 * quantile + 1.0) ** 2


def _first_enough(squares: FloatArray, items: int, alpha: float) -> int:
    """The place of the first of rising squares whose worst case is at most alpha; their number where none's is."""
    first, last = 0, len(squares)
    while first < last:
        tried = np.unique(np.linspace(first, last - 1, min(last - first, AT_ONCE) + 2).astype(np.int64)[1:-1])
        enough = _at_most(squares[tried], items, alpha)
        last = int(tried[np.argmax(enough)]) if enough.any() else last
        first = int(tried[~enough][-1]) + 1 if not enough.all() else first
    return first


def _at_most(squares: FloatArray, items: int, alpha: float) -> BoolArray:
    """Whether each square's worst case is at most alpha; looked at closely only where the grid leaves a doubt."""
    rough, angles, tails = _on_grid(squares, items)
    highest = rough.max(axis=1)
    enough = highest <= alpha
    for i in np.flatnonzero(enough & _doubtful(highest, alpha)):
        enough[i] = _refined_maximum(_peaks(rough[i], angles), angles[1], tails[i], items) <= alpha
    return np.asarray(enough)


def _doubtful(highest: FloatArray, alpha: float) -> BoolArray:
    """Whether a peak between the points of a grid may pass alpha though none of its points does."""
    return np.asarray(highest > alpha * (1.0 - DOUBT))


def worst_case(squares: FloatArray, items: int) -> FloatArray:
    """The largest P(statistic² ≥ square) over every share of items that differ, for each of several squares above 0."""
    _refuse_many_items(items)
    if not len(squares):
        return np.ones(0)
    rough, angles, tails = _on_grid(squares, items)
    return np.array(
        [_refined_maximum(_peaks(row, angles), angles[1], tail, items) for row, tail in zip(rough, tails, strict=True)]
    )


def _on_grid(squares: FloatArray, items: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """P(statistic² ≥ square) on a grid of shares, `(square, angle)`, with its angles and the tails given m."""
    tails = _conditional_tails(squares, items)
    # In the angle whose sin² is the share, a binomial's spread is 1/(2√items) everywhere: one step suits all shares.
    angles = np.linspace(0.0, np.pi / 2.0, int(FINENESS * np.pi / 2.0 * np.sqrt(items)) + 2)
    blocks = [_mixtures(angles[i : i + 256], tails, items) for i in range(0, len(angles), 256)]
    return np.concatenate(blocks, axis=1), angles, tails


def _peaks(values: FloatArray, angles: FloatArray) -> FloatArray:
    """The angles of the highest local maxima."""
    beside = np.pad(values, 1)
    # The tail rises and falls many times with the share; only its highest maxima can be the largest of all.
    peaks = (values >= beside[:-2]) & (values >= beside[2:])
    return angles[np.argsort(np.where(peaks, -values, 0.0))[:PEAKS]]


def _refuse_many_items(items: int) -> None:
    if items > MOST_ITEMS:
        raise Unsuitable(
            f"the unconditional variant of mcnemar searches every share of items that differ, which {items} items make "
            f"too slow (most: {MOST_ITEMS}); use mcnemar(variant=mid_p), which agrees with it at this size"
        )


def _refined_maximum(centres: FloatArray, step: float, tail: FloatArray, items: int) -> float:
    """The highest value near any of the centres, looked at on finer and finer grids."""
    best = 0.0
    for _ in range(ROUNDS):
        # Beyond none and all of the items sin² comes back: no angle has to be held within.
        grid = centres[:, np.newaxis] + np.linspace(-step, step, POINTS)
        values = _mixtures(grid.ravel(), tail[np.newaxis], items).reshape(grid.shape)
        best = max(best, float(values.max()))
        centres = np.take_along_axis(grid, values.argmax(axis=1)[:, np.newaxis], axis=1)[:, 0]
        step *= 2.0 / (POINTS - 1)
    return best


def _mixtures(angles: FloatArray, tails: FloatArray, items: int) -> FloatArray:
    """Mean tail, `(square, angle)`, when each item differs with probability sin² of the angle."""
    share = np.sin(angles) ** 2
    # All but 1e-20 of a binomial, and of Poisson's law at small shares.
    spread = 9.5 * np.sqrt(items * share * (1.0 - share)) + 40.0
    first = np.maximum(np.floor(items * share - spread), 0.0).astype(np.int64)
    width = int(min(2.0 * spread.max() + 2.0, items + 1))
    m = np.minimum(first, items + 1 - width)[:, np.newaxis] + np.arange(width)
    logs = special.gammaln(np.arange(items + 1) + 1.0)
    exponent = logs[items] - logs[m] - logs[items - m]
    exponent += special.xlogy(m, share[:, np.newaxis]) + special.xlogy(items - m, np.cos(angles)[:, np.newaxis] ** 2)
    weight = np.exp(exponent)
    return np.asarray(np.stack([(weight * tail[m]).sum(axis=1) for tail in tails]))


def _conditional_tails(squares: FloatArray, items: int) -> FloatArray:
    """P(statistic² ≥ square) given that m items differ, `(square, m)` for m = 0 … items."""
    m = np.arange(items + 1)
    # Fewer than no win, where the gap is more than m, have no chance.
    return 2.0 * half_lower((m - _critical_gap(squares, m)) // 2, m)


def _critical_gap(squares: FloatArray, discordant: IntArray) -> IntArray:
    """The smallest |wins − losses| whose square over m reaches each square, `(square, m)`; it is odd when m is."""
    square, m = squares[:, np.newaxis], discordant[np.newaxis]
    gap = np.floor(np.sqrt(square * m)).astype(np.int64)
    gap = gap + (gap + m) % 2
    # The floor of the root, made of the parity of m: two more always reach the root.
    return np.asarray(gap + 2 * (gap * gap / np.maximum(m, 1) < square))


def _attainable_statistics(items: int, low: float, high: float) -> FloatArray:
    """Every squared statistic between two bounds that some table of these items has, in rising order."""
    m = np.arange(1, items + 1)
    (gap,) = _critical_gap(np.array([low]), m)
    found = []
    while (some := (gap <= m) & (gap * gap / m <= high)).any():
        found.append(gap[some] * gap[some] / m[some])
        gap, m = gap[some] + 2, m[some]
    return np.unique(np.concatenate(found)) if found else np.zeros(0)
