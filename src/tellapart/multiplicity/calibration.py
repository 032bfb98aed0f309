"""Simulated leaderboards whose truth is known: how often is a claim false, and how often do the rank sets hold it?"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.distributions.clusters import cluster_sums
from tellapart.multiplicity.family import Family, all_pairs
from tellapart.multiplicity.rank_sets import rank_sets, ranks
from tellapart.multiplicity.sign_flips import sign_flips
from tellapart.multiplicity.told_apart import told_apart
from tellapart.seeds import Generator, stream


@dataclass(frozen=True)
class Truth:
    """Systems with known means: normal scores about them with these spreads, or right-or-wrong with these shares.

    All systems share a part `correlation` of the variance of an item. With clusters of so many items, a part
    `resemblance` of what a system has of its own is common to the cluster.
    """

    means: tuple[float, ...]
    spreads: tuple[float, ...] = ()
    correlation: float = 0.5
    cluster_size: int = 1
    resemblance: float = 0.3
    binary: bool = False

    def draw(self, items: int, rng: Generator) -> FloatArray:
        """Scores `(system, item)`; clusters are runs of neighbouring items."""
        shape = len(self.means), items
        own = rng.standard_normal(shape)
        if self.cluster_size > 1:
            groups = rng.standard_normal((shape[0], -(-items // self.cluster_size)))
            common = np.repeat(groups, self.cluster_size, axis=1)[:, :items]
            own = np.sqrt(1.0 - self.resemblance) * own + np.sqrt(self.resemblance) * common
        latent = (
            np.sqrt(self.correlation) * rng.standard_normal(items) + np.sqrt(1.0 - self.correlation) * own
        )
        means = np.array(self.means)[:, np.newaxis]
        if self.binary:
            return np.asarray(latent < special.ndtri(means), dtype=np.float64)
        spreads = np.array(self.spreads or (1.0,) * shape[0])[:, np.newaxis]
        return np.asarray(means + spreads * latent)

    def codes(self, items: int) -> IntArray | None:
        return None if self.cluster_size == 1 else np.arange(items, dtype=np.int64) // self.cluster_size


class Record(NamedTuple):
    """Of so many simulated leaderboards: with a false claim, and with every true rank in its set."""

    replicates: int
    false_claims: int
    covered: int


class Row(NamedTuple):
    """A line of the calibration table; `allowed` is the most failures that a true rate of alpha gives in 99.9 % of tables."""

    truth: str
    systems: int
    items: int
    record: Record
    allowed: int

    @property
    def holds(self) -> bool:
        """Whether neither false claims nor missed ranks are more than chance allows."""
        missed = self.record.replicates - self.record.covered
        return max(self.record.false_claims, missed) <= self.allowed


def truths(systems: int) -> dict[str, Truth]:
    """Worlds in which the guarantees must hold: full and partial nulls, ties, unequal variances, clusters, right or wrong."""
    half = systems // 2
    level = (0.0,) * systems
    return {
        "all equal": Truth(level),
        "two tied groups": Truth((0.0,) * half + (0.8,) * (systems - half)),
        "one far ahead": Truth((*level[1:], 3.0)),
        "one slightly ahead": Truth((*level[1:], 0.3)),
        "a ladder of tied pairs": Truth(tuple(0.3 * (i // 2) for i in range(systems))),
        "unequal variances": Truth(level, tuple(0.1 + 0.5 * i for i in range(systems)), correlation=0.2),
        "clusters of five": Truth(level, cluster_size=5),
        "right or wrong": Truth((0.7,) * half + (0.9,) * (systems - half), binary=True),
    }


def calibration(
    scale: float = 1.0, *, systems: Sequence[int] = (3, 10, 50), alpha: float = 0.05, seed: int = 0
) -> Iterator[Row]:
    """The record of `rank` in every such world, line by line: family-wise error and simultaneous coverage of ranks.

    `scale` 1 simulates 1,000 leaderboards a line, 72 lines, in five to ten minutes of one core; 0.1 takes a tenth.
    """
    replicates = max(1, round(1000 * scale))
    counts = np.arange(replicates + 1)
    allowed = int(np.searchsorted(special.bdtr(counts, replicates, alpha), 0.999))
    lines = itertools.product(systems, (20, 50, 200), truths(2))
    for line, (many, items, name) in enumerate(lines):
        found = record(truths(many)[name], items, replicates, alpha=alpha, seed=1000 * seed + line)
        yield Row(name, many, items, found, allowed)


def record(truth: Truth, items: int, replicates: int, *, alpha: float = 0.05, seed: int = 0) -> Record:
    """How the step-down max-T fares on leaderboards drawn from this truth."""
    rng, means = stream(seed), np.array(truth.means)
    wrong = means[:, np.newaxis] <= means
    true_ranks = ranks(means)
    false_claims = covered = 0
    for _ in range(replicates):
        better = claims(truth.draw(items, rng), truth.codes(items), alpha, rng)
        low, high = rank_sets(better)
        false_claims += bool((better & wrong).any())
        covered += bool(((low <= true_ranks) & (true_ranks <= high)).all())
    return Record(replicates, false_claims, covered)


def claims(values: FloatArray, codes: IntArray | None, alpha: float, rng: Generator) -> BoolArray:
    """Which systems are significantly better than which, from `(system, item)`: step-down max-T, 999 flips."""
    columns = values if codes is None else cluster_sums(values, codes)
    a, b = all_pairs(len(values))
    means = values.mean(axis=1)
    found = np.zeros((len(values), len(values)), dtype=np.bool_)
    found[a, b] = told_apart(sign_flips(Family(columns, a, b, means[b] - means[a]), 999, rng), alpha)
    found |= found.T
    return np.asarray(found & (means[:, np.newaxis] > means))
