"""Simultaneous intervals of the means of all systems: the level of each, and widening to agree with the pairs."""

import numpy as np

from tellapart.boards.contrast_laws import studentised_draws
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.null_laws.tails import t_tails

# Intervals consistent with the pairs: those of systems that do not differ significantly overlap.


def meeting(low: FloatArray, high: FloatArray, a: IntArray, b: IntArray) -> tuple[FloatArray, FloatArray]:
    """The bounds `(system,)`, widened to the middle of any gap between the intervals of these pairs; coverage only rises."""
    above, below = np.concatenate([a, b]), np.concatenate([b, a])
    gaps = high[below] < low[above]
    above, below = above[gaps], below[gaps]
    # Halved first, as the sum of bounds could overflow.
    middle = 0.5 * high[below] + 0.5 * low[above]
    wider_low, wider_high = low.copy(), high.copy()
    np.minimum.at(wider_low, above, middle)
    np.maximum.at(wider_high, below, middle)
    return wider_low, wider_high


DRAWS = 10_000
"""Draws for the level, whose Monte Carlo error is about 0.002 at 95 %."""

FEWEST_BEYOND = 20
"""Fewest draws beyond the critical value for an estimate."""

BLOCK = 1 << 22
"""Numbers drawn at once."""

NO_SPREAD = 1e-24
"""Relative size below which a sum of squares is rounding."""

DIGITS = 8
"""Decimals of a level: beyond Monte Carlo precision, within reproducibility across processors."""


def level_of_products(products: FloatArray, df: int, level: float, rng: Generator) -> float:
    """The level of each system's interval at which the intervals of all means cover simultaneously with `level`.

    `products`, `(system, system)`, are sums of products of residuals, by item or cluster. The largest studentised mean is simulated
    with the estimated correlations, shrunk towards 0 where items are few; a system without variance counts as uncorrelated. At
    most Bonferroni's level, which also serves where draws are too few or nothing varies. Asymptotic for non-normal scores.
    Hothorn, Bretz & Westfall (2008); Schäfer & Strimmer (2005).
    """
    systems = len(products)
    varies = _varying_systems(np.diagonal(products))
    cautious = 1.0 - (1.0 - level) / systems
    if systems < 2 or not varies.any() or (1.0 - level) * DRAWS < FEWEST_BEYOND:
        return cautious
    related = _shrunk(_residual_correlations(products, varies), df)
    # "higher" errs towards wider intervals.
    critical = float(np.quantile(_largest(related, df, rng), level, method="higher"))
    return min(cautious, round(1.0 - 2.0 * float(t_tails(np.asarray(critical), df)[1]), DIGITS))


def _varying_systems(spread: FloatArray) -> BoolArray:
    return np.asarray(spread > NO_SPREAD * max(float(spread.max(initial=0.0)), 1e-300))


def _residual_correlations(products: FloatArray, varies: BoolArray) -> FloatArray:
    # An infinite size makes the correlations of a constant system exactly 0.
    size = np.where(varies, np.sqrt(np.abs(np.diagonal(products))), np.inf)
    return np.asarray(products / size / size[:, np.newaxis])


def _shrunk(related: FloatArray, df: int) -> FloatArray:
    """Correlations times the share of their squares that exceeds the expectation under independence."""
    squares = related[np.triu_indices(len(related), 1)] ** 2
    by_chance = float(np.sum((1.0 - squares) ** 2)) / df
    kept = 1.0 - min(1.0, by_chance / max(float(squares.sum()), 1e-300))
    shrunk = kept * related
    np.fill_diagonal(shrunk, 1.0)
    return shrunk


def _largest(related: FloatArray, df: int, rng: Generator) -> FloatArray:
    """The largest absolute studentised mean of each draw."""
    step = max(1, BLOCK // len(related))
    counts = [min(step, DRAWS - start) for start in range(0, DRAWS, step)]
    return np.concatenate([np.abs(studentised_draws(related, df, count, rng)).max(axis=0) for count in counts])
