"""The smallest effect that a test finds on items like those that were seen, from a short simulation."""

from dataclasses import replace

from tellapart.errors import TellapartError
from tellapart.planning.budget import Budget
from tellapart.planning.effect_axis import EffectAxis
from tellapart.planning.simulated_root import quick_root
from tellapart.planning.study import Study
from tellapart.populations.pilot import Pilot
from tellapart.results.comparison import Detectable
from tellapart.results.note import Note
from tellapart.scores import Pair
from tellapart.significance import Procedure
from tellapart.significance.cautious import Cautious
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.by_pilot import ask_detectable
from tellapart.verbs.compare.normal_units import as_if_normal, normal_units, stand_for_normal
from tellapart.verbs.compare.sides import Found, on_sides
from tellapart.workers import Runner

REPLICATES = 200
"""Simulated evaluations: an effect known to 7 %, in a tenth of a second or two."""
MOST_SIMULATED = 1_000
"""Items up to which so many evaluations take no longer."""
FEWER_RESAMPLES = 999
"""Of the bootstrap of a simulated evaluation: whether p is at most alpha hardly depends on how many there are."""
BY_CLUSTER_SUMS = ("leaning_cluster_t",)
"""Tests that go by the sizes of clusters and by what each adds to the sum of differences, and by nothing within them."""
NEVER_BEFORE_T = frozenset(("paired_t", "cluster_t", "leaning_t", "leaning_cluster_t"))
"""The t test of items, or clusters, and tests that claim nothing which it does not."""


def by_simulation(analysis: Analysis, test: Procedure, power: float, near: float) -> tuple[Found, ...]:
    """From a few hundred evaluations of items like these, begun at the effect that a t test would find; on each side that is tested."""
    ask, simulated = ask_detectable(analysis, test, power), _with_fewer_resamples(test)
    if simulated is None or not analysis.metric.linear or not analysis.paired:
        return (ask,)
    pair = _drawn_from(analysis, simulated)
    if len(pair.a) > MOST_SIMULATED:
        return (ask,)
    budget = Budget("monte_carlo", REPLICATES, analysis.seed)

    def drawn_from(source: Pair) -> Detectable | Note:
        try:
            study = Study(Pilot.from_pair(source), simulated, len(pair.a), analysis.alpha)
            return _simulated(EffectAxis(study, power, budget, Runner(1)), near) or ask
        except TellapartError:  # such items cannot have an effect of that size, or not on this side
            return ask

    if stand_for_normal(analysis, test):
        found = drawn_from(normal_units(pair, analysis.standard_error))
        return (found, as_if_normal(analysis, test)) if isinstance(found, Detectable) else (found,)
    sources = (pair, pair.swapped) if test.alternative == "two-sided" else (pair,)
    return on_sides(*map(drawn_from, sources))


def _simulated(axis: EffectAxis, near: float) -> Found:
    """None where these replicates do not tell."""
    test, power = axis.study.test, axis.target
    root = quick_root(axis, min(near, axis.most))
    if root.x >= axis.most and _falls_short(axis, power):
        return _none_detectable(axis, test, power)
    if not root.result.low <= power <= root.result.high:
        return None
    found = Detectable(root.x, power, None, "monte_carlo", str(test), REPLICATES, root.low, root.high)
    return _at_least(found, near) if _never_before_t(test) else found


def _never_before_t(test: Procedure) -> bool:
    if isinstance(test, Cautious):
        return _never_before_t(test.test) or _never_before_t(test.inverted)
    return test.name in NEVER_BEFORE_T


def _at_least(found: Detectable, least: float) -> Detectable:
    """No less than what a test finds that rejects whenever this one does: few items, drawn again, vary too little."""
    low, high = (None if x is None else max(x, least) for x in (found.low, found.high))
    return replace(found, effect=max(found.effect, least), low=low, high=high)


def _falls_short(axis: EffectAxis, power: float) -> bool:
    """Whether the largest effect that such items can have is found less often than wanted, and so is each that was tried."""
    axis.at(axis.most)
    return all(found.power < power for found in axis.known.values())


def _none_detectable(axis: EffectAxis, test: Procedure, power: float) -> Note:
    largest = abs(axis.value_at(axis.most))
    return Note(
        "none_detectable",
        {
            "test": str(test),
            "items": axis.study.items,
            "effect": largest,
            "power": power,
            "replicates": REPLICATES,
        },
    )


def _drawn_from(analysis: Analysis, test: Procedure) -> Pair:
    """The items themselves; of very many, if what clusters add is all that the test goes by, a few that stand for each cluster."""
    if test.name not in BY_CLUSTER_SUMS or analysis.items <= MOST_SIMULATED:
        return analysis.pair
    from tellapart.verbs.compare.condensed import condensed  # noqa: PLC0415  (most evaluations are smaller)

    return condensed(analysis.pair, analysis.metric, MOST_SIMULATED)


def _with_fewer_resamples(test: Procedure) -> Procedure | None:
    """The test as it is simulated; None where it resamples in a way that takes long however few there are."""
    if not test.drawn_again:
        return test
    from tellapart.significance.bootstrap import Bootstrap  # noqa: PLC0415  (few items are not drawn again)

    if isinstance(test, Bootstrap):
        return replace(test, resamples=min(test.resamples, FEWER_RESAMPLES))
    if isinstance(test, Cautious):
        inner = _with_fewer_resamples(test.test)
        inverted = test.inverted
        fewer = (
            f"bootstrap(kind={inverted.kind}, resamples={FEWER_RESAMPLES})"
            if isinstance(inverted, Bootstrap)
            else test.interval
        )
        return None if inner is None else replace(test, test=inner, interval=fewer)
    return None
