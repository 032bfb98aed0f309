"""The smallest effect that a test of right-or-wrong scores finds, by the engines of `plan`."""

from tellapart.distributions.proportion_power import connett_detectable
from tellapart.errors import TellapartError
from tellapart.planning.budget import Budget, EngineName
from tellapart.planning.effect_axis import EffectAxis
from tellapart.planning.solve import solve
from tellapart.planning.study import Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.results.comparison import Detectable
from tellapart.results.note import Note
from tellapart.significance import Procedure
from tellapart.summaries import Discordance
from tellapart.verbs.compare.analysis import Analysis
from tellapart.workers import Runner

MOST_ENUMERATED = 5_000
"""Items up to which every table is summed; beyond, the normal approximation is within 1e-3 of that and takes no time."""


def by_counts(analysis: Analysis, test: Procedure, power: float) -> Detectable | Note | None:
    """Of right-or-wrong scores, at the discordance that was seen."""
    sample: Discordance = analysis.summary(Discordance)
    items, share = int(sample.items), float(sample.share)
    if not share > 0.0:
        return None
    engine: EngineName = "exact" if items <= MOST_ENUMERATED else "formula"
    if engine == "exact":
        effect = _enumerated(Study(PairedBinary(discordance=share), test, items, analysis.alpha), power)
    else:
        effect = connett_detectable(items, share, power, analysis.alpha, test.alternative)
    if effect is None:
        return none_detectable(analysis, test, sample.step * share, power)
    return Detectable(sample.step * effect, power, "discordance", engine)


def _enumerated(study: Study, power: float) -> float | None:
    try:
        return abs(solve(EffectAxis(study, power, Budget(), Runner(1))).effect)
    except TellapartError:  # even all that differ won alike would be found too seldom
        return None


def none_detectable(analysis: Analysis, test: Procedure, largest: float, power: float) -> Note:
    """That not even the largest effect is found so often."""
    found = {"test": str(test), "items": analysis.items, "effect": largest, "power": power}
    return Note("none_detectable", found)
