"""Omnibus tests that all systems are equal: Friedman for scores, Cochran's Q for right or wrong.

Scores are `(block, system)`; blocks are items or datasets.
"""

from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.data.score_storage import release_pages, rows_of
from tellapart.foundation.arrays import FloatArray, IntArray, snap
from tellapart.numerics.null_laws.signed_ranks import ranks_and_ties
from tellapart.numerics.null_laws.tails import positive

BLOCK = 1 << 20
"""Scores ranked at once."""


@dataclass(frozen=True)
class Omnibus:
    """An omnibus test with its chi-squared statistic."""

    name: str
    statistic: float
    df: int
    pvalue: float


@dataclass(frozen=True, eq=False)
class MeanRanks:
    """Mean rank of each system over the blocks, 1 for the smallest score, and Σ(t³ − t) over groups of t ties."""

    means: FloatArray
    ties: float
    blocks: int


def mean_ranks(scores: FloatArray) -> MeanRanks:
    """Average ranks within every block; scores equal up to float noise are ties."""
    blocks, systems = scores.shape
    # System by system: the scores of millions of items may lie in a file.
    ends = [(float(one.max(initial=0.0)), float(one.min(initial=0.0))) for one in rows_of(scores.T)]
    largest = max(max(high, -low) for high, low in ends)
    total, ties = np.zeros(systems), 0.0
    step = max(1, BLOCK // systems)
    for start in range(0, blocks, step):
        block = snap(np.ascontiguousarray(scores[start : start + step]), largest)
        release_pages(scores)
        ranks, shared = ranks_and_ties(block)
        total += ranks.sum(axis=0)
        # Each of the t members of a group adds t² − 1, which makes t³ − t.
        ties += float(np.sum(shared**2 - 1))
    return MeanRanks(total / blocks, ties, blocks)


def friedman(scores: FloatArray) -> Omnibus:
    """Friedman's test with correction for ties. Friedman (1937).

    With n items and k systems, 12n / (k(k + 1)) · Σ(mean rank − (k + 1)/2)², divided by the correction for ties;
    chi-squared with k − 1 degrees of freedom from about ten items on. Items must be independent. With skewed scores systems of
    equal means can differ in their ranks.
    """
    found, systems = mean_ranks(scores), scores.shape[1]
    spread = np.sum((found.means - 0.5 * (systems + 1.0)) ** 2)
    statistic = 12.0 * found.blocks / (systems * (systems + 1.0)) * spread
    untied = 1.0 - found.ties / (found.blocks * (systems**3 - systems))
    # Undefined where every item ties all systems.
    statistic = statistic / untied if untied > 0.0 else 0.0
    return _chi_squared("friedman", float(statistic), systems - 1)


def cochran_q(scores: FloatArray) -> Omnibus:
    """Cochran's Q test of equal shares of right answers. Cochran (1950).

    With k systems, k(k − 1) · Σ(right of a system − their mean)² / Σ over items of r(k − r), where r systems got the item
    right; chi-squared with k − 1 degrees of freedom from about two dozen items on which systems differ.
    """
    return cochran_of_counts(scores.sum(axis=0), scores.sum(axis=1))


def cochran_of_counts(by_system: FloatArray, by_item: FloatArray | IntArray) -> Omnibus:
    """Cochran's Q from the right answers per system and per item."""
    systems = len(by_system)
    undecided = float(np.sum(by_item * (systems - by_item)))
    spread = float(np.sum((by_system - by_system.mean()) ** 2))
    statistic = systems * (systems - 1.0) * spread / undecided if undecided > 0.0 else 0.0
    return _chi_squared("cochran_q", statistic, systems - 1)


def _chi_squared(name: str, statistic: float, df: int) -> Omnibus:
    return Omnibus(name, statistic, df, float(positive(np.asarray(special.chdtrc(df, statistic)))))
