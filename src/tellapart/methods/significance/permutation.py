from dataclasses import dataclass, field

import numpy as np

from tellapart.data.summaries import Aggregation, Parts
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.moments import cluster_sums
from tellapart.numerics.null_laws.tails import at_least, counted, counting_error, positive, sided, sides
from tellapart.numerics.sign_flip_law import random_flips, sign_flip_tails

RESAMPLES = 9_999
"""Random swaps where swaps must be random and no number of them was asked for."""

MOST_RESAMPLES = 1_000_000
"""As many swaps bring the error of a p-value of 0.05 to 0.0004; more would cost minutes and gigabytes for little."""

HELD = 1 << 22
"""Swapped sums held at once."""

COLUMNS = 64
"""Parts of batch entries that share their swaps: every entry's answer is fair, and together they cost little more."""


@TESTS.add("permutation")
@dataclass(frozen=True)
class Permutation(Procedure):
    """Could the difference be an accident of which system's score on each item is called whose?

    Under the null the two scores of an item may be swapped: the p-value is the share of all swaps whose difference of
    the metric is at least as large as the one seen. For a mean, swapping flips the sign of an item's difference, and the
    law of all 2^n sign flips is computed without chance. A metric that is no mean is computed again after 9,999 random
    swaps of items, or of whole clusters, and p = (1 + as extreme) / (1 + swaps); where swaps are of few kinds, as with labels of
    two classes, all 2^n are listed by how often each kind is made. Exact where the scores are exchangeable,
    which for a mean needs differences symmetric about zero. The wrong choice where equal means come with unequal spread
    or with skew and items are few, and of means in clusters (`cluster_sign_flip`). Fisher (1935); Noreen (1989).
    """

    resamples: int = field(
        default=0, metadata={"help": "random swaps; 0 means none for a mean, and 9,999 for other metrics"}
    )

    needs = Parts
    label = "permutation test"
    counts_signs = True
    interval = "bootstrap(kind=studentised)"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resamples < 0:
            raise SpellingError(f"permutation: resamples={self.resamples} should be 0 (exact) or more")
        if self.resamples > MOST_RESAMPLES:
            raise SpellingError(
                f"permutation: resamples={self.resamples} should be at most {MOST_RESAMPLES}, usually 9999; leave it "
                "out for a mean, whose p-value is then exact"
            )

    @property
    def resampling(self) -> bool:  # type: ignore[override]  # depends on the options
        return self.resamples > 0

    @property
    def resample_count(self) -> int:
        return self.resamples

    def sees_clusters(self, metric: Aggregation) -> bool:
        # Of a mean the exact law of all flips is that of single items; cluster_sign_flip has the one of clusters.
        return not metric.linear

    def apply(self, sample: Parts, rng: Generator) -> Outcome:
        if sample.metric.linear and self.resamples == 0:
            return self._without_chance(sample)
        return self._by_chance(sample, self.resamples or RESAMPLES, rng)

    def _without_chance(self, sample: Parts) -> Outcome:
        differences = sample.differences
        tails = sign_flip_tails(differences.snapped, differences.scale)
        return Outcome(
            sided(tails.lower, tails.upper, self.alternative),
            sample.effect,
            tails.sign,
            tails.error * sides(self.alternative),
            tails.method,
        )

    def _by_chance(self, sample: Parts, resamples: int, rng: Generator) -> Outcome:
        swaps = _Swaps.of(sample)
        # With at most log2(resamples) units that move, all their swaps are fewer than the random ones would be.
        every = bool((swaps.count <= np.log2(resamples)).all())
        listed = None if self.resamples or every or sample.metric.linear else self._enumerated_pvalues(swaps)
        if listed is not None:
            pvalue, direction = (part.reshape(sample.a.shape[:-2]) for part in listed)
            method = f"all swaps of {swaps.unit}, by how often each kind is swapped"
            return Outcome(pvalue, sample.effect, direction, np.zeros_like(pvalue), method)
        parts = swaps.moved.shape[-1]
        # Each entry has few units that move, and others than the next: together they would be too many to list.
        size = 1 if every else max(1, min(COLUMNS, HELD // resamples) // parts)
        entries = range(0, len(swaps.moved), size)
        found = [
            self._resampled_pvalues(swaps.entries(slice(i, i + size)), resamples, rng, every=every) for i in entries
        ]
        pvalue, direction, error, drawn = (
            np.concatenate(part).reshape(sample.a.shape[:-2]) for part in zip(*found, strict=True)
        )
        # Fewer than were asked for, where the work was stopped.
        number = int(drawn.min(initial=resamples))
        method = f"all swaps of {swaps.unit}" if every else f"{number:,} random swaps of {swaps.unit}"
        return Outcome(pvalue, sample.effect, direction, error, method)

    def _enumerated_pvalues(self, swaps: "_Swaps") -> tuple[FloatArray, FloatArray] | None:
        """p-value and direction where all swaps of every entry can be listed by how often each kind of them is made."""
        ways = [random_flips.few_ways(moved) for moved in swaps.moved]
        found = [
            self._of_ways(swaps.entries(slice(place, place + 1)), way)
            for place, way in enumerate(ways)
            if way is not None
        ]
        if len(found) < len(ways):
            return None
        pvalues, directions = zip(*found, strict=True)
        return np.array(pvalues), np.array(directions)

    def _of_ways(self, swaps: "_Swaps", ways: random_flips.Ways) -> tuple[float, float]:
        ((observed,),) = swaps.effect(swaps.moved.sum(axis=1))
        scale = float(swaps.scale(observed))
        extreme = 0.0
        for sums, chances in ways.listed():
            effects = swaps.effect(sums).ravel()
            extreme += float(
                chances[at_least(self._directed_effect(effects), self._directed_effect(observed), scale)].sum()
            )
        # Of what is no larger than noise the scale is that of the metric, 1.
        direction = float(np.sign(observed)) if abs(observed) > STATISTIC_NOISE else 0.0
        return float(positive(np.asarray(extreme))), direction

    def _resampled_pvalues(
        self, swaps: "_Swaps", resamples: int, rng: Generator, *, every: bool
    ) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        """p-value, direction, error and number of swaps of a few batch entries that share these."""
        columns = swaps.columns
        sums = random_flips.every_flip(columns) if every else random_flips.flipped_sums(columns, resamples, rng)
        resampled, (observed,) = swaps.effect(sums), swaps.effect(columns.sum(axis=0, keepdims=True))
        scale = swaps.scale(observed)
        extreme = at_least(self._directed_effect(resampled), self._directed_effect(observed), scale)
        count = np.count_nonzero(extreme, axis=0).astype(np.float64)
        direction = np.where(np.abs(observed) > STATISTIC_NOISE * scale, np.sign(observed), 0.0)
        # Every swap includes the one that was seen; random ones do not, and count it as one more.
        if every:
            return (positive(count / len(sums)), direction, np.zeros_like(count), np.full_like(count, resamples))
        pvalue, drawn = counted(count, len(sums)), np.full_like(count, len(sums))
        return pvalue, direction, counting_error(pvalue, len(sums)), drawn

    def _directed_effect(self, effect: FloatArray) -> FloatArray:
        """How far an effect lies in the direction that the alternative looks in."""
        if self.alternative == "two-sided":
            return np.abs(effect)
        return effect if self.alternative == "greater" else -effect


@dataclass(frozen=True, eq=False)
class _Swaps:
    """The parts that swapping units moves.

    `moved`, `(entry, unit, part)`, is B − A summed over each unit; `middle`, `(entry, part)`, is (A + B)/2 summed over
    all items.
    """

    moved: FloatArray
    middle: FloatArray
    items: int
    metric: Aggregation

    @classmethod
    def of(cls, sample: Parts) -> "_Swaps":
        n, parts = sample.a.shape[-2:]
        if sample.metric.linear:
            moved = sample.differences.snapped.reshape(-1, n, 1)
            return cls(moved, np.zeros((len(moved), 1)), n, sample.metric)
        moved = (sample.b - sample.a).reshape(-1, n, parts)
        # A swap leaves a unit's sum A + B as it is and turns the sign of B − A: means follow from flipped sums alone.
        middle = 0.5 * (sample.b + sample.a).reshape(-1, n, parts).sum(axis=1)
        if sample.clusters is not None:
            moved = np.moveaxis(cluster_sums(np.moveaxis(moved, 1, -1), sample.clusters), -1, 1)
        return cls(moved, middle, n, sample.metric)

    @property
    def unit(self) -> str:
        return "items" if self.items == self.moved.shape[1] else "clusters"

    def entries(self, which: slice) -> "_Swaps":
        return _Swaps(self.moved[which], self.middle[which], self.items, self.metric)

    @property
    def count(self) -> FloatArray:
        """How many units each entry has whose swap moves anything."""
        return np.asarray(np.count_nonzero(self.moved.any(axis=-1), axis=-1))

    @property
    def columns(self) -> FloatArray:
        """The units that move anything in some entry, `(unit, entry·part)`."""
        units = np.moveaxis(self.moved, 1, 0)
        moving = units[units.any(axis=(1, 2))]
        return np.ascontiguousarray(moving.reshape(len(moving), self.middle.size))

    def effect(self, sums: FloatArray) -> FloatArray:
        """The metric of B minus that of A, `(resample, entry)`, from sums of signed moves `(resample, entry·part)`."""
        half = 0.5 * sums.reshape(len(sums), *self.middle.shape)
        b, a = (self.metric.value((self.middle + side * half) / self.items, self.items) for side in (1.0, -1.0))
        return np.asarray(b - a)

    def scale(self, observed: FloatArray) -> FloatArray:
        """The scale of ties: the largest possible difference of a mean, else the size of the metric, 1."""
        if self.metric.linear:
            return np.asarray(np.abs(self.moved).sum(axis=(1, 2)) / self.items)
        return np.asarray(np.maximum(np.abs(observed), 1.0))
