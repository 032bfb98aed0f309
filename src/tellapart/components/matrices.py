"""Matrices and vectors of a whole batch, `(batch, row, column)` and `(batch, row)`: what mixed models with gaps are computed by."""

import numpy as np
from scipy.linalg import lapack

from tellapart.arrays import FloatArray

LARGE = 16
"""Rows from which on a matrix is worth a call of its own."""

Sums = tuple[FloatArray, FloatArray]
"""What is summed over the levels that are kept, and over those that are absorbed."""


def inverse_and_logdet(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Of symmetric matrices with positive eigenvalues; of large ones by symmetric factors, in half the time."""
    if matrices.shape[1] < LARGE or not np.isfinite(matrices).all():
        return _one_after_the_other(matrices)
    inverses, diagonals = np.empty_like(matrices), np.empty(matrices.shape[:2])
    for place, matrix in enumerate(matrices):
        factor, failed = lapack.dpotrf(matrix, lower=1, clean=0)
        if failed:
            return _one_after_the_other(matrices)
        diagonals[place] = factor.diagonal()
        inverses[place] = _half_inverse(matrix, factor)
    # Above the diagonal a factorization leaves what was there.
    lower = np.tril(inverses)
    inverses = lower + np.tril(lower, -1).transpose(0, 2, 1)
    return inverses, 2.0 * np.log(diagonals).sum(axis=1)


def _half_inverse(matrix: FloatArray, factor: FloatArray) -> FloatArray:
    """The inverse up to its diagonal. `dpotri` does for all, but its threads wait for each other ten times as long as they compute."""
    if not hasattr(lapack, "dsytri"):  # scipy before 1.16
        return np.asarray(lapack.dpotri(factor, lower=1)[0])
    parts, pivots, _ = lapack.dsytrf(matrix, lower=1)
    return np.asarray(lapack.dsytri(parts, pivots, lower=1, overwrite_a=1)[0])


def _one_after_the_other(matrices: FloatArray) -> tuple[FloatArray, FloatArray]:
    return np.asarray(np.linalg.inv(matrices)), np.asarray(np.linalg.slogdet(matrices)[1])


def diagonal(entries: FloatArray) -> FloatArray:
    return entries[:, :, None] * np.eye(entries.shape[1])


def applied(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    if len(matrix) == 1:
        return np.asarray(vector @ matrix[0].T)
    return np.asarray(np.matmul(matrix, vector[:, :, None])[:, :, 0])


def dot(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("bi,bi->b", one, other))


def trace(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(np.einsum("bij,bji->b", one, other))


def squared(vectors: Sums) -> FloatArray:
    return np.stack([dot(v, v) for v in vectors], axis=1)


def outer(vector: FloatArray) -> FloatArray:
    return np.asarray(vector[:, :, None] * vector[:, None, :])


def symmetric(first: FloatArray, both: FloatArray, second: FloatArray) -> FloatArray:
    return np.stack([np.stack([first, both], axis=1), np.stack([both, second], axis=1)], axis=1)
