"""One test per file, registered beside its definition: a new file here is all that a new test takes."""

# Answers list tests as they register, and stored answers keep that order: these first, then whatever else lies here.
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
from tellapart.significance.cautious import Cautious, inverse
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.significance.paired_t import PairedT
from tellapart.significance.procedure import TESTS, Outcome, Procedure

TESTS.lies_in(__name__, __path__)

__all__ = ["TESTS", "Cautious", "Equivalence", "NonInferiority", "Outcome", "PairedT", "Procedure", "inverse"]
