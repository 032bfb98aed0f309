"""Ranks within every row of a batch, ties sharing the mean of theirs."""

import numpy as np

from tellapart.arrays import FloatArray, IntArray


def midranks(values: FloatArray) -> FloatArray:
    """Ranks 1, 2, … of `(*batch, item)` along the items; equal values share the mean of their ranks."""
    return ranks_and_ties(values)[0]


def ranks_and_ties(values: FloatArray) -> tuple[FloatArray, IntArray]:
    """The midranks of `(*batch, item)`, and how many items share each: the latter in ascending order of rank.

    In a group of t ties each member counts t, so that Σ(t² − 1) over items is Σ(t³ − t) over groups, which variances of
    rank sums are short by.
    """
    # Which of several equal values comes first does not matter: they share one rank.
    order = np.argsort(values, axis=-1)
    ordered = np.take_along_axis(values, order, axis=-1)
    first, last = _tie_bounds(ordered)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, 1.0 + 0.5 * (first + last), axis=-1)
    return ranks, last - first + 1


def _tie_bounds(ordered: FloatArray) -> tuple[IntArray, IntArray]:
    """For every place in a sorted row the first and the last place with the same value."""
    places = np.broadcast_to(np.arange(ordered.shape[-1]), ordered.shape)
    changes = ordered[..., 1:] != ordered[..., :-1]
    edge = np.ones((*ordered.shape[:-1], 1), dtype=np.bool_)
    first = np.maximum.accumulate(np.concatenate([edge, changes], axis=-1) * places, axis=-1)
    ends = np.where(np.concatenate([changes, edge], axis=-1), places, ordered.shape[-1])
    return first, np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
