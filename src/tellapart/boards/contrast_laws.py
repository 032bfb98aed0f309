"""Adjusted p-values of group contrasts, from null laws of their smallest p-value: normal theory, permutation and bootstrap."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import special

from tellapart.boards.group_contrasts import UnitTotals
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.null_laws.tails import allowed, counted, t_tails

# Draws of studentised correlated normal means.

OWN = 1e-9
"""Smallest conditional variance in the Cholesky root: below it, a mean duplicates earlier ones up to rounding."""


def studentised_draws(related: FloatArray, df: FloatArray | float, count: int, rng: Generator) -> FloatArray:
    """`(mean, count)` draws of correlated normal means, each divided by the root of its own chi-squared variance.

    Variances correlate with the squared correlations of the means.
    """
    shape = len(related), count
    means = _cholesky_root(related) @ rng.standard_normal(shape)
    return np.asarray(
        means / np.sqrt(_approximate_chi_square_ratios(_cholesky_root(related**2) @ rng.standard_normal(shape), df))
    )


def _cholesky_root(related: FloatArray) -> FloatArray:
    """Cholesky root of a correlation matrix; unique, so that draws are the same on every machine, unlike those by eigenvectors."""
    root = np.zeros_like(related)
    for i, row in enumerate(related):
        own = row[i] - root[i, :i] @ root[i, :i]
        root[i, i] = np.sqrt(max(float(own), OWN))
        root[i + 1 :, i] = (row[i + 1 :] - root[i + 1 :, :i] @ root[i, :i]) / root[i, i]
    return root


def _approximate_chi_square_ratios(normals: FloatArray, df: FloatArray | float) -> FloatArray:
    """Chi-squared over its degrees of freedom, from normal draws. Wilson & Hilferty (1931)."""
    # The cube root of a chi-squared over its df is close to normal about 1 − 2/(9 df), from one or two df on.
    narrow = 2.0 / (9.0 * df)
    # With one degree of degrees_of_freedom the normal falls below 0 one time in twenty; no variance does.
    return np.asarray(np.maximum(1.0 - narrow + normals * np.sqrt(narrow), 1e-3) ** 3)


RESAMPLES = 9_999
FEWEST = 999
"""Lower limit on resamples where there are many units."""

HELD = 1 << 21
"""Numbers held at once."""

SPENT = 1 << 26
"""Upper limit on resamples × cells."""

TIED = 1e-9
"""Relative tolerance of ties between p-values summed in different orders."""

NOTHING = 1e-300
"""Replaces a zero variance, so that correlations with it are 0."""

Shuffle = Callable[[IntArray, int, Generator], IntArray]
"""A function from the cells of some units, `(unit, place)`, to arrangements of them, `(resample, unit, place)`."""


class AdjustedContrasts(NamedTuple):
    """Contrasts with the first group, or of slices with the rest, `(contrast,)` each, with simultaneous bounds and adjusted p-values."""

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    adjusted: FloatArray
    resamples: int


def adjusted_contrasts(
    totals: UnitTotals, alpha: float, rng: Generator, resamples: int = RESAMPLES, most: float = np.inf
) -> AdjustedContrasts:
    """The largest adjusted p-value of three null laws, each valid where another may fail.

    Normal theory allows for unequal spreads; permutation for skewness common to all groups, rare wins and groups without
    variation; the bootstrap for skewness with unequal spreads. Each is min-p over the contrasts, so that the few degrees of
    freedom of a small group do not dominate. Bounds are t at the critical unadjusted p-value, so they exclude 0 exactly where
    a contrast is significant, and are cut to ±`most`. With normal scores, requiring all three costs one or two points of
    power. Westfall & Young (1993); Janssen (1997); Romano & Wolf (2005).
    """
    found = totals.contrasts
    raw, changes = found.pvalue, len(found.df)
    resampled = permutation_law(totals, rng, resamples), bootstrap_law(totals, rng, resamples)
    normal = normal_law(totals, rng, resamples)
    # Bonferroni also holds under normal theory, and has no lower limit from counting draws.
    by_normal = np.minimum(normal.adjusted(raw), np.minimum(changes * raw, 1.0))
    adjusted = np.max([raw, by_normal, *(law.adjusted(raw) for law in resampled)], axis=0)
    by_normal_critical = min(alpha, max(normal.critical(alpha), alpha / changes))
    critical = min(by_normal_critical, *(law.critical(alpha) for law in resampled))
    return AdjustedContrasts(
        found.estimate, *found.bounds(1.0 - critical, most), adjusted, min(len(law.minima) for law in resampled)
    )


@dataclass(frozen=True, eq=False)
class MinimumPvalueLaw:
    """The smallest p-value of a family in each resample, in ascending order."""

    minima: FloatArray

    def adjusted(self, pvalues: FloatArray) -> FloatArray:
        """The share of resamples whose smallest p-value is at most each of these, with the +1 rule."""
        reached = np.searchsorted(self.minima, pvalues * (1.0 + TIED), side="right")
        return counted(reached.astype(np.float64), len(self.minima))

    def critical(self, alpha: float) -> float:
        """The unadjusted p-value below which a contrast is significant at alpha; 0 where none can be."""
        before = allowed(len(self.minima), alpha)
        return float(self.minima[before]) if before >= 0 else 0.0


def normal_law(totals: UnitTotals, rng: Generator, resamples: int = RESAMPLES) -> MinimumPvalueLaw:
    """Contrasts of normal means with the estimated correlations and degrees of freedom. Hothorn, Bretz & Westfall (2008)."""
    df = totals.contrasts.df[:, np.newaxis]
    ratio = studentised_draws(_contrast_correlations(totals), df, resamples, rng)
    return MinimumPvalueLaw(np.sort(_smallest_pvalues(np.abs(ratio), np.broadcast_to(df, ratio.shape))))


def _smallest_pvalues(ratio: FloatArray, df: FloatArray) -> FloatArray:
    """The smallest two-sided p-value of each draw. No t has lighter tails than the normal law, which most are ruled out by."""
    farthest = ratio.argmax(axis=0), np.arange(ratio.shape[1])
    least = 2.0 * t_tails(-ratio[farthest], df[farthest])[0]
    near = np.nonzero(2.0 * special.ndtr(-ratio) <= least)
    np.minimum.at(least, near[1], 2.0 * t_tails(-ratio[near], df[near])[0])
    return np.asarray(least)


def permutation_law(totals: UnitTotals, rng: Generator, resamples: int = RESAMPLES) -> MinimumPvalueLaw:
    """Residuals dealt out again: units change cells with units met in as many groups, and each its groups with each other.

    Exact where all groups are alike, up to what their means were estimated from; close where only spreads differ, because
    every deal is judged by its own spreads.
    """
    return _resampling_law(totals, totals.rows_by_group_count(), _permuted, rng, resamples)


def bootstrap_law(totals: UnitTotals, rng: Generator, resamples: int = RESAMPLES) -> MinimumPvalueLaw:
    """Studentised bootstrap: residuals drawn with replacement from the units that occur in the same groups."""
    return _resampling_law(totals, totals.rows_by_group_set(), _resampled_rows, rng, resamples)


def _resampling_law(
    totals: UnitTotals, rows: list[IntArray], shuffle: Shuffle, rng: Generator, resamples: int
) -> MinimumPvalueLaw:
    count = _affordable_draws(totals.cells_per_draw, resamples)
    arranged = _arrangements(len(totals.sums), rows, shuffle, count, rng)
    minima = [totals.contrasts_moved(moved).pvalue.min(axis=-1) for moved in arranged]
    return MinimumPvalueLaw(np.sort(np.concatenate(minima)))


def _affordable_draws(cells: int, resamples: int) -> int:
    """The requested resamples, or fewer where the number of cells would make them slow."""
    return int(np.clip(SPENT // cells, min(FEWEST, resamples), resamples))


def _arrangements(cells: int, rows: list[IntArray], shuffle: Shuffle, count: int, rng: Generator) -> Iterator[IntArray]:
    """Blocks `(resample, cell)`: the cell from which each cell takes its residual."""
    step = max(1, HELD // cells)
    for start in range(0, count, step):
        size = min(step, count - start)
        moved = np.empty((size, cells), dtype=np.int64)
        for some in rows:
            moved[:, some.ravel()] = shuffle(some, size, rng).reshape(size, -1)
        yield moved


def _permuted(rows: IntArray, size: int, rng: Generator) -> IntArray:
    units, met = rows.shape
    moved = rows[rng.permuted(np.broadcast_to(np.arange(units), (size, units)), axis=1)]
    # Under the null hypothesis the groups of a unit are exchangeable.
    return moved if met == 1 else rng.permuted(moved, axis=2)


def _resampled_rows(rows: IntArray, size: int, rng: Generator) -> IntArray:
    return rows[rng.integers(0, len(rows), (size, len(rows)))]


def _contrast_correlations(totals: UnitTotals) -> FloatArray:
    """Correlations of the contrasts, from the residuals of units in all their groups."""
    covariance = totals.contrast_covariance()
    size = np.sqrt(np.maximum(np.diagonal(covariance), NOTHING))
    related = np.clip(covariance / size / size[:, np.newaxis], -1.0, 1.0)
    np.fill_diagonal(related, 1.0)
    return np.asarray(related)
