from dataclasses import dataclass, field

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.moments import Variance, cluster_error, t_ratio
from tellapart.numerics.null_laws.tails import sided, t_tails


@TESTS.add("cluster_t")
@dataclass(frozen=True)
class ClusterT(Procedure):
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
    def interval(self) -> str:
        return f"cluster_t(variance={self.variance})"

    def apply(self, sample: Differences, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        clusters = sample.clusters_for(self)
        mean, error, df = cluster_error(sample.values, clusters, self.variance, sample.scale)
        statistic = t_ratio(mean, error)
        lower, upper = t_tails(statistic, df)
        method = f"cluster-robust variance ({self.variance.upper()}) and Student's t distribution"
        return Outcome(
            sided(lower, upper, self.alternative), statistic, np.sign(mean), np.zeros_like(mean), method
        )
