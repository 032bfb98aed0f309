"""Mean and variance of every row of a batch, without the cancellation of one-pass formulas."""

import numpy as np

from tellapart.arrays import FloatArray

BLOCK = 1 << 15
"""Numbers worked on at once: a block and its deviations stay in the processor's cache."""


def mean_and_variance(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Row means and unbiased variances of `(*batch, item)`, each `(*batch,)`.

    A row of one repeated number has exactly that mean and variance 0.
    """
    n = values.shape[-1]
    rows = values.reshape(-1, n)
    mean, variance = np.empty(len(rows)), np.empty(len(rows))
    step = max(1, BLOCK // max(n, 1))
    for start in range(0, len(rows), step):
        block = rows[start : start + step]
        # Deviations are taken from the first value: constant rows stay exact, and the shift costs one pass.
        deviations = block - block[:, :1]
        shift = deviations.mean(axis=1)
        mean[start : start + step] = block[:, 0] + shift
        deviations -= shift[:, np.newaxis]
        variance[start : start + step] = np.einsum("ij,ij->i", deviations, deviations) / max(n - 1, 1)
    shape = values.shape[:-1]
    return mean.reshape(shape), variance.reshape(shape)


def t_ratio(mean: FloatArray, standard_error: FloatArray) -> FloatArray:
    """mean / standard error: 0 when both are 0 (nothing differs), NaN when only the error is (no answer)."""
    undefined = np.where(mean == 0.0, 0.0, np.nan)
    return np.where(
        standard_error > 0.0, mean / np.where(standard_error > 0.0, standard_error, 1.0), undefined
    )
