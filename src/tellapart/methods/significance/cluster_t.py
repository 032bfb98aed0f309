"""The t test of items in clusters with a cluster-robust variance, and its interval."""

from dataclasses import dataclass, field

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS
from tellapart.methods.significance.inversion import InversionInterval, TTest
from tellapart.methods.significance.procedure import TESTS
from tellapart.numerics.moments import Variance, cluster_error


@TESTS.add("cluster_t")
@dataclass(frozen=True)
class ClusterT(TTest):
    """Is the mean difference zero when items come in clusters that rise and fall together?

    The variance of the mean is that of the clusters' summed residuals. `cr1` multiplies it by G/(G − 1) for G clusters
    and takes t with G − 1 degrees of freedom; `cr2` divides each cluster's residuals by √(1 − its share of the items), so
    that large clusters do not hide their own pull on the mean, with Satterthwaite's degrees of freedom. True for
    independent clusters, close to its level from some ten of them on. The wrong choice for fewer (`cluster_sign_flip`),
    and `cr1` where sizes are very uneven. Liang & Zeger (1986); Bell & McCaffrey (2002).
    """

    variance: Variance = field(default="cr2", metadata=ALWAYS)

    needs = Differences
    label = "cluster t"
    # Clusters that all differ by the same have no spread to measure by; their signs can still be flipped.
    advice = "cluster_sign_flip"
    needs_clusters = True

    @property
    def method(self) -> str:
        return f"cluster-robust variance ({self.variance.upper()}) and Student's t distribution"

    def estimate(self, sample: Differences) -> tuple[FloatArray, FloatArray, FloatArray]:
        return cluster_error(sample.values, sample.clusters_for(self), self.variance, sample.scale)


@INTERVALS.add("cluster_t")
@dataclass(frozen=True)
class ClusterTInterval(InversionInterval, inverts=ClusterT):
    """Mean ± t-quantile times the standard error between clusters: what the cluster t test does not reject.

    `cr1`: t with G − 1 degrees of freedom for G clusters; `cr2`: residuals divided by √(1 − the cluster's share of items)
    and Satterthwaite's degrees of freedom, for clusters of very uneven size. True for independent clusters, and close to
    its level from some ten of them on. The wrong choice for a handful of clusters, where no interval is both honest and
    short. Liang & Zeger (1986); Bell & McCaffrey (2002).
    """

    variance: Variance = field(default="cr2", metadata=ALWAYS)
