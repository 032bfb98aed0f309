"""Mean and variance of every row of a batch, without the cancellation of one-pass formulas."""

import numpy as np

from tellapart.arrays import FloatArray

SAFE = 1e-3
"""Share of the sum of squares that must be left after taking out the mean, for one pass over the numbers to be enough.

Three of sixteen digits may be lost to the difference; scores far from zero beside their spread lose more, and are passed
over twice. Chan, Golub & LeVeque (1983).
"""


def mean_and_variance(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Row means and unbiased variances of `(*batch, item)`, each `(*batch,)`.

    A row of one repeated number has exactly that mean and variance 0.
    """
    n = values.shape[-1]
    rows = values.reshape(-1, n)
    mean = rows.mean(axis=1)
    squares = np.einsum("ij,ij->i", rows, rows)
    spread = squares - n * mean * mean
    # Written so that NaN, too, is passed over twice.
    cancelled = ~(spread > SAFE * squares)
    if cancelled.any():
        mean[cancelled], spread[cancelled] = _two_passes(rows[cancelled])
    shape = values.shape[:-1]
    return mean.reshape(shape), (spread / max(n - 1, 1)).reshape(shape)


def _two_passes(rows: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and sum of squared deviations, from deviations: constant rows come out exact."""
    # From the first number, not from a rounded mean: equal numbers then have deviations of exactly 0.
    deviations = rows - rows[:, :1]
    shift = deviations.mean(axis=1)
    deviations -= shift[:, np.newaxis]
    return rows[:, 0] + shift, np.einsum("ij,ij->i", deviations, deviations)


def t_ratio(mean: FloatArray, standard_error: FloatArray) -> FloatArray:
    """The ratio mean / standard error: 0 when both are 0 (nothing differs), NaN when only the error is (no answer)."""
    undefined = np.where(mean == 0.0, 0.0, np.nan)
    return np.where(
        standard_error > 0.0, mean / np.where(standard_error > 0.0, standard_error, 1.0), undefined
    )


def welch(a: FloatArray, b: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Difference of the means of two independent samples, its standard error, and Welch–Satterthwaite df.

    With vₐ = sₐ²/nₐ the error is √(vₐ + v_b) and its degrees of freedom (vₐ + v_b)² / (vₐ²/(nₐ − 1) + v_b²/(n_b − 1)). A
    sample of a single item has no variance of its own, and counts as having none. Welch (1947).
    """
    (mean_a, variance_a), (mean_b, variance_b) = mean_and_variance(a), mean_and_variance(b)
    share_a, share_b = variance_a / a.shape[-1], variance_b / b.shape[-1]
    total = share_a + share_b
    spread = share_a**2 / max(a.shape[-1] - 1, 1) + share_b**2 / max(b.shape[-1] - 1, 1)
    df = np.divide(total**2, spread, out=np.ones_like(total), where=spread > 0.0)
    return mean_b - mean_a, np.sqrt(total), df
