"""Studentised means that are related as given, drawn without any scores."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.seeds import Generator


def studentised_draws(related: FloatArray, df: FloatArray | float, count: int, rng: Generator) -> FloatArray:
    """`(mean, count)` draws of normal means with these correlations over roots of variances with so many degrees of freedom.

    Each mean has a variance of its own, and variances correlate as correlations squared do.
    """
    shape = len(related), count
    means = _root(related) @ rng.standard_normal(shape)
    return np.asarray(means / np.sqrt(_variances(_root(related**2) @ rng.standard_normal(shape), df)))


def _root(related: FloatArray) -> FloatArray:
    """A matrix whose square is the correlation matrix."""
    values, vectors = np.linalg.eigh(related)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _variances(normals: FloatArray, df: FloatArray | float) -> FloatArray:
    """Chi-squared over its degrees of freedom, from normals. Wilson & Hilferty (1931)."""
    # The cube root of a chi-squared over its df is close to normal about 1 − 2/(9 df), from one or two df on.
    narrow = 2.0 / (9.0 * df)
    return np.asarray(np.maximum(1.0 - narrow + normals * np.sqrt(narrow), 1e-3) ** 3)
