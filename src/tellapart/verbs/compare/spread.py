"""How much the effect varies from sample to sample, as the scores show it."""

import math
from dataclasses import dataclass

import numpy as np

from tellapart.distributions.clusters import cluster_error
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
        _, error, df = cluster_error(differences.values, differences.clusters, "cr2", differences.scale)
        return float(error), float(df)
    _, squared = mean_and_variance(differences.values)
    return float(np.sqrt(squared / differences.items)), differences.items - 1.0


@dataclass(frozen=True)
class UnitSpread:
    """What more items of the same kind would come in, and how the effect varies with their number."""

    sd: float
    """Standard deviation of a unit's difference that the standard error implies.

    It carries the design effect of clusters, and of systems on different items the way that items are split.
    """
    df_share: float
    """What a unit adds to the degrees of freedom, which are those of so many units less one."""
    items: float
    """Of a unit, on average: one, or those of a cluster."""


def unit_spread(analysis: Analysis) -> UnitSpread:
    """Of whole clusters where the error is taken between them, else of items, both systems' together where these are different ones."""
    error, df = error_and_df(analysis)
    clusters = analysis.clusters if analysis.paired else None
    units = analysis.items if clusters is None else clusters
    return UnitSpread(error * math.sqrt(units), (df + 1.0) / units, analysis.items / units)
