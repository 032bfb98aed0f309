"""One level for many intervals: at which each must be computed so that all hold together."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.student import t_tails
from tellapart.seeds import Generator

DRAWS = 10_000
BLOCK = 1 << 22
NO_SPREAD = 1e-24


def simultaneous_level(residuals: FloatArray, level: float, rng: Generator) -> float:
    """The level of each system's own interval at which the intervals of all means cover together with `level`.

    `residuals`, `(system, unit)`, are each system's deviations from its mean, by item or summed by cluster. The largest of the
    studentised means is drawn from the multivariate t with their correlations, so shared items are used and not paid
    for twice. Large-sample for scores that are not normal. Dunnett & Sobel (1954); Hothorn, Bretz & Westfall (2008).
    """
    df = residuals.shape[1] - 1
    products = residuals @ residuals.T
    spread = np.diagonal(products)
    varies = spread > NO_SPREAD * max(float(spread.max(initial=0.0)), 1e-300)
    if varies.sum() < 2:
        return level
    root = _root(products[np.ix_(varies, varies)])
    critical = float(np.quantile(_largest(root, df, rng), level, method="higher"))
    return 1.0 - 2.0 * float(t_tails(np.asarray(critical), df)[1])


def _root(products: FloatArray) -> FloatArray:
    """A matrix whose square is the correlation matrix."""
    size = np.sqrt(np.diagonal(products))
    values, vectors = np.linalg.eigh(products / size / size[:, np.newaxis])
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _largest(root: FloatArray, df: int, rng: Generator) -> FloatArray:
    step = max(1, BLOCK // len(root))
    found = []
    for start in range(0, DRAWS, step):
        size = min(step, DRAWS - start)
        normals = np.abs(root @ rng.standard_normal((len(root), size))).max(axis=0)
        found.append(normals / np.sqrt(rng.chisquare(df, size) / df))
    return np.concatenate(found)
