"""t test of systems trained with several seeds, generalising to other items and seeds, and its interval."""

from dataclasses import dataclass, field

import numpy as np

from tellapart.data.summaries.differences import Aggregation
from tellapart.data.summaries.seeded import Seeded
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS, Bounds
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import sided
from tellapart.numerics.seed_variance import SeedMeanSquares, SeedRule, seed_mean_squares

LABEL = "t over seeds and items"
METHODS: dict[SeedRule, str] = {
    "satterthwaite": "Satterthwaite's t distribution over seeds and items",
    "cochran": "Cochran's weighted t distribution over seeds and items",
}


@TESTS.add("seeds_t")
@dataclass(frozen=True)
class SeedsT(InvertibleTest):
    """Would other trainings of these systems, on other items, differ the same way?

    The variance of the effect is that of seed means, plus that of item differences, less the seed × item interaction that is in both. The ratio is
    held against Student's t: `satterthwaite` adds up the degrees of freedom of the parts, `cochran` weights the critical values of each system's
    seeds and of items. Assumes that every seed is scored on every item, normal effects of seeds, and seeds drawn anew for each system. Clusters of items stand in
    place of items.
    The wrong choice for repeated runs of one training, which share its luck (average them), and with one training of each system.
    Satterthwaite (1946); Cochran & Cox (1950).
    """

    df: SeedRule = field(default="satterthwaite", metadata=ALWAYS)

    needs = Seeded
    advice = "paired_t"

    def sees_clusters(self, metric: Aggregation) -> bool:  # noqa: ARG002  (for every metric)
        return True

    @property
    def label(self) -> str:
        return LABEL + (", Cochran" if self.df == "cochran" else "")

    def apply(self, sample: Seeded, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        effect, found = sample.effect, seed_squares(sample)
        pvalue = sided(*found.tails(effect, self.df), self.alternative)
        statistic = t_ratio(effect, np.sqrt(found.variance))
        return Outcome(pvalue, statistic, np.sign(effect), np.zeros_like(effect), METHODS[self.df])

    def bounds(self, sample: Seeded, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        effect, half_width = sample.effect, seed_squares(sample).half_width(level, self.df)
        return effect - half_width, effect + half_width


@INTERVALS.add("seeds_t")
@dataclass(frozen=True)
class SeedsTInterval(InversionInterval, inverts=SeedsT):
    """The effects that the test of the same name does not reject: effect ± critical value times error.

    The error is that of other seeds on other items; its law is Satterthwaite's t or Cochran's weighted one. Assumes normal effects of seeds, and
    every seed scored on every item. The wrong choice for repeated runs of one training. Satterthwaite (1946); Cochran & Cox (1950).
    """

    df: SeedRule = field(default="satterthwaite", metadata=ALWAYS)
    label = LABEL


def seed_squares(sample: Seeded) -> SeedMeanSquares:
    """The mean squares of both systems."""
    return seed_mean_squares((sample.a, sample.b), sample.differences, sample.scale)


def own_seed_squares(scores: FloatArray, scale: float) -> SeedMeanSquares:
    """Those of one system, `(*batch, item, seed)`, whose mean is asked about."""
    return seed_mean_squares((scores,), scores.mean(axis=-1), scale)
