"""Calibration on right-or-wrong scores, exact by enumeration of every table."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.answers.calibration import Calibrated
from tellapart.choosing.pairs import ScoreProfile, choose
from tellapart.compute.work import Budget
from tellapart.data.summaries import Discordance, Proportion, SeparateCounts, Summary
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.significance import TESTS, Procedure
from tellapart.numerics.null_laws.discordant import band
from tellapart.numerics.null_laws.proportions import connett_detectable
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.studies.calibration.laws import FEWER_THAN_FIVE, SMALL_COUNTS
from tellapart.studies.calibration.measure import ALPHA, LEVEL, RULES, certain, holds, judged

# Right-or-wrong scores of given accuracy: every table that can come out, with its probability.


@dataclass(frozen=True, eq=False)
class WeightedTables:
    """A batch of tables and the chance of each; the chances add up to one."""

    sample: Summary
    chances: FloatArray

    def rejected(self, test: Procedure) -> float:
        """How often a test rejects."""
        pvalue = test.apply(self.sample, stream(0)).pvalue
        return float(self.chances[rejects(pvalue, ALPHA)].sum())

    def held(self, interval: Interval, effect: float) -> float:
        """How often an interval holds the effect."""
        bounds = interval.interval(self.sample, LEVEL, stream(0))
        return float(self.chances[holds(bounds, effect)].sum())


def one_system(items: int, accuracy: float) -> WeightedTables:
    right = np.arange(items + 1)
    return WeightedTables(Proportion(right, np.full_like(right, items)), _binomial_chances(items, accuracy))


def separate_items(items: tuple[int, int], accuracies: tuple[float, float]) -> WeightedTables:
    """Two systems, each on its own items."""
    a, b = (axis.ravel() for axis in np.meshgrid(*(np.arange(n + 1) for n in items), indexing="ij"))
    chances = np.outer(*(_binomial_chances(n, p) for n, p in zip(items, accuracies, strict=True))).ravel()
    counts = (Proportion(right, np.full_like(right, n)) for right, n in zip((a, b), items, strict=True))
    return WeightedTables(SeparateCounts(*counts), chances)


def same_items(items: int, discordance: float, effect: float, both_right: float) -> WeightedTables:
    """Two systems on the same items, of which a share differs; of the others, a share is right."""
    wins, losses, both, neither = _compositions(items)
    win = 0.5 * (discordance + effect)
    agreed = 1.0 - discordance
    shares = (win, discordance - win, agreed * both_right, agreed * (1.0 - both_right))
    chances = special.gammaln(items + 1.0) + sum(
        special.xlogy(count, share) - special.gammaln(count + 1.0)
        for count, share in zip((wins, losses, both, neither), shares, strict=True)
    )
    return WeightedTables(Discordance(both, wins, losses, neither), np.exp(chances))


def _binomial_chances(items: int, share: float) -> FloatArray:
    right = np.arange(items + 1.0)
    ways = -special.betaln(right + 1.0, items - right + 1.0) - np.log(items + 1.0)
    return np.asarray(np.exp(ways + special.xlogy(right, share) + special.xlog1py(items - right, -share)))


def _compositions(items: int) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Every way to sort items into four kinds."""
    grid = np.meshgrid(*[np.arange(items + 1)] * 3, indexing="ij")
    within = sum(grid) <= items
    first, second, third = (axis[within] for axis in grid)
    return first, second, third, items - first - second - third


ITEMS = (30, 50, 100, 200, 500)
DISCORDANCE = (0.05, 0.1, 0.3, 0.6, 1.0)
"""Shares of items that differ, from hardly any to all."""
ENUMERATED = Budget(engine="exact")


@dataclass(frozen=True)
class Case:
    """A share of items that differ, and who judges them."""

    items: int
    discordance: float
    test: str
    interval: str
    group: str = "right or wrong"
    known: str = ""

    @property
    def effect(self) -> float:
        """The effect that Connett's formula detects with 80 % power, or the largest possible."""
        return connett_detectable(self.items, self.discordance, 0.8, ALPHA) or self.discordance

    def power(self, effect: float) -> float:
        scores = PairedBinary(effect=effect, discordance=self.discordance)
        return power_of(Study(scores, TESTS.parse(self.test), self.items, ALPHA), ENUMERATED).power


def cases() -> Iterator[Case]:
    """The defaults over sizes and shares of items that differ, then one that is not chosen."""
    default = choose(ScoreProfile(100, binary=True))
    for items in ITEMS:
        for share in DISCORDANCE:
            known = FEWER_THAN_FIVE if items * share < 5.0 else ""
            yield Case(items, share, str(default.test), str(default.interval), known=known)
    yield Case(100, 0.05, "mcnemar(variant=exact)", "wald", "not chosen", SMALL_COUNTS)


def enumerated(case: Case) -> Calibrated:
    interval = INTERVALS.parse(case.interval)
    return judged(
        Calibrated(
            case.group, RULES.get(case.group), f"{case.discordance:g} of items differ", case.items, case.test, case.interval, case.effect,
            size=certain(case.power(0.0)),
            coverage=certain(coverage(case.items, case.discordance, case.effect, interval)),
            power=certain(case.power(case.effect)),
            power_against=None,
            verdict="holds",
            why=case.known,
        ),
        case.items,
    )  # fmt: skip


def coverage(items: int, discordance: float, effect: float, interval: Interval) -> float:
    """How often an interval for paired accuracies holds the effect, over all tables that have any chance."""
    counts, chances = band(items, discordance)
    m = np.repeat(counts, counts + 1)
    wins = np.concatenate([np.arange(count + 1) for count in counts])
    win = 0.5 * (1.0 + effect / discordance)
    ways = -special.betaln(wins + 1.0, m - wins + 1.0) - np.log(m + 1.0)
    weight = np.repeat(chances, counts + 1) * np.exp(
        ways + special.xlogy(wins, win) + special.xlogy(m - wins, 1.0 - win)
    )
    zero = np.zeros_like(wins)
    low, high = interval.interval(Discordance(zero, wins, m - wins, items - m), LEVEL, stream(0))
    held = (low - STATISTIC_NOISE <= effect) & (effect <= high + STATISTIC_NOISE)
    return float(weight[held].sum() / weight.sum())
