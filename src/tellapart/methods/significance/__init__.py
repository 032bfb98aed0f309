"""Significance tests, one per file; a new file here adds one."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure

if TYPE_CHECKING:  # most tests draw nothing
    from tellapart.methods.significance.bootstrap import Bootstrap as Bootstrap
    from tellapart.methods.significance.both import Both as Both

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

__getattr__ = lazy_names(__name__)
