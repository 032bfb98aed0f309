from dataclasses import dataclass, field

from tellapart.distributions.clusters import Variance, cluster_error
from tellapart.distributions.leaning_t import leaning_quantiles, skewness_of_mean
from tellapart.distributions.normal import two_sided_quantile
from tellapart.intervals.interval import INTERVALS, Bounds, Interval
from tellapart.seeds import Generator
from tellapart.spelling import ALWAYS
from tellapart.summaries import Differences


@INTERVALS.add("leaning_cluster_t")
@dataclass(frozen=True)
class LeaningClusterT(Interval):
    """The cluster t interval, longer on the side to which clusters lean: what the test `leaning_cluster_t` does not reject.

    Each bound is the farther one of the cluster t interval's and of that with t-quantiles moved by the skewness that the clusters show.
    For independent clusters, from six of them on. The wrong choice for fewer, where no interval is both honest and short, and where a
    few clusters in a hundred are far worse than all others: those that were drawn may hold none. Hall (1992).
    """

    variance: Variance = field(default="cr1", metadata=ALWAYS)

    needs = Differences
    label = "cluster t that follows skew"
    needs_clusters = True

    def interval(self, sample: Differences, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        clusters = sample.clusters_for(self)
        mean, error, df = cluster_error(sample.values, clusters, self.variance, sample.scale)
        skewness = skewness_of_mean(sample.values, clusters, sample.scale)
        above, below = leaning_quantiles(two_sided_quantile(level), df, skewness)
        return mean - above * error, mean - below * error
