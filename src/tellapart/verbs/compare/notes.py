"""Notes on the limits of a comparison, as codes and values."""

import math
from collections.abc import Iterator

import numpy as np
from scipy import special

from tellapart.answers.parts import IntervalResult, Note
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.decision import EstablishedClaims, rejects
from tellapart.methods.significance.procedure import BOTH
from tellapart.numerics.moments import cluster_error, cluster_sums
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.compare.claims import spread_is_zero_at_margin
from tellapart.verbs.compare.question import ALL, CompareQuestion
from tellapart.verbs.compare.runs import run_notes
from tellapart.verbs.source_notes import reading_notes

# What a few items could overturn: one or two that lie far out on one side, or a sign that was hardly seen.
# It changes no verdict.

ENOUGH_SEEN = 3
"""From this many items of the rarer sign on, samples without any are rare: one in twenty, if three are expected."""
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
        named = [{"item": analysis.pair.items[place], "difference": float(differences[place])} for place in items]
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
    """The differences of independent units: items, or their sums over clusters."""
    differences = analysis.differences
    if differences.clusters is None:
        return differences.snapped, "item"
    return cluster_sums(differences.snapped, differences.clusters), "cluster"


SINGLE_PRECISION = 1e-6
"""Differences, as shares of the scores, that single precision makes after a few operations where there is none."""
STANDS_APART = 1_000.0
"""How many times as much others differ: of scores that scatter evenly around 0 the least two do so once in a thousand samples."""


def notes(
    analysis: Analysis, shown: EstablishedClaims, names: tuple[str, str], question: CompareQuestion
) -> tuple[Note, ...]:
    """All that there is to note."""
    return (
        *reading_notes(analysis.pair.remarks),
        *_items(analysis, names, question),
        *disagreement(analysis, shown),
        *margin_notes(analysis, shown, question),
        *_ignored_clusters(analysis, every=question.test == ALL),
        *_too_few(analysis),
        *_no_width(analysis),
        *_no_bounds(analysis),
        *fragility(analysis, names),
        *_ties(analysis),
        *_test(analysis),
    )


def _items(analysis: Analysis, names: tuple[str, str], question: CompareQuestion) -> Iterator[Note]:
    """Which items were compared: some left out, none shared, some run more than once, none that tells anything."""
    pair = analysis.pair
    lost = [
        {"system": name, "items": items, "first": first}
        for name, items, first in zip(names, pair.lost, pair.first_lost, strict=True)
        if items
    ]
    if lost or pair.unscored:
        yield Note("items_dropped", {"lost": lost, "unscored": pair.unscored})
    if not analysis.paired:
        items_a, items_b = analysis.items_of_each
        yield Note("no_shared_items", {"items_a": items_a, "items_b": items_b})
    yield from run_notes(analysis, names, grouped=question.grouped)
    flat = [name for name, value in zip(names, analysis.means, strict=True) if value == 0.0]
    if flat and not analysis.metric.linear:
        yield Note("metric_is_zero", {"systems": flat})


def disagreement(analysis: Analysis, shown: EstablishedClaims) -> Iterator[Note]:
    """Where test and interval tell different stories about zero; a one-sided test is held against its one bound.

    Of a test of a margin it is the test inside that says which system is better.
    """
    plain, bounds = difference_test(analysis.test), analysis.interval_result
    excludes = bounds.low > 0.0 or bounds.high < 0.0
    told = analysis.rejected if plain is analysis.test else shown.holds("better") or shown.holds("worse")
    if excludes != told:
        yield Note("test_and_interval_disagree", {**_bounds(bounds), "interval_excludes_zero": excludes})


def margin_notes(analysis: Analysis, shown: EstablishedClaims, question: CompareQuestion) -> Iterator[Note]:
    """The basis of the claims about the margin, where it is not the test as it was run."""
    if shown.equivalent is None:
        return
    named = question.named_test is not None
    if spread_is_zero_at_margin(analysis, named=named):
        signs = analysis.signs
        yield Note("nothing_varies_at_margin", {"instead": None if signs is None else str(signs)})
        if signs is not None:
            yield from _margin_disagreement(analysis, shown, question)
        return
    if named or analysis.test.name == BOTH:
        yield from _margin_disagreement(analysis, shown, question)
    else:
        inside = {**_bounds(analysis.margin_interval), "inside": analysis.within}
        yield Note("equivalence_by_interval", inside)
    yield from _other_test(analysis)


def _margin_disagreement(analysis: Analysis, shown: EstablishedClaims, question: CompareQuestion) -> Iterator[Note]:
    if _sides_of_margin(analysis, question) != (shown.holds("not_worse"), shown.holds("not_better")):
        yield Note("margin_interval_disagrees", _bounds(analysis.margin_interval))


def _other_test(analysis: Analysis) -> Iterator[Note]:
    """Of a metric that cannot be moved to a margin, who judges it there."""
    test = analysis.test
    if test.needs.holds_parts and not analysis.metric.linear and difference_test(test).name not in {BOTH, "bootstrap"}:
        yield Note("other_test_at_margin", {"test": str(analysis.margin_stand_in)})


def _sides_of_margin(analysis: Analysis, question: CompareQuestion) -> tuple[bool, bool]:
    """Whether the interval at 1 − 2·alpha excludes that B is worse by the margin, and that it is better by it."""
    above, below = analysis.beyond_margin
    return (below, above) if question.lower_is_better else (above, below)


def _bounds(interval: IntervalResult) -> dict[str, float]:
    return {"low": interval.low, "high": interval.high, "level": interval.level}


def _ignored_clusters(analysis: Analysis, *, every: bool) -> Iterator[Note]:
    if analysis.clusters is None:
        return
    if not analysis.test.sees_clusters(analysis.metric):
        yield Note("test_ignores_clusters")
    elif not analysis.interval.sees_clusters(analysis.metric):
        yield Note("interval_ignores_clusters")
    elif every:
        yield Note("other_tests_ignore_clusters")


def _too_few(analysis: Analysis) -> Iterator[Note]:
    """The note that no p-value could have reached alpha."""
    if analysis.test.claim != "difference" or not analysis.paired:
        return
    least = analysis.least_pvalue(analysis.differing)
    if least is None or rejects(least, analysis.alpha):
        return
    if analysis.test.needs_clusters:
        yield Note("too_few_clusters", {"least_pvalue": least})
    else:
        differing = int(np.count_nonzero(analysis.differing))
        yield Note("too_few_items_differ", {"differing": differing, "least_pvalue": least})


def _no_width(analysis: Analysis) -> Iterator[Note]:
    """Where nothing varies an interval shrinks to a point, which is no certainty. The share is the rule of three's."""
    bounds = analysis.interval_result
    # A benchmark that was run as a whole is known for certain.
    if bounds.low != bounds.high or not analysis.paired or difference_test(analysis.test).ordered:
        return
    units, unit = (analysis.items, "item") if analysis.clusters is None else (analysis.clusters, "cluster")
    if _vary(analysis):
        yield Note("no_width_although_items_vary", {"unit": unit})
    else:
        share = -math.expm1(math.log(analysis.alpha) / units)
        yield Note("no_width", {"unit": unit, "units": units, "share": share})


def _no_bounds(analysis: Analysis) -> Iterator[Note]:
    """Where so few units, or units that differ, bound the effect on no side, and that no claim is possible was not said already."""
    bounds = analysis.two_sided_interval
    if not analysis.paired or (math.isfinite(bounds.low) and math.isfinite(bounds.high)):
        return
    least = analysis.least_pvalue(analysis.differing)
    if least is None or rejects(least, analysis.alpha):
        clusters = analysis.clusters
        unit, units = ("item", analysis.items) if clusters is None else ("cluster", clusters)
        differing = int(np.count_nonzero(analysis.differing))
        yield Note("no_bounds", {"unit": unit, "units": units, "differing": differing})


def _vary(analysis: Analysis) -> bool:
    """Whether not all items, or clusters where the interval is of those, differ by the same."""
    differences = analysis.differences
    if differences.clusters is None or not analysis.interval.sees_clusters(analysis.metric):
        return bool(np.ptp(differences.snapped) > 0.0)
    _, error, _ = cluster_error(differences.values, differences.clusters, "cr1", differences.scale)
    return bool(error > 0.0)


def _ties(analysis: Analysis) -> Iterator[Note]:
    """Differences that are there on paper and lost in rounding."""
    if not analysis.paired:
        return
    a, b = analysis.values
    lost = int(np.count_nonzero((a != b) & ~analysis.differing))
    if lost:
        yield Note("rounded_to_ties", {"items": lost})
    yield from _near_ties(analysis)


def _near_ties(analysis: Analysis) -> Iterator[Note]:
    """Items that differ by so little beside their scores that single precision may have made them differ, where others differ by far more."""
    # Right or wrong differ wholly or not at all: nothing is looked for among millions of them.
    if analysis.binary or not analysis.metric.linear:
        return
    sizes = np.abs(analysis.differences.snapped)
    shares = _beside_scores(sizes, *analysis.values)
    near = (sizes > 0.0) & (shares <= SINGLE_PRECISION)
    items, gap = int(np.count_nonzero(near)), STANDS_APART * shares.max(where=near, initial=0.0)
    differing, beyond = int(np.count_nonzero(sizes)), int(np.count_nonzero(shares > gap))
    between = differing - items - beyond
    # Scores that scatter do so within the gap most of all; of many that do, a few are there beside ties that were broken.
    if min(items, beyond) >= max(1, 10 * between):
        most = float(sizes.max(where=near, initial=0.0))
        yield Note("nearly_ties", {"items": items, "differing": differing, "most": most})


def _beside_scores(sizes: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Differences as shares of the larger score, in one array for the millions that there may be; 0 where both are 0."""
    beside = np.abs(a)
    np.maximum(beside, np.abs(b), out=beside)
    return np.divide(sizes, beside, out=beside, where=beside > 0.0)


def _test(analysis: Analysis) -> Iterator[Note]:
    """The estimand of the test, how its p-value was computed, and whether it points where the means do."""
    test, outcome = analysis.test, analysis.outcome
    if test.estimand != "mean difference":
        yield Note("not_about_means", {"estimand": test.estimand})
    yield Note("pvalue_method", {"method": outcome.method, "error": float(outcome.error)})
    if float(outcome.direction) * analysis.effect < 0.0 and test.claim == "difference":
        yield Note("opposite_directions")
