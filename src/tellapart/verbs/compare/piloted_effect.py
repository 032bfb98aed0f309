"""The smallest effect that a test finds on items like those that were seen: exact where it counts wins, else from a short simulation."""

from dataclasses import replace

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.roots import increasing_root
from tellapart.errors import TellapartError
from tellapart.planning.budget import Budget
from tellapart.planning.effect_axis import EffectAxis
from tellapart.planning.power import power_of
from tellapart.planning.simulated_root import quick_root
from tellapart.planning.study import Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot import Pilot
from tellapart.results.comparison import Detectable
from tellapart.results.note import Note
from tellapart.scores import Pair
from tellapart.significance import Procedure
from tellapart.significance.cautious import Cautious
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.by_pilot import ask_detectable
from tellapart.verbs.compare.planned_effect import MOST_ENUMERATED
from tellapart.workers import Runner

REPLICATES = 200
"""Simulated evaluations: an effect known to 7 %, in a tenth of a second or two."""
MOST_SIMULATED = 1_000
"""Items up to which so many evaluations take no longer."""
FEWER_RESAMPLES = 999
"""Of the bootstrap of a simulated evaluation: whether p is at most alpha hardly depends on how many there are."""
BY_CLUSTER_SUMS = ("leaning_cluster_t",)
"""Tests that go by the sizes of clusters and by what each adds to the sum of differences, and by nothing within them."""
EDGE = 1e-9
"""How near to the extreme differences, as a share of their distance from zero, an effect is looked for."""


def by_signs(analysis: Analysis, test: Procedure, power: float) -> Detectable | Note | None:
    """Of any scores, by how many items an effect makes B win: those seen, tilted until their mean is the effect."""
    if analysis.items > MOST_ENUMERATED or not analysis.metric.linear:
        return ask_detectable(analysis, test, power)
    side = -1.0 if test.alternative == "less" else 1.0
    pilot = _pilot(analysis)
    low, high = pilot.effect_range
    most = (high if side > 0.0 else -low) * (1.0 - EDGE)
    if not low < 0.0 < high:
        return ask_detectable(analysis, test, power)

    def short(size: FloatArray) -> FloatArray:
        study = Study(_signs(pilot, side * float(size)), test, analysis.items, analysis.alpha)
        return np.asarray(power_of(study, Budget()).power - power)

    if float(short(np.asarray(most))) < 0.0:
        return None
    effect = float(increasing_root(short, np.asarray(0.0), np.asarray(most)))
    return Detectable(effect, power, None, "exact")


def _pilot(analysis: Analysis) -> Pilot:
    """Items like those seen, each on its own."""
    return Pilot.from_pair(Pair(analysis.pair.a, analysis.pair.b))


def signs_of(analysis: Analysis, effect: float) -> PairedBinary:
    """How often B wins and loses an item when items like those seen have this mean difference."""
    return _signs(_pilot(analysis), effect)


def _signs(pilot: Pilot, effect: float) -> PairedBinary:
    tilted = pilot.with_effect(effect)
    weights, differences = tilted.weights, tilted.differences
    win, loss = _share(weights[differences > 0.0]), _share(weights[differences < 0.0])
    return PairedBinary(discordance=min(win + loss, 1.0), effect=win - loss)


def _share(weights: FloatArray) -> float:
    """Of weights that add up to one all may come to a last bit more."""
    return min(float(weights.sum()), 1.0)


def by_simulation(analysis: Analysis, test: Procedure, power: float, near: float) -> Detectable | Note | None:
    """From a few hundred evaluations of items like these, begun at the effect that a t test would find."""
    simulated = _with_fewer_resamples(test)
    if simulated is None or not analysis.metric.linear or not analysis.paired:
        return ask_detectable(analysis, test, power)
    pair = _drawn_from(analysis, simulated)
    if len(pair.a) > MOST_SIMULATED:
        return ask_detectable(analysis, test, power)
    try:
        study = Study(Pilot.from_pair(pair), simulated, len(pair.a), analysis.alpha)
        axis = EffectAxis(study, power, Budget("monte_carlo", REPLICATES, analysis.seed), Runner(1))
        root = quick_root(axis, min(near, axis.most))
    except TellapartError:  # such items cannot have an effect of that size, or not on this side
        return ask_detectable(analysis, test, power)
    if root.x >= axis.most and _falls_short(axis, power):
        return _none_detectable(axis, test, power)
    if not root.result.low <= power <= root.result.high:
        return ask_detectable(analysis, test, power)
    return Detectable(root.x, power, None, "monte_carlo", str(simulated), REPLICATES, root.low, root.high)


def _falls_short(axis: EffectAxis, power: float) -> bool:
    """Whether the largest effect that such items can have is found less often than wanted, and so is each that was tried."""
    axis.at(axis.most)
    return all(found.power < power for found in axis.known.values())


def _none_detectable(axis: EffectAxis, test: Procedure, power: float) -> Note:
    largest = axis.value_at(axis.most)
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
