"""What a few items could overturn: an answer that rests on one of them, or on the other sign hardly being seen."""

from collections.abc import Iterator

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.distributions.clusters import cluster_sums
from tellapart.distributions.rare_failures import FARTHER, failures_below
from tellapart.distributions.student import t_quantile
from tellapart.results.note import Note
from tellapart.significance.cautious import Cautious
from tellapart.verbs.compare.analysis import Analysis

ENOUGH_SEEN = 3
"""From so many items of the rarer sign on, the defaults keep their size and coverage in `docs/calibration.md`."""
MOST = 0.5
"""Of the sum of all differences: an item that carries half of it carries the answer."""
BY_CHANCE = 0.04
"""An item counts as carrying the effect if leaving it out moves it by as many standard errors of all other items as Student's t exceeds so seldom.

Of many items that is 2.1 of them, of five 3.5. Normal scores have the note on 2 % of samples of five items, 1 % of six, and on none of twelve or more; with
a fixed 2 it was 9 % of five. An item ten standard errors out has it always, one five out on 90 % of samples of five and on all of ten.
"""
FEWEST = 5
"""Among fewer items that differ one always weighs much: the test says how little they tell."""


def fragility(analysis: Analysis, names: tuple[str, str], *, named: bool) -> Iterator[Note]:
    """Right-or-wrong scores need neither note: none of their items outweighs another, and McNemar counts the signs."""
    if analysis.paired and not analysis.binary:
        # Where no test was named the choice has looked for failures, and is cautious if it saw any.
        failures = list(_rare_failures(analysis)) if named or isinstance(analysis.test, Cautious) else []
        # What failures leave open says more than how rare their sign is.
        yield from failures or _rare_sign(analysis, names)
        yield from _one_item(analysis)


def _rare_failures(analysis: Analysis) -> Iterator[Note]:
    """On how large a share of all items the systems may differ as far as they do on the one or two that lie far out on one side."""
    differences = analysis.differences
    if differences.clusters is not None or not analysis.metric.linear:
        return
    for side in (1.0, -1.0):
        found = failures_below(side * differences.snapped)
        seen, items = int(found.seen), analysis.items
        if seen:
            difference = analysis.effect - side * float(found.distance)
            share = float(special.betaincinv(seen + 1.0, items - seen, 1.0 - analysis.alpha))
            yield Note(
                "rare_failures",
                {"seen": seen, "items": items, "difference": difference, "farther": FARTHER, "share": share},
            )


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


def _one_item(analysis: Analysis) -> Iterator[Note]:
    differences = analysis.differences.snapped
    item = carrying_item(differences)
    if item is not None:
        rest = np.delete(differences, item)
        values = {"item": analysis.pair.items[item], "difference": float(differences[item])}
        yield Note("one_item_carries", {**values, "effect_without": float(rest.mean())})


def carrying_item(differences: FloatArray) -> int | None:
    """The place of the item that carries most of the effect, if one does: half of the sum, and more than chance puts on one of all others."""
    largest = int(np.abs(differences).argmax())
    total, carried = float(differences.sum()), float(differences[largest])
    rest = np.delete(differences, largest)
    if np.count_nonzero(rest) + 1 < FEWEST or carried * total <= 0.0 or carried / total < MOST:
        return None
    # The spread of few others is badly known, which Student's t allows for.
    beyond = float(t_quantile(1.0 - BY_CHANCE / 2.0, len(rest) - 1))
    return largest if abs(carried) > beyond * float(np.sqrt(len(rest)) * rest.std(ddof=1)) else None
