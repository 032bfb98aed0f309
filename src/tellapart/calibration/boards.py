"""Simulated leaderboards whose truth is known: how often is a claim false, and how often do the rank sets hold it?"""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.calibration.measure import StreamBlock
from tellapart.decision import rejects
from tellapart.distributions.clusters import cluster_sums
from tellapart.multiplicity.family import Family, all_pairs
from tellapart.multiplicity.joint_flips import joint_flips
from tellapart.multiplicity.joint_pvalues import joint_pvalues
from tellapart.multiplicity.rank_sets import rank_sets, ranks
from tellapart.populations.many_systems import ManySystems
from tellapart.seeds import Generator, block_of, stream

OFTEN = 1000
"""Leaderboards per line at scale 1."""

FLIPS = 999
"""Enough for a p-value of 0.05 to be counted: fifty of them."""


class BoardTally(NamedTuple):
    """Of so many simulated leaderboards: with a false claim, and with every true rank in its set."""

    replicates: int
    false_claims: int
    covered: int


class BoardLine(NamedTuple):
    """A line of the calibration table; `allowed` is the most failures that a true rate of alpha gives in 99.9 % of tables.

    `known` says why what is promised is not kept there.
    """

    truth: str
    systems: int
    items: int
    tally: BoardTally
    allowed: int
    known: str = ""

    @property
    def holds(self) -> bool:
        """Whether neither false claims nor missed ranks are more than chance allows."""
        missed = self.tally.replicates - self.tally.covered
        return max(self.tally.false_claims, missed) <= self.allowed


def board_populations(systems: int) -> dict[str, ManySystems]:
    """Where the guarantees must hold: full and partial nulls, ties, unequal variances, clusters, right or wrong."""
    half = systems // 2
    level = (0.0,) * systems
    return {
        "all equal": ManySystems(level),
        "two tied groups": ManySystems((0.0,) * half + (0.8,) * (systems - half)),
        "one far ahead": ManySystems((*level[1:], 3.0)),
        "one slightly ahead": ManySystems((*level[1:], 0.3)),
        "a ladder of tied pairs": ManySystems(tuple(0.3 * (i // 2) for i in range(systems))),
        "unequal variances": ManySystems(
            level, tuple(0.1 + 0.5 * i for i in range(systems)), correlation=0.2
        ),
        "clusters of five": ManySystems(level, cluster_size=5),
        "right or wrong": ManySystems((0.7,) * half + (0.9,) * (systems - half), binary=True),
    }


def board_lines(systems: Sequence[int]) -> range:
    """The numbers of the lines that there are for boards of so many systems."""
    return range(len(_lines(systems)))


def _lines(systems: Sequence[int]) -> list[tuple[int, int, str]]:
    return list(itertools.product(systems, (20, 50, 200), board_populations(2)))


def board_name(line: int, systems: Sequence[int]) -> str:
    """A line by what its boards are like."""
    many, items, name = _lines(systems)[line]
    return f"{name}, {many} systems, {items} items"


def as_line(line: int, systems: Sequence[int], found: BoardTally, alpha: float) -> BoardLine:
    many, items, name = _lines(systems)[line]
    return BoardLine(name, many, items, found, most_failures(found.replicates, alpha))


def counted_boards(line: int, systems: Sequence[int], block: StreamBlock, alpha: float) -> tuple[int, int]:
    """Of one block of a line's boards: with a false claim, and with every true rank in its set."""
    many, items, name = _lines(systems)[line]
    rng = block_of(stream(1000 * block.seed + line), block.number)
    found = tally(board_populations(many)[name], items, block.size, alpha, rng)
    return found.false_claims, found.covered


def most_failures(replicates: int, alpha: float) -> int:
    """The most that a true rate of alpha gives in 99.9 % of tables."""
    return int(np.searchsorted(special.bdtr(np.arange(replicates + 1), replicates, alpha), 0.999))


def tally(population: ManySystems, items: int, replicates: int, alpha: float, rng: Generator) -> BoardTally:
    """How the step-down max-T fares on leaderboards drawn from this population."""
    means = np.array(population.means)
    wrong = means[:, np.newaxis] <= means
    true_ranks = ranks(means)
    false_claims = covered = 0
    for _ in range(replicates):
        better = claims(population.draw(items, rng), population.clusters(items), alpha, rng)
        low, high = rank_sets(better)
        false_claims += bool((better & wrong).any())
        covered += bool(((low <= true_ranks) & (true_ranks <= high)).all())
    return BoardTally(replicates, false_claims, covered)


def claims(values: FloatArray, clusters: IntArray | None, alpha: float, rng: Generator) -> BoolArray:
    """Which systems are significantly better than which, from `(system, item)`, by the step-down max-T."""
    columns = values if clusters is None else cluster_sums(values, clusters)
    a, b = all_pairs(len(values))
    means = values.mean(axis=1)
    found = np.zeros((len(values), len(values)), dtype=np.bool_)
    flips = joint_flips(Family(columns, a, b, means[b] - means[a]), FLIPS, rng)
    found[a, b] = rejects(joint_pvalues(flips).step_down, alpha)
    found |= found.T
    return np.asarray(found & (means[:, np.newaxis] > means))
