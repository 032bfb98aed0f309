"""How much the effect varies from sample to sample, as the scores show it."""

import math

import numpy as np

from tellapart.distributions.clusters import cluster_error, evenness, suited_variance
from tellapart.distributions.moments import mean_and_variance, welch
from tellapart.summaries import Differences, Independent
from tellapart.verbs.compare.analysis import Analysis


def error_and_df(analysis: Analysis) -> tuple[float, float]:
    """The standard error of the effect and its degrees of freedom, with the clusters where there are any."""
    if not analysis.paired:
        sample = Independent.of(analysis.pair, analysis.metric)
        _, error, df = welch(sample.a, sample.b)
        return float(error), float(df)
    differences: Differences = analysis.summary(Differences)
    if differences.clusters is not None:
        variance = suited_variance(evenness(differences.clusters))
        _, error, df = cluster_error(differences.values, differences.clusters, variance, differences.scale)
        return float(error), float(df)
    _, squared = mean_and_variance(differences.values)
    return float(np.sqrt(squared / differences.items)), differences.items - 1.0


def spread(analysis: Analysis) -> float:
    """The standard deviation of an item's difference that the standard error implies.

    With clusters it carries their design effect, and of systems on different items the way that items are split.
    """
    return error_and_df(analysis)[0] * math.sqrt(analysis.items)
