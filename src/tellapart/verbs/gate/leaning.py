"""Differences that lean to losses: one side of Student's t then lets too much pass, which its other side hides from `compare`."""

from dataclasses import replace

from tellapart.distributions.leaning import TOO_LARGE, one_sided_size
from tellapart.intervals import Interval
from tellapart.significance import Procedure
from tellapart.significance.cluster_t import ClusterT
from tellapart.significance.paired_t import PairedT
from tellapart.verbs.choose import STUDENTISED
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.shape import of_clusters


def passes_too_often(analysis: Analysis, *, lower_is_better: bool) -> float | None:
    """How often a loss of just the margin passes by Student's t at 5 %; None where it may be left alone, or is not what judges."""
    if not isinstance(analysis.test, PairedT | ClusterT):
        return None
    differences, codes = analysis.differences, analysis.pair.clusters
    values = differences.values if codes is None else of_clusters(differences, codes)
    size = float(one_sided_size(-values if lower_is_better else values))
    return size if size > TOO_LARGE else None


def with_bootstrap(analysis: Analysis) -> Analysis:
    """The same scores where the studentised bootstrap, which follows skew, must agree with Student's t."""
    return replace(
        analysis,
        test=Procedure.parse(f"cautious(test={analysis.test}, interval={STUDENTISED})"),
        interval=Interval.parse(f"widest(first={analysis.interval}, second={STUDENTISED})"),
    )
