"""What a few items could overturn: one or two that lie far out on one side, or a sign that was hardly seen. It changes no verdict."""

from collections.abc import Iterator

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions.clusters import cluster_sums
from tellapart.results.note import Note
from tellapart.verbs.compare.analysis import Analysis

ENOUGH_SEEN = 3
"""From so many items of the rarer sign on, samples without any of it are rare: one in twenty holds none of three that are expected."""
FAR_OUT = 3.0
"""Interquartile ranges beyond a quartile from which on a number is far out. Tukey (1977)."""
MOST_FAR_OUT = 2
"""More items on one side are no longer a few that another sample might lack."""


def fragility(analysis: Analysis, names: tuple[str, str]) -> Iterator[Note]:
    """Right-or-wrong scores need neither note: none of their items outweighs another, and McNemar counts the signs."""
    if analysis.paired and not analysis.binary:
        yield from _far_out(analysis)
        yield from _rare_sign(analysis, names)


def _far_out(analysis: Analysis) -> Iterator[Note]:
    """The items that carry the effect, or hold it down: one or two of one side, without which it moves by a standard error of the others or more."""
    differences = analysis.differences.snapped
    items = far_out_items(differences)
    if not 0 < len(items) < len(differences) - 1:
        return
    rest = np.delete(differences, items)
    without, error = float(rest.mean()), float(rest.std(ddof=1) / np.sqrt(len(rest)))
    if abs(without - float(differences.mean())) >= error:
        named = [
            {"item": analysis.pair.items[place], "difference": float(differences[place])} for place in items
        ]
        yield Note("few_items_carry", {"items": named, "of": len(differences), "effect_without": without})


def far_out_items(differences: FloatArray) -> IntArray:
    """The places of one or two items far out on one side, where none is on the other; the farthest first."""
    low, high = np.quantile(differences, (0.25, 0.75))
    reach = FAR_OUT * (high - low)
    sides = differences < low - reach, differences > high + reach
    if all(side.any() for side in sides):
        return np.empty(0, dtype=np.int64)
    places = np.flatnonzero(sides[0] | sides[1])
    farthest_first = places[np.argsort(-np.abs(differences[places]), kind="stable")]
    return farthest_first if len(places) <= MOST_FAR_OUT else np.empty(0, dtype=np.int64)


def _rare_sign(analysis: Analysis, names: tuple[str, str]) -> Iterator[Note]:
    """On how large a share of all units the system may score higher that hardly did on these. Clopper & Pearson (1934)."""
    units, unit = _units(analysis)
    higher = int(np.count_nonzero(units < 0.0)), int(np.count_nonzero(units > 0.0))
    seen, often = sorted(higher)
    if seen < ENOUGH_SEEN <= often and np.ptp(units) > 0.0:
        share = float(special.betaincinv(seen + 1.0, len(units) - seen, 1.0 - analysis.alpha))
        rarer = {"system": names[higher.index(seen)], "seen": seen, "unit": unit, "units": len(units)}
        yield Note("rare_sign", {**rarer, "share": share})


def _units(analysis: Analysis) -> tuple[FloatArray, str]:
    """What varies from one independent unit to the next: the differences of items, or their sums over clusters."""
    differences = analysis.differences
    if differences.clusters is None:
        return differences.snapped, "item"
    return cluster_sums(differences.snapped, differences.clusters), "cluster"
