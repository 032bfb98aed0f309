"""Detectable effect and required items of a bootstrap comparison, from its resamples or from counts."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tellapart.answers.comparison import Detectable
from tellapart.answers.parts import IntervalResult, Note
from tellapart.compute import Runner
from tellapart.compute.work import Budget, EngineName
from tellapart.data.summaries import Discordance, SeparateCounts
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import TellapartError
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.margins import Equivalence, NonInferiority
from tellapart.numerics.null_laws.noncentral_t import equivalence_items, equivalence_power, t_items, t_power
from tellapart.numerics.null_laws.proportions import connett_detectable, connett_items, two_proportion_power
from tellapart.numerics.roots import increasing_root
from tellapart.planning.exact import counted_rejections
from tellapart.planning.solve import solve
from tellapart.planning.solved_axes import MOST_ITEMS, EffectAxis, ItemsAxis
from tellapart.planning.study import Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.population import FEWEST, Population
from tellapart.verbs.compare.analysis import Analysis, deciding_bootstrap
from tellapart.verbs.compare.methods import Found, on_sides

# The smallest effect that a test of right-or-wrong scores finds, by the engines of `plan`.

MOST_ENUMERATED = 5_000
"""Items up to which every table is summed; beyond, the normal approximation is within 1e-3 of that and takes no time."""


def effect_by_counts(analysis: Analysis, test: Procedure, power: float) -> Detectable | Note | None:
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


# How many items a test needs, by the engines of `plan`.


def items_by_counts(analysis: Analysis, test: Procedure, size: float, power: float) -> float | None:
    """Items on which a test that counts wins and losses finds an effect of this size; None where no number does."""
    sample: Discordance = analysis.summary(Discordance)
    side, lift = -1.0 if test.alternative == "less" else 1.0, size / sample.step
    population = PairedBinary(discordance=max(float(sample.share), lift), effect=side * lift)
    return _of_wins(population, test, analysis.alpha, power)


def _of_wins(population: PairedBinary, test: Procedure, alpha: float, power: float) -> float | None:
    share = sum(population.discordant_probabilities())
    about = float(connett_items(share, population.known_effect, power, alpha, test.alternative))
    return about if about > MOST_ENUMERATED else _items(population, test, alpha, power)


def shares_within_margin(analysis: Analysis, test: Equivalence | NonInferiority, power: float) -> float | None:
    """Items on which the margin is shown if systems are equal and differ on as many items as was seen."""
    sample: Discordance = analysis.summary(Discordance)
    share = float(sample.share)
    if not share > 0.0:
        return None
    margin, sd = test.known_margin / sample.step, math.sqrt(share)
    if isinstance(test, Equivalence):
        about = equivalence_items(margin, sd, power, analysis.alpha)
    else:
        about = float(t_items(margin, sd, power, analysis.alpha, "greater")[1])
    if about > MOST_ENUMERATED:
        return about
    in_shares = test.replace(margin=margin)
    return _items(PairedBinary(discordance=share, effect=0.0), in_shares, analysis.alpha, power)


def _items(population: Population, test: Procedure, alpha: float, power: float) -> float | None:
    try:
        return float(solve(ItemsAxis(Study(population, test, FEWEST, alpha), power, Budget(), Runner(1))).items)
    except TellapartError:  # more than anybody evaluates
        return None


# Right or wrong answers of two systems on items of their own: what they detect, and how many more would, by
# every pair of counts.
# The share of right answers among all that were given is held as it was seen; more items are split between
# the systems as these are.

EDGE = 1e-9
"""How near to the largest possible effect one is looked for."""


@dataclass(frozen=True)
class Split:
    """How many items each system has, the share of all answers that are right, and on which side of A an effect puts B."""

    items: tuple[int, int]
    right: float
    side: float

    @property
    def most(self) -> float:
        """The largest effect with that share of right answers."""
        (a, b), up = self._shares, (self.side > 0.0)
        room_a, room_b = (self.right, 1.0 - self.right) if up else (1.0 - self.right, self.right)
        return min(room_a / b if b else np.inf, room_b / a if a else np.inf)

    def accuracies(self, effect: float) -> tuple[float, float]:
        """Those that differ by this effect."""
        a, b = self._shares
        apart = self.right - self.side * effect * b, self.right + self.side * effect * a
        return min(max(apart[0], 0.0), 1.0), min(max(apart[1], 0.0), 1.0)

    @property
    def _shares(self) -> tuple[float, float]:
        a, b = self.items
        return a / (a + b), b / (a + b)

    def power(self, test: Procedure, alpha: float, effect: float) -> float:
        """Of claims on this side: summed over every pair of counts, or of very many items by the normal law."""
        accuracies = self.accuracies(effect)
        if self.enumerated and (found := counted_rejections(test, alpha, self.items, accuracies)) is not None:
            return float(found.upper if self.side > 0.0 else found.lower)
        return float(two_proportion_power(self.items, *accuracies, alpha, test.alternative))

    def power_within(self, test: Equivalence | NonInferiority, alpha: float) -> float:
        """Of showing a margin of accuracies where there is no effect."""
        accuracies = self.right, self.right
        if self.enumerated and (found := counted_rejections(test, alpha, self.items, accuracies)) is not None:
            return float(found.power)
        error = math.sqrt(self.right * (1.0 - self.right) * sum(1.0 / n for n in self.items))
        if isinstance(test, NonInferiority):
            return float(t_power(test.known_margin / error, math.inf, alpha, "greater"))
        return float(equivalence_power(0.0, test.known_margin / error, math.inf, alpha))

    @property
    def enumerated(self) -> bool:
        return sum(self.items) <= MOST_ENUMERATED

    def grown(self, items: int) -> "Split":
        """The sample with this many items in all."""
        of_a = min(max(round(items * self._shares[0]), 1), items - 1)
        return Split((of_a, items - of_a), self.right, self.side)


def detectable_apart(analysis: Analysis, test: Procedure, power: float) -> tuple[Found, ...]:
    """The smallest effect that is found, on each side that is tested."""
    step = analysis.summary(SeparateCounts).step

    def on_side(split: Split) -> Found:
        def short(size: FloatArray) -> FloatArray:
            return np.asarray(split.power(test, analysis.alpha, float(size)) - power)

        most = split.most * (1.0 - EDGE)
        if not most > 0.0 or float(short(np.asarray(most))) < 0.0:
            return none_detectable(analysis, test, step * most, power)
        effect = float(increasing_root(short, np.asarray(0.0), np.asarray(most)))
        return Detectable(step * effect, power, "accuracy", "exact" if split.enumerated else "formula")

    return on_sides(*map(on_side, _splits(analysis, test)))


def items_apart(analysis: Analysis, test: Procedure, size: float, power: float) -> float | None:
    """Items of both systems together that find an effect of this size on whichever side takes more; None where no number does."""
    lift = size / analysis.summary(SeparateCounts).step
    splits = [split for split in _splits(analysis, test) if lift < split.most]

    def fewest(split: Split) -> float | None:
        return _fewest(lambda items: split.grown(items).power(test, analysis.alpha, lift) >= power)

    found = [fewest(split) for split in splits]
    return None if not found or None in found else max(one for one in found if one is not None)


def items_apart_within(analysis: Analysis, test: Equivalence | NonInferiority, power: float) -> float | None:
    """The items needed to show a margin if both systems have equal accuracy; None where all answers are right, or wrong."""
    in_shares = test.replace(margin=test.known_margin / analysis.summary(SeparateCounts).step)
    split = _splits(analysis, in_shares.test)[0]
    if not 0.0 < split.right < 1.0:
        return None
    return _fewest(lambda items: split.grown(items).power_within(in_shares, analysis.alpha) >= power)


def _splits(analysis: Analysis, test: Procedure) -> tuple[Split, ...]:
    sample: SeparateCounts = analysis.summary(SeparateCounts)
    right = float(sample.a.successes + sample.b.successes) / float(sample.items)
    sides = {"greater": (1.0,), "less": (-1.0,)}.get(test.alternative, (1.0, -1.0))
    return tuple(Split(analysis.items_of_each, right, side) for side in sides)


def _fewest(reached: Callable[[int], bool]) -> float | None:
    """A number that is enough where one less is not; None where none is."""
    low, high = 3, 4
    while not reached(high):
        low, high = high, 2 * high
        if high > MOST_ITEMS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return float(high)


def detectable_by_resamples(analysis: Analysis, test: Procedure, power: float) -> tuple[Found, ...]:
    """The smallest effect that is found, on each side that is tested."""
    found = (
        Detectable(effect, power, None, "bootstrap") if math.isfinite(effect) else None
        for effect in _sought(_least(analysis, test, _bounds(analysis, test), power), test)
    )
    return on_sides(*found)


def items_for_effect(analysis: Analysis, test: Procedure, size: float, power: float) -> float | None:
    """Items that find an effect of this size on whichever side takes more; None where these resamples do not tell."""
    least = max(_sought(_least(analysis, test, _bounds(analysis, test), power), test))
    return _grown(analysis, least, size)


def items_for_margin(analysis: Analysis, test: Equivalence | NonInferiority, power: float) -> float | None:
    """Items that exclude the margin, on both sides for equivalence, if systems are equal."""
    # Both sides at once are shown at least as often as each is short of it together.
    each = (1.0 + power) / 2.0 if isinstance(test, Equivalence) else power
    above, below = _least(analysis, test.test, analysis.margin_interval, each)
    if isinstance(test, Equivalence):
        return _grown(analysis, max(above, below), test.known_margin)
    return _grown(analysis, below if test.alternative == "less" else above, test.known_margin)


def _bounds(analysis: Analysis, test: Procedure) -> IntervalResult:
    return analysis.two_sided_interval if test.alternative == "two-sided" else analysis.margin_interval


def _least(analysis: Analysis, test: Procedure, bounds: IntervalResult, power: float) -> tuple[float, float]:
    """The effects above and below zero that the interval would leave zero out for; endless where it is unbounded, or nothing varies."""
    bootstrap = deciding_bootstrap(test)
    assert bootstrap is not None
    error = analysis.resampled_error(bootstrap)
    if not error > 0.0:
        return math.inf, math.inf
    if math.isinf(bounds.low) or math.isinf(bounds.high):
        return math.inf, math.inf
    critical = (analysis.effect - bounds.low) / error, (bounds.high - analysis.effect) / error
    return analysis.least_found(bootstrap, critical, power)


def _sought(effects: tuple[float, float], test: Procedure) -> tuple[float, ...]:
    above, below = effects
    return {"greater": (above,), "less": (below,)}.get(test.alternative, (above, below))


def _grown(analysis: Analysis, least: float, size: float) -> float | None:
    """The needed items: the detectable effect falls with the root of their number, or faster, as skewness falls too."""
    return analysis.items * (least / size) ** 2 if math.isfinite(least) else None
