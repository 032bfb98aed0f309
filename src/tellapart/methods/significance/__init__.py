"""Significance tests, one per file; a new file here adds one."""

from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure

# Answers list tests in this order, and stored answers keep it: these first, then whatever else lies here.
TESTS.lies_in(
    __name__,
    __path__,
    first=(
        "bootstrap",
        "cluster_sign_flip",
        "cluster_t",
        "mcnemar",
        "permutation",
        "sign",
        "two_proportion_z",
        "welch_t",
        "wilcoxon",
        "both",
        "paired_t",
        "margins",
    ),
)

__all__ = ["TESTS", "Outcome", "Procedure"]
