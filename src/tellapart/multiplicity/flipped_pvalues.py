"""Joint flips of whole clusters, each pair judged by its own p-value: clusters are few and uneven, and pairs have unlike laws.

|Σd| / √Σd² of two pairs cannot be compared where one hangs on a single large cluster and the other does not: the largest of
the family is then always that of the same pairs, and hides all others. Their p-values can. Westfall & Young (1993).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from tellapart.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.distributions.student import t_quantile
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.cluster_t_flips import Clusters, CutClusterFlips, variance_of
from tellapart.multiplicity.family import Family
from tellapart.multiplicity.joint_flips import JointFlips, joint_flips
from tellapart.multiplicity.joint_pvalues import JointPvalues, divided_pvalues, joint_pvalues
from tellapart.seeds import Generator

PairLaw = Literal["exact flips", "t"]
"""What gives a pair its own p-value: all patterns of signs, or the t test between units (items, or clusters of them)."""

MOST_LISTED = 16
"""Clusters whose patterns of signs are all listed for every pair: 32,768 of them."""

ROOM = 5.0
"""How many times over the smallest p-value that signs can give, times the pairs, is to fit into alpha."""


def pair_law(units: int, pairs: int, alpha: float) -> PairLaw:
    """By what each pair is judged: nothing that scores say decides, so that no choice is made by what is to be shown."""
    listed = units <= MOST_LISTED and pairs * 2.0 ** (1 - units) <= alpha / ROOM
    return "exact flips" if listed else "t"


def own_law(board: Board, pairs: int, alpha: float) -> str:
    """The test that gives the p-value of a single pair, as `compare` spells it."""
    exact = pair_law(board.units, pairs, alpha) == "exact flips"
    if board.clusters is None:
        return "permutation" if exact else "paired_t"
    return "cluster_sign_flip" if exact else f"cluster_t(variance={variance_of(board)})"


def flipped_pvalues(
    board: Board, family: Family, alpha: float, resamples: int, rng: Generator
) -> JointPvalues:
    """The p-values of a family whose pairs are each judged by their own law, under joint flips of clusters.

    With few clusters all patterns of signs are listed, and a pair's p-value is its exact one. Counted p-values have a floor,
    which many pairs reach together by chance; where that would cost the family its power, a pair's p-value is that of the
    cluster t test instead, which has none. Either is put on the scale of t.
    """
    columns = board.summed(board.centred) if board.complete else family.columns
    whole = replace(family, columns=columns)
    if pair_law(board.units, len(family.a), alpha) == "exact flips":
        return joint_pvalues([_listed(whole, rng)])
    clusters = Clusters.of(board, whole)
    found = divided_pvalues(CutClusterFlips(clusters, joint_flips(clusters.both, resamples, rng)))
    own = clusters.pvalues(found)
    # Counted over flips an adjusted p-value can by chance be below the pair's own; nothing is surer among many than alone.
    return replace(
        found,
        raw=own,
        step_down=np.maximum(found.step_down, own),
        single_step=np.maximum(found.single_step, own),
    )


def _listed(family: Family, rng: Generator) -> "ListedPvalues":
    patterns = 2 ** (family.columns.shape[1] - 1)
    blocks = [block.sums for block in joint_flips(family, patterns, rng)]
    return ListedPvalues(JointFlips(family, np.concatenate(blocks, axis=1), exhaustive=True))


@dataclass(frozen=True, eq=False)
class ListedPvalues:
    """The exact p-value of every pair under every pattern of signs, as the t that has it."""

    flips: JointFlips

    exhaustive = True

    @property
    def resamples(self) -> int:
        return self.flips.resamples

    @cached_property
    def observed(self) -> FloatArray:
        return np.array([self._ranked(pair)[0] for pair in range(len(self.flips.family.a))])

    @cached_property
    def scale(self) -> FloatArray:
        # Equal p-values are equal numbers here: they were looked up.
        return np.zeros(len(self.flips.family.a))

    def rows(self, order: IntArray) -> Iterator[FloatArray]:
        return (self._ranked(int(pair))[1:] for pair in order)

    @cached_property
    def _by_count(self) -> FloatArray:
        """The t with a p-value of k patterns in all, from one pattern up."""
        patterns = self.resamples + 1
        shares = np.arange(1, patterns + 1) / patterns
        return t_quantile(1.0 - shares / 2.0, self.flips.family.columns.shape[1] - 1.0)

    def _ranked(self, pair: int) -> FloatArray:
        """The observed arrangement first, then all others."""
        (flipped,) = self.flips.rows(np.array([pair], dtype=np.int64))
        found = np.concatenate([self.flips.observed[[pair]], flipped])
        reached = np.sort(found)
        beside = found - STATISTIC_NOISE * self.flips.scale[pair]
        return np.asarray(self._by_count[len(found) - 1 - np.searchsorted(reached, beside, side="left")])
