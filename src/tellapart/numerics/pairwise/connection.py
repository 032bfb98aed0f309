"""Whether strengths exist: who can be held against whom, and who won or lost everything."""

import numpy as np

from tellapart.foundation.arrays import BoolArray, IntArray
from tellapart.numerics.pairwise.votes import PairwiseVotes


def beaten_by(votes: PairwiseVotes) -> BoolArray:
    """Whether the row's system lost to or tied with the column's at least once: arrows from losers to winners."""
    a_lost = votes.matrix(votes.weights * (votes.points < 1.0)) > 0.0
    b_lost = votes.matrix(votes.weights * (votes.points > 0.0)).T > 0.0
    return a_lost | b_lost


def groups_that_met(votes: PairwiseVotes) -> IntArray:
    """The number of each system's group, `(system,)`: systems of different groups never met, not even by way of others."""
    met = beaten_by(votes)
    return _first_of_each(reaches(met | met.T))


def blocks_of_wins(votes: PairwiseVotes) -> IntArray:
    """The number of each system's block: between two blocks that met, one won every vote. One block: strengths are finite. Ford (1957)."""
    there = reaches(beaten_by(votes))
    return _first_of_each(there & there.T)


def reaches(arrows: BoolArray) -> BoolArray:
    """Whether the row leads to the column along any number of arrows, itself included."""
    there = arrows | np.eye(len(arrows), dtype=np.bool_)
    for _ in range(max(1, int(np.ceil(np.log2(len(arrows)))))):
        steps = there.astype(np.float32)
        there = steps @ steps > 0.0
    return np.asarray(there)


def _first_of_each(together: BoolArray) -> IntArray:
    """Numbers of groups in the order of their first members, from whether two are of one group."""
    first = np.argmax(together, axis=1)
    return np.unique(first, return_inverse=True)[1].astype(np.int64)
