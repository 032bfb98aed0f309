"""Studentised means that are related as given, drawn without any scores."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.seeds import Generator

OWN = 1e-9
"""The least part of every variance that is its own: what is left of a twin's is rounding, and is not to be divided by."""


def studentised_draws(related: FloatArray, df: FloatArray | float, count: int, rng: Generator) -> FloatArray:
    """`(mean, count)` draws of normal means with these correlations over roots of variances with so many degrees of freedom.

    Each mean has a variance of its own, and variances correlate as correlations squared do.
    """
    shape = len(related), count
    means = _root(related) @ rng.standard_normal(shape)
    return np.asarray(means / np.sqrt(_variances(_root(related**2) @ rng.standard_normal(shape), df)))


def _root(related: FloatArray) -> FloatArray:
    """Cholesky's root of a correlation matrix: the only lower triangular one, so that draws are the same on every machine.

    Eigenvectors would do for the law of the draws, but those of equal eigenvalues are whatever the processor makes of them.
    """
    root = np.zeros_like(related)
    for i, row in enumerate(related):
        own = row[i] - root[i, :i] @ root[i, :i]
        root[i, i] = np.sqrt(max(float(own), OWN))
        root[i + 1 :, i] = (row[i + 1 :] - root[i + 1 :, :i] @ root[i, :i]) / root[i, i]
    return root


def _variances(normals: FloatArray, df: FloatArray | float) -> FloatArray:
    """Chi-squared over its degrees of freedom, from normals. Wilson & Hilferty (1931)."""
    # The cube root of a chi-squared over its df is close to normal about 1 − 2/(9 df), from one or two df on.
    narrow = 2.0 / (9.0 * df)
    # With one degree of freedom the normal falls below 0 one time in twenty; no variance does.
    return np.asarray(np.maximum(1.0 - narrow + normals * np.sqrt(narrow), 1e-3) ** 3)
