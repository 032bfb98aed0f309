"""Variance of differences between items and between runs of an item, and the best number of runs per item."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special

from tellapart.foundation.arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class SystemRuns:
    """The runs of one system, `(*batch, item, run)`, NaN where an item has fewer runs than others."""

    values: FloatArray

    @cached_property
    def counts(self) -> IntArray:
        """How many runs each item has."""
        return np.asarray((~np.isnan(self.values)).sum(axis=-1))

    @cached_property
    def means(self) -> FloatArray:
        return np.asarray(np.nanmean(self.values, axis=-1))

    @cached_property
    def variances(self) -> FloatArray:
        """The unbiased variance between the runs of each item; NaN where it has one run."""
        deviations = self.values - self.means[..., np.newaxis]
        squares = np.nansum(deviations * deviations, axis=-1)
        several = self.counts > 1
        return np.asarray(np.divide(squares, self.counts - 1, out=np.full_like(squares, np.nan), where=several))

    @cached_property
    def within(self) -> FloatArray:
        """The mean variance between runs, over items with two runs or more; NaN where there is none."""
        total, several = np.asarray(np.nansum(self.variances, axis=-1)), (self.counts > 1).sum(axis=-1)
        return np.asarray(np.divide(total, several, out=np.full_like(total, np.nan), where=several > 0))

    @property
    def noise_of_items(self) -> FloatArray:
        """The variance of each item's mean that is chance between runs; one run counts as varying like the others."""
        variances = np.where(self.counts > 1, self.variances, self.within[..., np.newaxis])
        return np.asarray(variances / self.counts)

    @property
    def noise(self) -> FloatArray:
        """The same, averaged over items."""
        return np.asarray(self.noise_of_items.mean(axis=-1))

    @property
    def df(self) -> IntArray:
        return np.asarray((self.counts - 1).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class RunVariance:
    """The variance of item differences in two parts: of items, and of chance between runs.

    With s² the variance between the nᵢ runs of an item, the noise of a system is the mean of s²/nᵢ over items; what is left of the variance of
    item differences is the items'. A run is independent of the others of its item. The wrong choice for trainings, which shift all items alike.
    """

    a: SystemRuns
    b: SystemRuns

    @classmethod
    def of(cls, a: FloatArray, b: FloatArray) -> "RunVariance":
        return cls(SystemRuns(a), SystemRuns(b))

    @property
    def items(self) -> int:
        return int(self.a.values.shape[-2])

    @cached_property
    def total(self) -> FloatArray:
        """The variance of item differences, as they were averaged over runs."""
        return np.asarray(np.var(self.b.means - self.a.means, axis=-1, ddof=1))

    @cached_property
    def noise(self) -> FloatArray:
        return self.a.noise + self.b.noise

    @property
    def item_variance(self) -> FloatArray:
        """The item variance with infinitely many runs; 0 where variation between runs explains everything."""
        return np.maximum(self.total - self.noise, 0.0)

    @property
    def share(self) -> FloatArray:
        """The share of runs in the variance; above 1 where items differ by less than chance between runs would have them."""
        return np.divide(self.noise, self.total, out=np.full_like(self.total, np.nan), where=self.total > 0.0)

    @property
    def df(self) -> FloatArray:
        """Satterthwaite's degrees of freedom of the noise."""
        parts = [
            np.divide(one.noise**2, one.df, out=np.zeros_like(one.noise), where=one.df > 0) for one in (self.a, self.b)
        ]
        spread = parts[0] + parts[1]
        return np.asarray(np.divide(self.noise**2, spread, out=np.full_like(spread, np.nan), where=spread > 0.0))

    def share_bounds(self, level: float) -> tuple[FloatArray, FloatArray]:
        """The interval of the share by the F law of two independent variances: exact for normal scores, far too short for rare disagreements."""
        tail = 0.5 * (1.0 - level)
        low, high = (special.fdtri(self.items - 1.0, self.df, p) for p in (tail, 1.0 - tail))
        return np.minimum(self.share * low, 1.0), np.minimum(self.share * high, 1.0)

    def robust_share_bounds(self, level: float) -> tuple[FloatArray, FloatArray]:
        """The interval of the share whatever the scores are: Student's t on its logarithm, whose error is that of a ratio of means over items.

        The delta method, as for any ratio estimate. Cochran (1977).
        """
        differences = self.b.means - self.a.means
        deviations = differences - differences.mean(axis=-1, keepdims=True)
        squares = deviations * deviations * (self.items / (self.items - 1.0))
        moved = self.a.noise_of_items + self.b.noise_of_items - self.share[..., np.newaxis] * squares
        error = moved.std(axis=-1, ddof=1) / np.sqrt(self.items)
        quantile = special.stdtrit(self.items - 1.0, 0.5 * (1.0 + level))
        off = np.divide(quantile * error, self.noise, out=np.full_like(error, np.nan), where=self.noise > 0.0)
        return np.minimum(self.share * np.exp(-off), 1.0), np.minimum(self.share * np.exp(off), 1.0)

    def standard_error(self, runs: float) -> FloatArray:
        """The standard error of the effect with this many runs per item; `inf` runs are allowed."""
        within = (self.a.within + self.b.within) / runs
        return np.asarray(np.sqrt((self.item_variance + within) / self.items))


def cross_disagreement(a: FloatArray, b: FloatArray) -> FloatArray:
    """The share of items on which one run of A and one of B disagree, from solve rates `(*batch, item)` of scores 0 and 1."""
    return np.asarray((a * (1.0 - b) + b * (1.0 - a)).mean(axis=-1))


def identical_runs(values: FloatArray) -> list[tuple[int, int]]:
    """Pairs of runs of `(item, run, part)` that are equal on every item: (first, copy), numbered from 0."""
    first: dict[bytes, int] = {}
    copies = []
    for place in range(values.shape[1]):
        run = values[:, place]
        if np.isnan(run).all():
            continue
        # One bit pattern for NaN, and one for zero.
        key = np.where(np.isnan(run), np.nan, run + 0.0).tobytes()
        if first.setdefault(key, place) != place:
            copies.append((first[key], place))
    return copies


def run_shift_pvalue(a: FloatArray, b: FloatArray) -> float:
    """The p-value that whole runs of `(item, run)` do not shift; NaN unless every item has every run, two or more of each system.

    The mean squares of runs over those of item times run, both systems pooled: an F ratio. Exact for normal scores. Scheffé (1959).
    """
    if any(np.isnan(one).any() or min(one.shape) < 2 for one in (a, b)):
        return float("nan")
    between = interaction = 0.0
    df_between = df_interaction = 0
    for one in (a, b):
        items, runs = one.shape
        shifts = one.mean(axis=0) - one.mean()
        rest = one - one.mean(axis=1, keepdims=True) - shifts
        between += items * float(shifts @ shifts)
        interaction += float(np.einsum("ij,ij->", rest, rest))
        df_between += runs - 1
        df_interaction += (runs - 1) * (items - 1)
    if interaction <= 0.0:
        return float("nan")
    ratio = (between / df_between) / (interaction / df_interaction)
    return float(special.fdtrc(df_between, df_interaction, ratio))
