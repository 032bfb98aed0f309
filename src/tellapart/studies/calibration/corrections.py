"""Calibration of the p-value corrections: error rates and power on families of pairs with a known truth.

Max-T, which resamples all pairs jointly, is measured on leaderboards, as `rank` uses it.
"""

import zlib
from dataclasses import dataclass
from functools import cache

import numpy as np

from tellapart.answers.calibration import CalibratedCorrection
from tellapart.boards.corrections import CORRECTIONS, PvalueCorrection
from tellapart.boards.family import all_pairs
from tellapart.data.pair import Pair
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import Generator, block_of, stream
from tellapart.methods.significance import TESTS
from tellapart.metrics.mean import Mean
from tellapart.populations.many_systems import ManySystems
from tellapart.studies.calibration.boards import board_populations
from tellapart.studies.calibration.measure import ALPHA, Occurrences, StreamBlock, certain, promise, rate

OFTEN = 4000
"""Families per line at scale 1."""
SYSTEMS, ITEMS = 5, 50
"""Ten pairs, each system in four of them: p-values that hang together."""
TRUTHS = ("all equal", "two tied groups", "a ladder of tied pairs", "unequal variances")
ALONE = "nothing is promised of several pairs: each is judged as if it were the only one"


@dataclass(frozen=True)
class CorrectedFamilies:
    """One correction on families of one kind."""

    correction: str
    truth: str

    @property
    def method(self) -> PvalueCorrection:
        method = CORRECTIONS.parse(self.correction)
        assert isinstance(method, PvalueCorrection)
        return method

    @property
    def population(self) -> ManySystems:
        return board_populations(SYSTEMS)[self.truth]

    @property
    def gaps(self) -> FloatArray:
        """The true B − A of each pair."""
        means, (a, b) = np.array(self.population.means), all_pairs(SYSTEMS)
        return np.asarray(means[b] - means[a])

    @property
    def number(self) -> int:
        """The stream number, from its own name, so that other corrections may come and go."""
        return zlib.crc32(f"corrections/{self.correction}/{self.truth}".encode())


@cache
def corrected_families() -> tuple[CorrectedFamilies, ...]:
    """All cases, correction by correction; a new correction is included once registered."""
    names = [name for name in CORRECTIONS if issubclass(CORRECTIONS[name], PvalueCorrection)]
    return tuple(CorrectedFamilies(name, truth) for name in names for truth in TRUTHS)


def counted_corrections(families: CorrectedFamilies, block: StreamBlock) -> Occurrences:
    """Of one block of families: those with the error that is bounded, and those of which a real gap, one drawn from each, is found."""
    rng = block_of(stream(block.seed, families.number), block.number)
    drawn = np.stack([families.population.draw(ITEMS, rng) for _ in range(block.size)])
    claimed = _claimed_pairs(drawn, families.method, rng)
    right = families.gaps * _seen_sides(drawn) > 0.0
    errors = _false_claims(claimed, claimed & ~right, families.method, rng)
    real = np.flatnonzero(families.gaps)
    looked_at = rng.integers(max(len(real), 1), size=block.size)
    found = (claimed & right)[np.arange(block.size), real[looked_at]] if len(real) else np.zeros(0)
    return int(errors.sum()), int(found.sum())


def _seen_sides(drawn: FloatArray) -> FloatArray:
    """On which side of A each pair's B was seen, `(family, pair)`."""
    (a, b), means = all_pairs(SYSTEMS), drawn.mean(axis=-1)
    return np.asarray(np.sign(means[:, b] - means[:, a]))


def _claimed_pairs(drawn: FloatArray, method: PvalueCorrection, rng: Generator) -> BoolArray:
    """The pairs that are told apart by paired t tests after the correction, `(family, pair)`."""
    (a, b), test = all_pairs(SYSTEMS), TESTS.parse("paired_t")
    pairs = Pair(drawn[:, a, :, np.newaxis, np.newaxis], drawn[:, b, :, np.newaxis, np.newaxis])
    raw = test.apply(test.needs.of(pairs, Mean()), rng).pvalue
    return np.asarray(rejects(method.adjust_list(raw), ALPHA))


def _false_claims(claimed: BoolArray, false: BoolArray, method: PvalueCorrection, rng: Generator) -> BoolArray:
    """Any false claim; where alpha bounds a share of the claims, one claim drawn from those of a family, which is false as often as that share says."""
    if method.guarantee != "false discovery rate":
        return np.asarray(false.any(axis=-1))
    # The largest of random numbers, of claimed pairs alone, is each of them equally often.
    drawn = np.argmax(np.where(claimed, rng.random(claimed.shape), -1.0), axis=-1)
    return np.asarray(false[np.arange(len(false)), drawn])


def as_corrected(families: CorrectedFamilies, counts: Occurrences, replicates: int) -> CalibratedCorrection:
    """The report row of these counts."""
    errors, found = (rate(count, replicates) for count in counts)
    method = families.method
    verdict = promise(errors, certain(1.0), ITEMS)
    return CalibratedCorrection(
        families.correction, method.guarantee, families.truth, SYSTEMS, ITEMS, errors,
        found if families.gaps.any() else None, verdict,
        ALONE if verdict != "holds" and method.guarantee == "none" else "",
    )  # fmt: skip
