"""Standardisation of scores from datasets on different scales, before they are averaged."""

from dataclasses import replace

import numpy as np

from tellapart.boards.canonical_order import canonical_order
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import NOISE, FloatArray

FURTHEST = 3.0
"""Largest ratio of the datasets' largest scores on one scale: 4 and 10 of 10 points are, shares and percentages are not."""


def dataset_names(scores: Scores) -> tuple[str, ...]:
    return tuple(sorted({home for home, _ in scores.items}))


def on_one_scale(scores: Scores) -> bool:
    """Whether all datasets' scores lie in [−1, 1], or their largest ones within a factor of three."""
    largest = np.array([np.nanmax(np.abs(scores.within(name).values)) for name in dataset_names(scores)])
    reached = largest[largest > 0.0]
    return bool(largest.max() <= 1.0 or largest.max() <= FURTHEST * reached.min())


def standardised(scores: Scores) -> Scores:
    """Scores divided by the typical standard deviation of a difference between two systems on the dataset."""
    homes = np.array([home for home, _ in scores.items])
    unit = np.ones(len(homes))
    by_name = np.argsort(scores.systems)
    for name in dataset_names(scores):
        unit[homes == name] = _typical_spread(scores.within(name).values[by_name, :, :, 0])
    return replace(scores, values=scores.values / unit[:, np.newaxis, np.newaxis])


def _typical_spread(values: FloatArray) -> float:
    """√2 times the residual standard deviation of `(system, item, run)` after system and item means; else the largest score.

    With a single item only the item mean is removed.
    """
    values = values[~np.isnan(values).all(axis=(1, 2))]
    has = ~np.isnan(values)
    runs = has.sum(axis=2)
    table = np.where(has, values, 0.0).sum(axis=2) / np.where(runs > 0, runs, np.nan)
    # Summed in canonical order, so that the last digits do not depend on the order of the input.
    table = table[:, canonical_order(table, None)]
    left = table - np.nanmean(table, axis=0)
    systems, items = table.shape
    if items > 1:
        left = left - np.nanmean(left, axis=1, keepdims=True)
    spread = float(np.sqrt(2.0 * np.nansum(left**2) / max((systems - 1) * max(items - 1, 1), 1)))
    largest = float(np.nanmax(np.abs(table)))
    return spread if spread > NOISE * largest else largest or 1.0
