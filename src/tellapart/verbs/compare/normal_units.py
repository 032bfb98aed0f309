"""Few items, or clusters, say how far effects vary and next to nothing of the shape: normal ones are drawn in their place."""

import numpy as np
from scipy import special

from tellapart.distributions.clusters import cluster_sizes
from tellapart.results.note import Note
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import Procedure
from tellapart.verbs.compare.analysis import Analysis

FEWEST, FEW = 4, 20
"""From so many items or clusters, to fewer than so many.

Eight that are weighted until their mean is a large effect are three or four that matter, and vary less than all do: what was said to be found 80 % of the time was
found 71 % of the time, and of two in five evaluations nothing could be said. From twenty on it is 77 % of the time, and the shape tells something.
Of two or three an effect that is found lies farther out than normal quantiles reach.
"""
AT_LEAST = 1_000
"""Units that stand for a normal law: weighted until their mean is an effect of two standard deviations they are still normal."""


def stand_for_normal(analysis: Analysis, test: Procedure) -> bool:
    """Whether the test is about a mean, of few clusters or of few items that all differ by something else."""
    if test.estimand != "mean difference":
        return False
    if test.needs_clusters:
        return FEWEST <= (analysis.clusters or 0) < FEW
    values = analysis.differences.snapped
    apart = len(np.unique(values[values != 0.0])) == len(values)
    return analysis.pair.clusters is None and FEWEST <= len(values) < FEW and apart


def normal_units(pair: Pair, error: float) -> Pair:
    """Many items, or clusters of the same sizes, with normal effects; the mean of as many as there are has this standard error."""
    sizes = np.ones(len(pair.a)) if pair.clusters is None else cluster_sizes(pair.clusters)
    many = np.tile(sizes.astype(np.int64), -(-AT_LEAST // len(sizes)))
    places = (stream(0).permutation(len(many)) + 0.5) / len(many)
    spread = error * sizes.sum() / np.sqrt((sizes**2).sum())
    effects = np.repeat(spread * special.ndtri(places), many)[:, np.newaxis, np.newaxis]
    codes = None if pair.clusters is None else np.repeat(np.arange(len(many)), many)
    return Pair(np.zeros_like(effects), effects, codes)


def as_if_normal(analysis: Analysis, test: Procedure) -> Note:
    """That what is detectable supposes normal effects."""
    unit, units = ("cluster", analysis.clusters) if test.needs_clusters else ("item", analysis.items)
    return Note("detectable_if_normal", {"unit": unit, "units": units, "below": FEW})
