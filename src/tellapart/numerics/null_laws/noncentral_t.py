"""Noncentral t: power, sign and magnitude errors, detectable effects and sample sizes of t tests.

`shift` is the true effect in standard errors. The t ratio is a normal variable around `shift` over an independent chi
ratio, so every probability is a normal one averaged over chi: never NaN, and small tails keep their digits.
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws import chi_quadrature
from tellapart.numerics.null_laws.tails import Alternative, Rejections, between, density, sides, t_quantile
from tellapart.numerics.roots import increasing_root

Number = FloatArray | float

BLOCK = 2048
"""Rows integrated at once: their nodes stay within some megabytes."""

SURELY_NORMAL = 1e12
"""Degrees of freedom beyond which Student's t and the normal agree to 6e-12 at two standard errors and to 1e-9 at eight."""

LEAST_SIZE = 1e-100
"""An effect below this share of the standard deviation needs more items than can be counted."""


def t_critical(df: Number, alpha: Number, alternative: Alternative) -> FloatArray:
    """The value beyond which the t ratio rejects, on each side that the alternative looks at."""
    return -t_quantile(np.asarray(alpha) / sides(alternative), df)


def t_power(shift: Number, df: Number, alpha: Number, alternative: Alternative) -> FloatArray:
    """Power of a t test when the true effect is `shift` standard errors, in either direction if two-sided.

    Exact for normal differences. Owen (1965).
    """
    return t_rejections(shift, df, alpha, alternative).power


def t_error_rates(
    shift: Number, df: Number, alpha: Number, alternative: Alternative
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Power, the share of rejections with the wrong sign, and the mean exaggeration of the effect among rejections.

    The estimate is the mean difference, and alpha below ½. Without effect either sign is wrong half of the time and any estimate is
    infinitely exaggerated. Gelman & Carlin (2014), with the noncentral t for their shifted one; at infinite degrees of
    freedom Lu, Qiu & Deng (2019).
    """
    found, effect = t_rejections(shift, df, alpha, alternative), np.asarray(shift, dtype=np.float64)
    return found.power, found.type_s(effect), found.type_m(effect)


def t_rejections(shift: Number, df: Number, alpha: Number, alternative: Alternative) -> Rejections:
    """Both directions of rejection, with the estimate in standard errors."""
    shift, df, critical = _floats(shift, df, t_critical(df, alpha, alternative))
    nothing = np.zeros_like(shift)
    if alternative == "two-sided":
        # Both sides in one call: a quadrature of two rows costs hardly more than that of one.
        (lower, upper), (lower_size, upper_size) = _tail_and_slope(np.stack([-shift, shift]), df, critical)
        return Rejections(lower, upper, lower_size, upper_size)
    probability, size = _tail_and_slope(-shift if alternative == "less" else shift, df, critical)
    if alternative == "less":
        return Rejections(probability, nothing, size, nothing)
    return Rejections(nothing, probability, nothing, size)


def equivalence_power(shift: Number, margin: Number, df: Number, alpha: Number) -> FloatArray:
    """Power of two one-sided t tests to show that the effect lies within ± `margin`.

    `shift` and `margin` are in standard errors. Exact for normal differences. Schuirmann (1987).
    """
    up, down, df, critical = _floats(
        np.asarray(margin) - shift, np.asarray(margin) + shift, df, t_critical(df, alpha, "greater")
    )
    finite = df < SURELY_NORMAL
    (inside,) = _evaluate_in_blocks(_both_inside, up, down, np.where(finite, df, 1.0), critical)
    return np.where(finite, inside, between(critical - down, up - critical))


def t_shift(power: Number, df: Number, alpha: Number, alternative: Alternative) -> FloatArray:
    """The smallest true effect, in standard errors, that a t test finds with this power; below 0 for "less"."""
    power, df, alpha = _floats(power, df, alpha)
    towards = _upward(alternative)
    guess = t_critical(df, alpha, towards) + np.maximum(special.ndtri(power), 0.0) + 1.0
    gap = _quantile_gap(lambda shift: t_power(shift, df, alpha, towards), power)
    root = increasing_root(gap, np.zeros_like(guess), np.maximum(guess, 1.0))
    return -root if alternative == "less" else root


def items_df(items: Number, share: Number = 1.0) -> FloatArray:
    """Degrees of freedom where each item adds `share`: those of n items less one, and never below one."""
    return np.maximum(np.asarray(items) * share - 1.0, 1.0)


def t_items(  # noqa: PLR0913, PLR0917  (a question about power with what an item adds to it)
    effect: Number, sd: Number, power: Number, alpha: Number, alternative: Alternative, share: Number = 1.0
) -> tuple[FloatArray, FloatArray]:
    """The items that a t test needs: as a real number and as the smallest whole one, 2 at least.

    `sd` is that of the differences; only the size of `effect` counts, taken in the direction that a one-sided
    alternative looks at. Each item adds `share` to the degrees of freedom. Infinite where no number suffices.
    """
    size, power, alpha = _floats(np.abs(effect) / np.asarray(sd), power, alpha)
    possible = (size >= LEAST_SIZE) & (power < 1.0)
    size, target = np.where(possible, size, 1.0), np.where(possible, power, 0.5)
    towards = _upward(alternative)

    def reached(items: FloatArray) -> FloatArray:
        return t_power(size * np.sqrt(items), items_df(items, share), alpha, towards)

    quantiles = special.ndtri(target) + t_critical(np.inf, alpha, towards)
    guess = np.sqrt((quantiles / size) ** 2 + 4.0)
    # Power is nearly straight in the root of the number of items.
    least = np.full_like(size, np.sqrt(2.0))
    root = increasing_root(_quantile_gap(lambda x: reached(x * x), target), least, guess)
    real = np.where(root > least, root * root, 2.0)
    whole = np.maximum(np.ceil(real) - 1.0, 2.0)
    for _ in range(2):  # the root may err in its last digit, power at whole numbers does not
        whole = whole + (reached(whole) < target)
    return np.where(possible, real, np.inf), np.where(possible, whole, np.inf)


def _floats(*values: Number) -> tuple[FloatArray, ...]:
    return tuple(np.asarray(x, dtype=np.float64) for x in np.broadcast_arrays(*values))


def _upward(alternative: Alternative) -> Alternative:
    return "greater" if alternative == "less" else alternative


def _quantile_gap(
    function: Callable[[FloatArray], FloatArray], target: FloatArray
) -> Callable[[FloatArray], FloatArray]:
    """How far power is from its target in normal quantiles, where power curves are nearly straight."""
    # The quantiles of 0 and 1 are infinite, and no root is found between infinities.
    smallest, largest = 1e-300, 1.0 - 2.0**-53
    wanted = special.ndtri(np.clip(target, smallest, largest))
    return lambda x: np.asarray(special.ndtri(np.clip(function(x), smallest, largest)) - wanted)


def _tail_and_slope(shift: FloatArray, df: FloatArray, critical: FloatArray) -> tuple[FloatArray, FloatArray]:
    """P(T ≥ critical), and E[Z; T ≥ critical] of the normal variable Z above the chi ratio."""
    df, critical = np.broadcast_to(df, shift.shape), np.broadcast_to(critical, shift.shape)
    finite, flipped = df < SURELY_NORMAL, critical < 0.0
    # Below 0 (levels above a half) the opposite tail is the one that is integrated.
    towards = np.where(flipped, -shift, shift)
    above, slope = _evaluate_in_blocks(_upper_tail, towards, np.where(finite, df, 1.0), np.abs(critical))
    above = np.clip(np.where(flipped, 1.0 - above, above), 0.0, 1.0)
    probability = np.where(finite, above, special.ndtr(shift - critical))
    size = np.where(finite, slope, density(shift - critical)) + shift * probability
    # What is above a critical value of 0 or more is not below 0, but numbers that underflow lose their digits to the difference.
    return probability, np.where(flipped, size, np.maximum(size, 0.0))


def _evaluate_in_blocks(
    function: Callable[..., tuple[FloatArray, ...]], *columns: FloatArray
) -> tuple[FloatArray, ...]:
    flat = [column.reshape(-1) for column in columns]
    starts = range(0, max(flat[0].size, 1), BLOCK)
    pieces = [function(*(column[start : start + BLOCK] for column in flat)) for start in starts]
    return tuple(np.concatenate(piece).reshape(columns[0].shape) for piece in zip(*pieces, strict=True))


def _upper_tail(shift: FloatArray, df: FloatArray, critical: FloatArray) -> tuple[FloatArray, FloatArray]:
    """P(Z ≥ critical·ratio), and its derivative by the shift."""
    ratio, weight = chi_quadrature.nodes(df, chi_quadrature.tail_edges(shift, df, critical))
    x = shift[:, np.newaxis] - critical[:, np.newaxis] * ratio
    return (weight * special.ndtr(x)).sum(axis=-1), (weight * density(x)).sum(axis=-1)


def _both_inside(up: FloatArray, down: FloatArray, df: FloatArray, critical: FloatArray) -> tuple[FloatArray]:
    """P(−down + critical·ratio ≤ Z ≤ up − critical·ratio)."""
    ratio, weight = chi_quadrature.nodes(df, chi_quadrature.capped_edges(up, down, df, critical))
    inset = critical[:, np.newaxis] * ratio
    return ((weight * between(inset - down[:, np.newaxis], up[:, np.newaxis] - inset)).sum(axis=-1),)


# How many items two one-sided t tests need to show that equal systems differ by less than a margin.

FEWEST = 2.0
"""Items below which nothing is seen to vary."""


def equivalence_items(margin: float, sd: float, power: float, alpha: float, share: float = 1.0) -> float:
    """The smallest whole number, where `sd` is that of the differences; each item adds `share` to the degrees of freedom.

    Exact for normal differences. Schuirmann (1987).
    """

    def reached(items: FloatArray) -> FloatArray:
        return equivalence_power(0.0, margin / sd * np.sqrt(items), items_df(items, share), alpha)

    def short(root: FloatArray) -> FloatArray:
        return np.asarray(reached(root * root) - power)

    # Power is nearly straight in the root of the number of items; both sides must reject, each with half of what may be missed.
    quantiles = special.ndtri(0.5 + power / 2.0) + t_critical(np.inf, alpha, "greater")
    guess = np.sqrt((quantiles * sd / margin) ** 2 + 2.0 * FEWEST)
    root = float(increasing_root(short, np.asarray(np.sqrt(FEWEST)), np.asarray(guess)))
    whole = max(float(np.ceil(root * root)) - 1.0, FEWEST)
    for _ in range(2):  # the root may err in its last digit, power at whole numbers does not
        whole += float(reached(np.asarray(whole)) < power)
    return whole
