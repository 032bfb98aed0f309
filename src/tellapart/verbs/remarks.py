"""The notes a careful reader of a comparison needs: everything that limits the answer, and nothing that does not."""

import math

import numpy as np

from tellapart.decision import rejects
from tellapart.distributions.clusters import cluster_error
from tellapart.verbs.analysis import Analysis
from tellapart.verbs.beside import repeats
from tellapart.verbs.phrases import Told, interval_in_words
from tellapart.wording import amount, percent, pvalue, significant


def notes(told: Told, *, every: bool) -> tuple[str, ...]:
    """All that there is to note; `every` says that the tests which were not chosen are listed too."""
    analysis = told.analysis
    said = [
        _lost(told),
        _unpaired(told),
        _repeats(told),
        _undefined(told),
        _disagreement(analysis),
        *_margin(told),
        _ignored_clusters(analysis, every=every),
        _too_few(analysis),
        _no_width(analysis),
        _ties(analysis),
        _own_estimand(analysis),
        _precision(analysis),
        _direction(analysis),
    ]
    return tuple(n for n in said if n)


def _lost(told: Told) -> str:
    pair = told.analysis.pair
    dropped = [
        f"{amount(n, 'item')} of {name} that the other lacks (first: {first!r})"
        for name, n, first in zip(told.systems, pair.lost, pair.first_lost, strict=True)
        if n
    ]
    blank = [f"{amount(pair.unscored, 'item')} that no system has a score on"] if pair.unscored else []
    return f"dropped: {', '.join([*dropped, *blank])}" if dropped or blank else ""


def _unpaired(told: Told) -> str:
    if told.analysis.paired:
        return ""
    (a, b), (n_a, n_b) = told.systems, told.analysis.items_of_each
    return f"the systems share no item ({n_a} of {a}, {n_b} of {b}): an unpaired test needs many more items than a paired one"


def _repeats(told: Told) -> str:
    found = repeats(told.analysis)
    if found is None:
        return ""
    runs = (found.runs_a, found.runs_b)
    variances = (found.within_item_variance_a, found.within_item_variance_b)
    counts = " and ".join(f"{amount(n, 'run')} of {name}" for n, name in zip(runs, told.systems, strict=True))
    spread = " and ".join(
        f"{significant(v)} of {name}"
        for v, name in zip(variances, told.systems, strict=True)
        if v is not None
    )
    varied = f"; variance between runs of the same item: {spread}" if spread else ""
    return f"{counts} were averaged within each item, and items are the sample{varied}"


def _undefined(told: Told) -> str:
    if told.analysis.metric.linear:
        return ""
    flat = [name for name, value in zip(told.systems, told.analysis.means, strict=True) if value == 0.0]
    return (
        f"{told.analysis.metric} of {' and '.join(flat)} is 0, or undefined and counted as 0" if flat else ""
    )


def _disagreement(analysis: Analysis) -> str:
    """Where test and interval tell different stories about zero."""
    if analysis.test.claim != "difference":
        return ""
    bounds = analysis.interval_result
    excludes = bounds.low > 0.0 or bounds.high < 0.0
    if excludes == analysis.rejected:
        return ""
    tells = "excludes" if excludes else "includes"
    if analysis.test.alternative != "two-sided":
        return f"the test looks at one side and the interval at both, which {tells} 0; the test decides"
    return f"test and interval disagree at the edge (the interval {tells} 0); the test decides"


def _margin(told: Told) -> list[str]:
    analysis = told.analysis
    found = analysis.equivalence
    if found is None:
        return []
    bounds = interval_in_words(analysis.margin_interval, -found.margin, found.margin)
    agrees = analysis.within == bool(rejects(found.pvalue, analysis.alpha))
    if analysis.test.claim == "equivalence":
        return (
            []
            if agrees
            else [f"the {bounds} disagrees with the two one-sided tests at the edge; the tests decide"]
        )
    lies = "lies inside" if analysis.within else "does not lie inside"
    said = [f"equivalence goes by the {bounds}, which {lies} ±{found.margin:g}"]
    if analysis.within and analysis.rejected:
        said.append("the difference is there, and smaller than the margin: by that margin it does not matter")
    if not agrees:
        p = pvalue(found.pvalue, analysis.alpha)
        said.append(
            f"the two one-sided tests ({p}) disagree with that interval at the edge; the interval decides"
        )
    if analysis.equivalence_test.name != analysis.test.name:
        said.append(
            f"{analysis.test} of {analysis.metric} cannot be moved to a margin: the two one-sided tests are {analysis.equivalence_test}"
        )
    return said


def _ignored_clusters(analysis: Analysis, *, every: bool) -> str:
    if analysis.clusters is None:
        return ""
    how_many = amount(analysis.clusters, "cluster")
    if not analysis.test.sees_clusters(analysis.metric):
        return f"{analysis.test} ignores the {how_many}: its p-value is too small if items in a cluster resemble each other"
    if not analysis.interval.sees_clusters:
        return f"{analysis.interval} ignores the {how_many}: it is too short if items in a cluster resemble each other"
    return (
        f"of all tests, only those that speak of clusters and the bootstrap allow for the {how_many}"
        if every
        else ""
    )


def _too_few(analysis: Analysis) -> str:
    """Where no p-value could have reached alpha, whoever had won."""
    if analysis.test.claim != "difference" or not analysis.paired:
        return ""
    least = analysis.least_pvalue(analysis.differing)
    if least is None or rejects(least, analysis.alpha):
        return ""
    if analysis.test.needs_clusters:
        return f"so few clusters cannot reach {percent(1.0 - analysis.alpha)} confidence, whichever system is better"
    differing = int(np.count_nonzero(analysis.differing))
    how_many = f"only {amount(differing, 'item')}" if differing else "no item"
    return (
        f"the systems differ on {how_many}: no p-value below {least:.3g} "
        f"can come out of {analysis.test}, so {percent(1.0 - analysis.alpha)} confidence cannot be reached"
    )


def _no_width(analysis: Analysis) -> str:
    """Where nothing varies an interval shrinks to a point, which is no certainty. The share is the rule of three's."""
    bounds = analysis.interval_result
    if bounds.low != bounds.high or not analysis.paired:
        return ""
    units, noun = (analysis.items, "item") if analysis.clusters is None else (analysis.clusters, "cluster")
    if _vary(analysis):
        return (
            f"the interval has no width although {noun}s vary: so many differ by the same that both bounds of {analysis.interval} "
            "are that number; that is no certainty about the mean"
        )
    share = -math.expm1(math.log(analysis.alpha) / units)
    return (
        f"every {noun} differs by the same, so the interval has no width; that is no certainty: {amount(units, noun)} like these "
        f"still allow that up to {percent(share, 2)} of all {noun}s differ otherwise"
    )


def _vary(analysis: Analysis) -> bool:
    """Whether not all items, or clusters where the interval is of those, differ by the same."""
    differences = analysis.differences
    if differences.clusters is None or not analysis.interval.sees_clusters:
        return bool(np.ptp(differences.snapped) > 0.0)
    _, error, _ = cluster_error(differences.values, differences.clusters, "cr1", differences.scale)
    return bool(error > 0.0)


def _ties(analysis: Analysis) -> str:
    """Differences that are there on paper and lost in rounding."""
    if not analysis.paired:
        return ""
    a, b = analysis.values
    lost = int(np.count_nonzero((a != b) & ~analysis.differing))
    return (
        f"{amount(lost, 'item')} {'differs' if lost == 1 else 'differ'} by less than rounding can tell from nothing (the 14th digit "
        f"of the largest score) and {'counts as a tie' if lost == 1 else 'count as ties'}"
        if lost
        else ""
    )


def _own_estimand(analysis: Analysis) -> str:
    test = analysis.test
    return (
        ""
        if test.estimand == "mean difference"
        else f"{test} tests the {test.estimand}: its p-value is no claim about means"
    )


def _precision(analysis: Analysis) -> str:
    method, error = analysis.outcome.method, float(analysis.outcome.error)
    return f"p-value by {method}" + (f", off by at most about {error:.1g}" if error > 0.0 else "")


def _direction(analysis: Analysis) -> str:
    against = float(analysis.outcome.direction) * analysis.effect < 0.0
    return (
        f"{analysis.test} and the mean difference point in opposite directions; the verdict follows the test"
        if against and analysis.test.claim == "difference"
        else ""
    )
