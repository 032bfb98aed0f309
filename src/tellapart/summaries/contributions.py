"""What each item contributes to a metric: by these a metric that is no mean is treated like one.

A metric is a smooth function of mean parts, so near the observed means it is nearly linear. An item's influence is the
gradient times its own deviation from the mean parts; metric plus influence is a score per item whose mean is the metric
and whose spread gives the metric's standard error. Hampel (1974); it misleads where the metric has a kink.
"""

import numpy as np

from tellapart.arrays import FloatArray, floats
from tellapart.summaries.summary import Aggregation


def average_runs(scores: FloatArray) -> FloatArray:
    """Average the repeats of each item, `(*batch, item, run, part)` to `(*batch, item, part)`: items are the sample."""
    if scores.shape[-2] == 1:
        # A view: simulated scores are large, and nearly always run once.
        return scores[..., 0, :]
    averages = scores.mean(axis=-2)
    # Leaving gaps out takes more than twice as long, and simulated scores have none.
    return floats(np.nanmean(scores, axis=-2) if np.isnan(averages).any() else averages)


def contributions(scores: FloatArray, metric: Aggregation) -> FloatArray:
    """What each item contributes to the metric, `(*batch, item)`, its runs averaged first."""
    return item_contributions(average_runs(scores), metric)


def item_contributions(parts: FloatArray, metric: Aggregation) -> FloatArray:
    """The metric plus the item's influence on it, from parts `(*batch, item, part)`: their mean is the metric."""
    if metric.linear:
        # Exactly the scores: adding and taking away the mean would round them.
        return parts[..., 0]
    items, means = parts.shape[-2], parts.mean(axis=-2)
    slopes = metric.gradient(means, items)
    influence = np.einsum("...ip,...p->...i", parts - means[..., np.newaxis, :], slopes)
    return floats(influence + metric.value(means, items)[..., np.newaxis])
