"""Ranks within every row of a batch, ties sharing the mean of theirs."""

import numpy as np

from tellapart.arrays import FloatArray


def midranks(values: FloatArray) -> FloatArray:
    """Ranks 1, 2, … of `(*batch, item)` along the items; equal values share the mean of their ranks."""
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    places = np.broadcast_to(np.arange(values.shape[-1]), values.shape)
    changes = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*values.shape[:-1], 1), dtype=np.bool_)
    first = np.maximum.accumulate(np.where(np.concatenate([edge, changes], axis=-1), places, 0), axis=-1)
    ends = np.where(np.concatenate([changes, edge], axis=-1), places, values.shape[-1])
    last = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, 1.0 + 0.5 * (first + last), axis=-1)
    return ranks
