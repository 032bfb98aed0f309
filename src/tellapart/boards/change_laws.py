"""What chance alone makes of the smallest p-value of several changes: by normal theory, and by two ways of resampling units."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tellapart.boards.changes import Lifts
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.null_laws.tails import allowed, counted, t_tails

# Studentised means that are related as given, drawn without any scores.

OWN = 1e-9
"""The least part of every variance that is its own: what is left of a twin's is rounding, and is not to be divided by."""


def studentised_draws(related: FloatArray, df: FloatArray | float, count: int, rng: Generator) -> FloatArray:
    """`(mean, count)` draws of normal means with these correlations over roots of variances with so many degrees of freedom.

    Each mean has a variance of its own, and variances correlate as correlations squared do.
    """
    shape = len(related), count
    means = _root(related) @ rng.standard_normal(shape)
    return np.asarray(means / np.sqrt(_variances(_root(related**2) @ rng.standard_normal(shape), df)))


def _root(related: FloatArray) -> FloatArray:
    """Cholesky's root of a correlation matrix: the only lower triangular one, so that draws are the same on every machine.

    Eigenvectors would do for the law of the draws, but those of equal eigenvalues are whatever the processor makes of them.
    """
    root = np.zeros_like(related)
    for i, row in enumerate(related):
        own = row[i] - root[i, :i] @ root[i, :i]
        root[i, i] = np.sqrt(max(float(own), OWN))
        root[i + 1 :, i] = (row[i + 1 :] - root[i + 1 :, :i] @ root[i, :i]) / root[i, i]
    return root


def _variances(normals: FloatArray, df: FloatArray | float) -> FloatArray:
    """Chi-squared over its degrees of freedom, from normals. Wilson & Hilferty (1931)."""
    # The cube root of a chi-squared over its df is close to normal about 1 − 2/(9 df), from one or two df on.
    narrow = 2.0 / (9.0 * df)
    # With one degree of freedom the normal falls below 0 one time in twenty; no variance does.
    return np.asarray(np.maximum(1.0 - narrow + normals * np.sqrt(narrow), 1e-3) ** 3)


RESAMPLES = 9_999
FEWEST = 999
"""Resamples where there are so many units that each takes long."""

HELD = 1 << 21
"""Numbers held at once."""

SPENT = 1 << 26
"""Numbers moved in all, where that leaves enough resamples."""

TIED = 1e-9
"""How far apart, beside themselves, p-values of the same numbers added up in another order may be."""

NOTHING = 1e-300
"""In place of a variance of nothing, so that a correlation with it is 0."""

Shuffle = Callable[[IntArray, int, Generator], IntArray]
"""From the places of some units, `(unit, place)`, to so many arrangements of them, `(resample, unit, place)`."""


class JudgedChanges(NamedTuple):
    """Changes since the first group, `(group − 1,)` each, with bounds and adjusted p-values that hold for all of them together."""

    change: FloatArray
    low: FloatArray
    high: FloatArray
    adjusted: FloatArray
    resamples: int


def judged_changes(
    lifts: Lifts, alpha: float, rng: Generator, resamples: int = RESAMPLES, most: float = np.inf
) -> JudgedChanges:
    """A change is told where three laws of chance all tell it: each holds where another may fail.

    Normal theory knows groups of different spread; units dealt out again know skewness that all groups have, rare wins, and
    groups that happen not to vary; units drawn again within their group know skewness where spreads differ. Each law is
    max-T over p-values, so that the few degrees of freedom of a small group are not the measure of all. Bounds are t at the
    p-value that a change alone must stay below, so they exclude 0 exactly where a change is told;
    they go no farther than `most`, the largest change that there can be. Asked of normal scores all three cost one or two points of power. Westfall & Young (1993); Janssen (1997); Romano & Wolf (2005).
    """
    found = lifts.change
    raw, changes = found.pvalue, len(found.df)
    resampled = dealt_law(lifts, rng, resamples), drawn_law(lifts, rng, resamples)
    normal = normal_law(lifts, rng, resamples)
    # Bonferroni holds under normal theory too, and has no floor; among all, no change is surer than alone.
    by_normal = np.minimum(normal.adjusted(raw), np.minimum(changes * raw, 1.0))
    adjusted = np.max([raw, by_normal, *(law.adjusted(raw) for law in resampled)], axis=0)
    by_normal_critical = min(alpha, max(normal.critical(alpha), alpha / changes))
    critical = min(by_normal_critical, *(law.critical(alpha) for law in resampled))
    return JudgedChanges(
        found.change, *found.bounds(1.0 - critical, most), adjusted, min(len(law.minima) for law in resampled)
    )


@dataclass(frozen=True, eq=False)
class SmallestPvalue:
    """The smallest of a family's p-values in each resample, in ascending order."""

    minima: FloatArray

    def adjusted(self, pvalues: FloatArray) -> FloatArray:
        """How often chance makes any change look as surprising as each of these."""
        reached = np.searchsorted(self.minima, pvalues * (1.0 + TIED), side="right")
        return counted(reached.astype(np.float64), len(self.minima))

    def critical(self, alpha: float) -> float:
        """The p-value that a change alone must stay below to be told at alpha among all; 0 where none can."""
        before = allowed(len(self.minima), alpha)
        return float(self.minima[before]) if before >= 0 else 0.0


def normal_law(lifts: Lifts, rng: Generator, resamples: int = RESAMPLES) -> SmallestPvalue:
    """Changes of normal means with these correlations and degrees of freedom. Hothorn, Bretz & Westfall (2008)."""
    df = lifts.change.df[:, np.newaxis]
    ratio = studentised_draws(_correlations(lifts), df, resamples, rng)
    return SmallestPvalue(np.sort(2.0 * t_tails(-np.abs(ratio), df)[0].min(axis=0)))


def dealt_law(lifts: Lifts, rng: Generator, resamples: int = RESAMPLES) -> SmallestPvalue:
    """Residuals dealt out again: units change places with units met in as many groups, and each its groups with each other.

    Exact where all groups are alike, up to what their means were estimated from; close where only spreads differ, because
    every deal is judged by its own spreads.
    """
    return _law(lifts, _met_alike(lifts), _dealt, rng, resamples)


def drawn_law(lifts: Lifts, rng: Generator, resamples: int = RESAMPLES) -> SmallestPvalue:
    """Residuals drawn again, with replacement, from the units met in the same groups: the studentised bootstrap."""
    return _law(lifts, _met_together(lifts), _drawn, rng, resamples)


def _law(
    lifts: Lifts, rows: list[IntArray], shuffle: Shuffle, rng: Generator, resamples: int
) -> SmallestPvalue:
    count, minima = _affordable(len(lifts.sums), resamples), []
    for moved in _arrangements(len(lifts.sums), rows, shuffle, count, rng):
        # Sizes move with their residuals: a large cluster is large wherever it is dealt to.
        found = lifts.change_of(lifts.residuals[moved], lifts.places.size[moved])
        minima.append(found.pvalue.min(axis=-1))
    return SmallestPvalue(np.sort(np.concatenate(minima)))


def _affordable(places: int, resamples: int) -> int:
    """As many resamples as were asked for, or fewer where there are so many places that these would take long."""
    return int(np.clip(SPENT // places, min(FEWEST, resamples), resamples))


def _arrangements(
    places: int, rows: list[IntArray], shuffle: Shuffle, count: int, rng: Generator
) -> Iterator[IntArray]:
    """Blocks `(resample, place)`: from which place each place takes its residual."""
    step = max(1, HELD // places)
    for start in range(0, count, step):
        size = min(step, count - start)
        moved = np.empty((size, places), dtype=np.int64)
        for some in rows:
            moved[:, some.ravel()] = shuffle(some, size, rng).reshape(size, -1)
        yield moved


def _dealt(rows: IntArray, size: int, rng: Generator) -> IntArray:
    units, met = rows.shape
    moved = rows[rng.permuted(np.broadcast_to(np.arange(units), (size, units)), axis=1)]
    # Without a change a unit met in several groups could as well have been met in another order of them.
    return moved if met == 1 else rng.permuted(moved, axis=2)


def _drawn(rows: IntArray, size: int, rng: Generator) -> IntArray:
    return rows[rng.integers(0, len(rows), (size, len(rows)))]


def _met_alike(lifts: Lifts) -> list[IntArray]:
    """The places of units that are met in as many groups, `(unit, place)` for each number of groups."""
    order, starts, met = _by_unit(lifts)
    return [order[starts[met == k][:, np.newaxis] + np.arange(k)] for k in np.unique(met)]


def _met_together(lifts: Lifts) -> list[IntArray]:
    """The places of units that are met in the same groups, `(unit, place)` for each set of groups."""
    found = []
    for rows in _met_alike(lifts):
        _, which = np.unique(lifts.places.group[rows], axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        found += np.split(rows[order], np.flatnonzero(np.diff(which.ravel()[order])) + 1)
    return found


def _by_unit(lifts: Lifts) -> tuple[IntArray, IntArray, IntArray]:
    """Places in the order of units, where each unit begins among them, and in how many groups it is met."""
    places = lifts.places
    order = np.lexsort((places.group, places.unit))
    _, starts, met = np.unique(places.unit[order], return_index=True, return_counts=True)
    return order, starts, met


def _correlations(lifts: Lifts) -> FloatArray:
    """Of the changes, from what each unit adds to all groups that it is met in."""
    products = np.zeros((len(lifts.means), len(lifts.means)))
    for rows in _met_together(lifts):
        groups = lifts.places.group[rows[0]]
        added = lifts.added[rows]
        products[np.ix_(groups, groups)] += added.T @ added
    covariance = products[1:, 1:] - products[1:, :1] - products[:1, 1:] + products[0, 0]
    size = np.sqrt(np.maximum(np.diagonal(covariance), NOTHING))
    related = np.clip(covariance / size / size[:, np.newaxis], -1.0, 1.0)
    np.fill_diagonal(related, 1.0)
    return np.asarray(related)
