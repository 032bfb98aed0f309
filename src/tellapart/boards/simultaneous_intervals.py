"""One level for many intervals: at which each must be computed so that all hold together."""

import numpy as np

from tellapart.boards.contrast_laws import studentised_draws
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.null_laws.tails import t_tails

# Intervals that do not say more than the pairs do: systems that are not told apart have intervals that
# meet.


def meeting(low: FloatArray, high: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray]:
    """The bounds `(system,)`, widened to the middle of the gap wherever the intervals of one of these pairs leave one.

    Wider intervals hold whenever the narrower ones did, so nothing that was promised of them is lost; no pair is told apart by it.
    """
    above, below = np.concatenate([a, b]), np.concatenate([b, a])
    gaps = high[below] < low[above]
    above, below = above[gaps], below[gaps]
    # Bounds are halved first: their sum could overflow.
    middle = 0.5 * high[below] + 0.5 * low[above]
    wider_low, wider_high = low.copy(), high.copy()
    np.minimum.at(wider_low, above, middle)
    np.maximum.at(wider_high, below, middle)
    return wider_low, wider_high


DRAWS = 10_000
"""The level found from so many is off by some 0.002 at 95 %: no more than the bounds show when they are rounded."""

FEWEST_BEYOND = 20
"""Draws that must lie beyond the critical value for it to be known."""

BLOCK = 1 << 22
"""Numbers drawn at once."""

NO_SPREAD = 1e-24
"""A sum of squares this small beside the largest is rounding: twelve digits of the deviations themselves."""

DIGITS = 8
"""Decimals of a level: more than draws can know, and fewer than change when another processor adds in another order."""


def level_of_products(products: FloatArray, df: int, level: float, rng: Generator) -> float:
    """The level of each system's own interval at which the intervals of all means cover together with `level`.

    `products`, `(system, system)`, are the sums of products of their deviations from their means, by item or summed by cluster. The largest of the
    studentised means is drawn with their correlations, so shared items are used and not paid for twice; correlations are
    drawn towards 0 as far as few items make them up. A system without spread counts as unrelated to the others. Never
    above Bonferroni's level, which is also taken where there are too few draws for another or nothing varies. Large-sample for scores that
    are not normal. Hothorn, Bretz & Westfall (2008); Schäfer & Strimmer (2005).
    """
    systems = len(products)
    varies = _varies(np.diagonal(products))
    cautious = 1.0 - (1.0 - level) / systems
    if systems < 2 or not varies.any() or (1.0 - level) * DRAWS < FEWEST_BEYOND:
        return cautious
    related = _shrunk(_correlations(products, varies), df)
    # "higher" never takes a smaller value than was drawn: the level errs towards wider intervals.
    critical = float(np.quantile(_largest(related, df, rng), level, method="higher"))
    return min(cautious, round(1.0 - 2.0 * float(t_tails(np.asarray(critical), df)[1]), DIGITS))


def _varies(spread: FloatArray) -> BoolArray:
    return np.asarray(spread > NO_SPREAD * max(float(spread.max(initial=0.0)), 1e-300))


def _correlations(products: FloatArray, varies: BoolArray) -> FloatArray:
    # A size without end makes the correlations of a system that does not vary 0, whatever rounding left of its products.
    size = np.where(varies, np.sqrt(np.abs(np.diagonal(products))), np.inf)
    return np.asarray(products / size / size[:, np.newaxis])


def _shrunk(related: FloatArray, df: int) -> FloatArray:
    """Correlations times the share of their squares that so few items do not make by chance."""
    squares = related[np.triu_indices(len(related), 1)] ** 2
    by_chance = float(np.sum((1.0 - squares) ** 2)) / df
    kept = 1.0 - min(1.0, by_chance / max(float(squares.sum()), 1e-300))
    shrunk = kept * related
    np.fill_diagonal(shrunk, 1.0)
    return shrunk


def _largest(related: FloatArray, df: int, rng: Generator) -> FloatArray:
    """The largest studentised mean in each draw."""
    step = max(1, BLOCK // len(related))
    counts = [min(step, DRAWS - start) for start in range(0, DRAWS, step)]
    return np.concatenate(
        [np.abs(studentised_draws(related, df, count, rng)).max(axis=0) for count in counts]
    )
