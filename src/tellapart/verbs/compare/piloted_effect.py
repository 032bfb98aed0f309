"""The smallest effect that a test which counts wins finds on items like those that were seen."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.distributions.roots import increasing_root
from tellapart.distributions.tails import sides
from tellapart.planning.budget import Budget
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot import Pilot
from tellapart.results.comparison import Detectable
from tellapart.scores import Pair
from tellapart.significance import Procedure
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.by_pilot import ask_detectable
from tellapart.verbs.compare.planned_effect import MOST_ENUMERATED, none_detectable
from tellapart.verbs.compare.sides import Found, on_sides

EDGE = 1e-9
"""How near to the extreme differences, as a share of their distance from zero, an effect is looked for."""


def by_signs(analysis: Analysis, test: Procedure, power: float) -> tuple[Found, ...]:
    """Of any scores, by how many items an effect makes B win: those seen, tilted until their mean is the effect; on each side that is tested."""
    pilot = _pilot(analysis.pair)
    low, high = pilot.effect_range
    if analysis.items > MOST_ENUMERATED or not analysis.metric.linear or not low < 0.0 < high:
        return (ask_detectable(analysis, test, power),)
    pilots = {
        "greater": (pilot,),
        "less": (_pilot(analysis.pair.swapped),),
        "two-sided": (pilot, _pilot(analysis.pair.swapped)),
    }
    return on_sides(*(_on_one_side(analysis, test, one, power) for one in pilots[test.alternative]))


def _on_one_side(analysis: Analysis, test: Procedure, pilot: Pilot, power: float) -> Found:
    """Of effects above 0, and claims that there is one: where differences lean, equal means win unequal shares, and claims of the opposite find nothing."""
    upwards, level = test.replace(alternative="greater"), analysis.alpha / sides(test.alternative)
    most = pilot.effect_range[1] * (1.0 - EDGE)

    def short(size: FloatArray) -> FloatArray:
        study = Study(_signs(pilot, float(size)), upwards, analysis.items, level)
        return np.asarray(power_of(study, Budget()).power - power)

    if float(short(np.asarray(most))) < 0.0:
        return none_detectable(analysis, test, most, power)
    effect = float(increasing_root(short, np.asarray(0.0), np.asarray(most)))
    return Detectable(effect, power, None, "exact")


def _pilot(pair: Pair) -> Pilot:
    """Items like those seen, each on its own."""
    return Pilot.from_pair(Pair(pair.a, pair.b))


def signs_of(analysis: Analysis, effect: float) -> PairedBinary:
    """How often B wins and loses an item when items like those seen have this mean difference."""
    return _signs(_pilot(analysis.pair), effect)


def _signs(pilot: Pilot, effect: float) -> PairedBinary:
    tilted = pilot.with_effect(effect)
    weights, differences = tilted.weights, tilted.differences
    win, loss = _share(weights[differences > 0.0]), _share(weights[differences < 0.0])
    return PairedBinary(discordance=min(win + loss, 1.0), effect=win - loss)


def _share(weights: FloatArray) -> float:
    """Of weights that add up to one all may come to a last bit more."""
    return min(float(weights.sum()), 1.0)
