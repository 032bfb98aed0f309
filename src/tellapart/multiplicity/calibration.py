"""Simulated leaderboards whose truth is known: how often is a claim false, and how often do the rank sets hold it?"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.arrays import BoolArray, FloatArray, IntArray
from tellapart.decision import rejects
from tellapart.distributions.clusters import cluster_sums
from tellapart.multiplicity.board import Family, all_pairs
from tellapart.multiplicity.evidence import weigh
from tellapart.multiplicity.rank_sets import rank_sets, ranks
from tellapart.multiplicity.sign_flips import sign_flips
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
    evidence = weigh(sign_flips(Family(columns, a, b, means[b] - means[a]), 999, rng))
    found = np.zeros((len(values), len(values)), dtype=np.bool_)
    apart = rejects(evidence.step_down, alpha)
    found[a, b] = apart
    found |= found.T
    return np.asarray(found & (means[:, np.newaxis] > means))
