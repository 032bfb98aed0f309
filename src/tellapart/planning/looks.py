"""Planned looks: at which items, at which levels, and the power of a test that may stop at each of them.

The test's own p-value meets the level of its look. Of right-or-wrong scores every path of wins and losses is summed; evaluations with
other scores are simulated.
"""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import signal, special

from tellapart.data.pair import Pair
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.foundation.surfaces import option
from tellapart.numerics.looks import lan_demets
from tellapart.planning.look_schedule import LookSchedule, look_boundaries, sides_of
from tellapart.planning.monte_carlo import block_size
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.tally import Tally, from_rates

FARTHEST, AT_LEAST = 9.0, 12.0
"""Standard deviations, and counts beyond these, up to which wins and losses are summed: 1e-18 lie beyond."""
MOST_CELLS = 1 << 24
"""Tables of wins and losses up to which all paths are summed."""
MOST_STEPS = 200
"""Numbers of items that are tried."""


@dataclass(frozen=True)
class LookPower:
    """The power of a study with its looks, how often it stops at each with a claim, and the items it takes on average."""

    found: PowerResult
    items: tuple[int, ...]
    nominal: tuple[float, ...]
    stops: tuple[float, ...]

    @property
    def expected_items(self) -> float:
        return float(np.dot(self.items, self.stops) + self.items[-1] * (1.0 - sum(self.stops)))


@dataclass(frozen=True)
class _Stops:
    """Studies, or their chance, by the look at which they stop with a claim; and of all claims those with the wrong sign, and Σ|estimate|."""

    at: FloatArray
    wrong: float
    estimates: float


def power_with_looks(study: Study, schedule: LookSchedule, replicates: int, seed: int) -> LookPower:
    """The power of this very test, looked at as scheduled; the study's items are the most it takes."""
    items = schedule.items(study.items, study.population.unit)
    nominal = look_boundaries(items, schedule.spending, study.alpha, sides_of(study.test)).nominal
    chances = _chances_of_counts(study)
    if chances is not None:
        stops, engine = _summed_paths(study, items, nominal, chances), "exact"
        found = _exact_result(study, stops)
    else:
        stops, engine = _simulated_stops(study, items, nominal, (replicates, seed)), "monte_carlo"
        tally = Tally(replicates, round(stops.at.sum()), round(stops.wrong), stops.estimates)
        found, stops = tally.result(study), replace(stops, at=stops.at / replicates)
    return LookPower(replace(found, engine=engine), items, tuple(nominal.tolist()), tuple(stops.at.tolist()))


def _exact_result(study: Study, stops: _Stops) -> PowerResult:
    power, effect = float(stops.at.sum()), study.population.known_effect
    meant = study.test.claim == "difference" and effect != 0.0 and power > 0.0
    signs = (stops.wrong / power, stops.estimates / (power * abs(effect))) if meant else (None, None)
    return from_rates("exact", power, *signs)


# Right or wrong: all paths of wins and losses.


def _chances_of_counts(study: Study) -> tuple[float, float] | None:
    """How likely B alone, and A alone, is right on an item, where a test decides by these counts and there are not too many."""
    chances = study.population.discordant_probabilities()
    if chances is None or not study.population.right_or_wrong:
        return None
    if study.test.needs is not Discordance or study.test.resampling:
        return None
    cells = np.prod([high - low + 1.0 for low, high in (_reach(study.items, chance) for chance in chances)])
    return chances if cells <= MOST_CELLS else None


def _reach(items: int, chance: float) -> tuple[int, int]:
    """The fewest and the most items that happen with this chance."""
    mean, sd = items * chance, np.sqrt(items * chance * (1.0 - chance))
    return max(int(mean - FARTHEST * sd - AT_LEAST), 0), min(int(mean + FARTHEST * sd + AT_LEAST), items)


def _summed_paths(study: Study, items: tuple[int, ...], nominal: FloatArray, chances: tuple[float, float]) -> _Stops:
    paths, (wins, losses) = np.ones((1, 1)), (0, 0)
    at, wrong, estimates = np.zeros(len(items)), 0.0, 0.0
    for look, (seen, level) in enumerate(zip(items, nominal, strict=True)):
        added, (more_wins, more_losses) = _trinomial(seen - (items[look - 1] if look else 0), chances)
        paths = np.maximum(signal.convolve(paths, added), 0.0)
        wins, losses = wins + more_wins, losses + more_losses
        sample = _counts_grid(seen, wins, losses, paths.shape)
        outcome = study.test.apply(sample, stream(0))
        stop = rejects(outcome.pvalue, level) & (sample.both >= 0)
        claimed = np.where(stop, paths, 0.0)
        at[look] = claimed.sum()
        wrong += float(claimed[outcome.direction * study.population.known_effect < 0.0].sum())
        estimates += float((claimed * np.abs(sample.effect)).sum())
        paths = np.where(stop, 0.0, paths)
    return _Stops(at, wrong, estimates)


def _trinomial(items: int, chances: tuple[float, float]) -> tuple[FloatArray, tuple[int, int]]:
    """The law of wins and losses on these items, and where its table begins."""
    (low_w, high_w), (low_l, high_l) = (_reach(items, chance) for chance in chances)
    wins, losses = np.arange(low_w, high_w + 1.0)[:, np.newaxis], np.arange(low_l, high_l + 1.0)
    rest = items - wins - losses
    possible = rest >= 0.0
    ways = special.gammaln(items + 1.0) - sum(special.gammaln(np.maximum(x, 0.0) + 1.0) for x in (wins, losses, rest))
    win, loss = chances
    log = (
        ways + special.xlogy(wins, win) + special.xlogy(losses, loss) + special.xlogy(rest, max(1.0 - win - loss, 0.0))
    )
    return np.where(possible, np.exp(np.where(possible, log, 0.0)), 0.0), (low_w, low_l)


def _counts_grid(items: int, wins: int, losses: int, shape: tuple[int, ...]) -> Discordance:
    """Every table of these items from these wins and losses on; impossible ones have a negative rest."""
    won, lost = np.meshgrid(wins + np.arange(shape[0]), losses + np.arange(shape[1]), indexing="ij")
    return Discordance(items - won - lost, won, lost, np.zeros_like(won))


# Other scores: simulated.


def _simulated_stops(study: Study, items: tuple[int, ...], nominal: FloatArray, effort: tuple[int, int]) -> _Stops:
    replicates, seed = effort
    size = block_size(study)
    at, wrong, estimates = np.zeros(len(items)), 0.0, 0.0
    for block, first in enumerate(range(0, replicates, size)):
        pair = study.population.draw(study.design, min(size, replicates - first), stream(seed, block))
        for look, (seen, level) in enumerate(zip(items, nominal, strict=True)):
            sample: Any = study.test.needs.of(_first_items(pair, seen), study.population.metric)
            outcome = study.test.apply(sample, stream(seed, block, 1 + look))
            stop = rejects(outcome.pvalue, level)
            at[look] += stop.sum()
            wrong += int((stop & (outcome.direction * study.population.known_effect < 0.0)).sum())
            estimates += float(np.abs(sample.effect[stop]).sum())
            pair = replace(pair, a=pair.a[~stop], b=pair.b[~stop])
            if not len(pair.a):
                break
    return _Stops(at, wrong, estimates)


def _first_items(pair: Pair, items: int) -> Pair:
    clusters = None if pair.clusters is None else pair.clusters[:items]
    return replace(pair, a=pair.a[:, :items], b=pair.b[:, :items], clusters=clusters)


# How many items at most.


def most_items(study: Study, schedule: LookSchedule, power: float, effort: tuple[int, int]) -> LookPower:
    """The first number of items at or above the normal theory's at which the test with its looks has the power.

    The study's items are those of a test with one look.
    """
    sides = sides_of(study.test)
    fixed = lan_demets(np.array(schedule.shares), schedule.spending, study.alpha, sides)
    unit = study.population.unit
    units = math.ceil(study.items * fixed.inflation(study.alpha, power) / unit)
    for _ in range(MOST_STEPS):
        found = power_with_looks(study.resized(items=units * unit), schedule, *effort)
        if found.found.power >= power:
            return found
        short = fixed.drift_with_power(power) / fixed.drift_with_power(max(found.found.power, 2.0 * study.alpha))
        # Of counts half the way only: the first number that has the power may lie before.
        share = 0.5 if found.found.engine == "exact" else 1.0
        units += max(1, math.floor(share * units * (short**2 - 1.0)))
    raise Unsuitable(
        f"no number of items up to {units * unit:,} finds this with power {power:g} in {len(schedule.shares)} looks; leave {option('looks')} out"
    )
