"""How many units tell of the effect of a metric that is no mean: neither those that are the same, nor small ones beside large ones."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.clusters import cluster_sums
from tellapart.summaries import Parts


def telling_units(sample: Parts, parts: FloatArray) -> FloatArray:
    """Of how many units each entry is, `(entry,)`, given A's parts followed by B's, `(entry, item, part)`; of a mean all count.

    A unit in which both systems are the same tells nothing, and (Σw)²/Σw² units of one weight would tell as much as those of weights w
    do, w being what a unit's parts count in the metric: a few long texts, or the few items of a rare class, may hold most of it,
    whatever the number of others. Kish (1965).
    """
    if sample.metric.linear:
        units = parts.shape[1] if sample.clusters is None else int(sample.clusters.max()) + 1
        return np.full(len(parts), float(units))
    a, b = np.split(parts, 2, axis=-1)
    apart, weight = (a != b).any(axis=-1).astype(np.float64), _weight(a, sample) + _weight(b, sample)
    if sample.clusters is not None:
        apart, weight = (cluster_sums(x, sample.clusters) for x in (apart, weight))
    squares = np.square(weight).sum(axis=-1)
    even = np.divide(weight.sum(axis=-1) ** 2, squares, out=np.zeros_like(squares), where=squares > 0.0)
    return np.asarray(np.minimum(np.count_nonzero(apart, axis=-1), even))


def _weight(parts: FloatArray, sample: Parts) -> FloatArray:
    """What the parts of each item of a system count, `(entry, item)`."""
    slopes = sample.metric.gradient(parts.mean(axis=1), parts.shape[1])
    return np.asarray(np.einsum("eip,ep->ei", np.abs(parts), np.abs(slopes)))
