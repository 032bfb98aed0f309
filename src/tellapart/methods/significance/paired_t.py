"""Student's t test of paired differences, and Student's interval."""

from dataclasses import dataclass

import numpy as np

from tellapart.data.summaries import Differences
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.intervals.interval import INTERVALS
from tellapart.methods.significance.inversion import InversionInterval, TTest
from tellapart.methods.significance.procedure import TESTS


@TESTS.add("paired_t")
@dataclass(frozen=True)
class PairedT(TTest):
    """Is the mean difference zero, measured in its standard error?

    t = mean / (s/√n) with s the standard deviation of the n differences, held against Student's t with n − 1 degrees of
    freedom. Exact for independent normal differences; for others it leans on the mean being nearly normal, which takes
    some fifty items, and more the more lopsided they are. The wrong choice for items in clusters (`cluster_t`), for a few
    dozen skewed differences (`bootstrap`), and undefined where all differences are the same non-zero number. Student (1908).
    """

    needs = Differences
    label = "paired t"
    method = "Student's t distribution"

    def estimate(self, sample: Differences) -> tuple[FloatArray, FloatArray, float]:
        items = sample.values.shape[-1]
        mean, variance = sample.moments
        return mean, np.sqrt(variance / items), items - 1


@INTERVALS.add("student_t")
@dataclass(frozen=True)
class StudentT(InversionInterval, inverts=PairedT):
    """Mean ± t-quantile times standard error: the values the paired t test does not reject.

    mean ± t(n − 1)·s/√n. Exact for independent normal differences, close from some fifty items on unless they are very
    lopsided. The wrong choice for clusters (`cluster_t`) and for few skewed differences (`bootstrap`): there it leaves the
    truth out too often on the side of the long tail. Student (1908).
    """

    label = "Student's t"
