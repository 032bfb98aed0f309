"""One file per test; importing this room registers them all."""

from tellapart.significance import (  # noqa: F401  (registration)
    bootstrap,
    cluster_sign_flip,
    cluster_t,
    mcnemar,
    permutation,
    sign,
    two_proportion_z,
    welch_t,
    wilcoxon,
)
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.significance.paired_t import PairedT
from tellapart.significance.procedure import TESTS, Outcome, Procedure

__all__ = ["TESTS", "Equivalence", "NonInferiority", "Outcome", "PairedT", "Procedure"]
