"""pass@k, pass^k and majority@k from n samples of an item: unbiased hypergeometric estimates."""

import re
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option


@dataclass(frozen=True)
class RunSummary:
    """One score of several runs, by its spelling: `pass@5`, `pass^5` or `majority@5`."""

    kind: str
    k: int

    @classmethod
    def parse(cls, spelling: str) -> "RunSummary":
        found = re.fullmatch(r"(pass@|pass\^|majority@)([1-9]\d{0,5})", spelling.strip())
        if found is None:
            raise UsageError(
                f"{option('runs_as')} is {spelling!r}; wanted pass@k, pass^k or majority@k with a whole number k from 1 up, such as pass@5"
            )
        return cls(found[1], int(found[2]))

    def __str__(self) -> str:
        return f"{self.kind}{self.k}"

    def shares(self, right: IntArray, samples: IntArray) -> FloatArray:
        """The score of items with so many right among so many samples, k at least."""
        kinds = {"pass@": any_right, "pass^": all_right, "majority@": majority_right}
        return kinds[self.kind](right, samples, self.k)


def any_right(right: IntArray, samples: IntArray, k: int) -> FloatArray:
    """pass@k: the chance that some of k samples is right, 1 − C(n − c, k)/C(n, k). Chen et al. (2021).

    Never 1 − (1 − c/n)^k, which is too low.
    """
    return 1.0 - _all_among(samples - right, samples, k)


def all_right(right: IntArray, samples: IntArray, k: int) -> FloatArray:
    """pass^k: the chance that all of k samples are right, C(c, k)/C(n, k). Yao et al. (2024)."""
    return _all_among(right, samples, k)


def majority_right(right: IntArray, samples: IntArray, k: int) -> FloatArray:
    """majority@k: the chance that more than half of k samples are right; half of them right counts half."""
    chance = np.zeros(np.broadcast(right, samples).shape)
    for some in range((k + 1) // 2, k + 1):
        weight = 0.5 if 2 * some == k else 1.0
        chance += weight * _some_among(right, samples, k, some)
    return np.minimum(chance, 1.0)


def _all_among(marked: IntArray, samples: IntArray, k: int) -> FloatArray:
    """The chance that k of the samples are all marked ones: one factor per draw, 0 where there are fewer."""
    chance = np.ones(np.broadcast(marked, samples).shape)
    for drawn in range(k):
        chance *= np.maximum(marked - drawn, 0) / np.maximum(samples - drawn, 1)
    return chance


def _some_among(right: IntArray, samples: IntArray, k: int, some: int) -> FloatArray:
    """The hypergeometric probability of each number of right answers among k."""
    possible = (right >= some) & (samples - right >= k - some)
    ways = _log_ways(right, some) + _log_ways(samples - right, k - some) - _log_ways(samples, k)
    return np.where(possible, np.exp(np.where(possible, ways, 0.0)), 0.0)


def _log_ways(count: IntArray, chosen: int) -> FloatArray:
    """The logarithm of count over chosen; any number where there are too few."""
    enough = np.maximum(count, chosen)
    return np.asarray(
        special.gammaln(enough + 1.0) - special.gammaln(chosen + 1.0) - special.gammaln(enough - chosen + 1.0)
    )
