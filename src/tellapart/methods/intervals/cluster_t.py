from dataclasses import dataclass, field

from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.numerics.moments import Variance, cluster_error
from tellapart.numerics.null_laws.tails import t_quantile


@INTERVALS.add("cluster_t")
@dataclass(frozen=True)
class ClusterT(Interval):
    """Mean ± t-quantile times the standard error between clusters: what the cluster t test does not reject.

    `cr1`: t with G − 1 degrees of freedom for G clusters; `cr2`: residuals divided by √(1 − the cluster's share of items)
    and Satterthwaite's degrees of freedom, for clusters of very uneven size. True for independent clusters, and close to
    its level from some ten of them on. The wrong choice for a handful of clusters, where no interval is both honest and
    short. Liang & Zeger (1986); Bell & McCaffrey (2002).
    """

    variance: Variance = field(default="cr2", metadata=ALWAYS)

    needs = Differences
    label = "cluster t"
    needs_clusters = True

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        clusters = sample.clusters_for(self)
        mean, error, df = cluster_error(sample.values, clusters, self.variance, sample.scale)
        half_width = t_quantile(0.5 + level / 2.0, df) * error
        return mean - half_width, mean + half_width
