"""Right-or-wrong scores: every table with its probability, so that nothing is left to chance."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy import special

from tellapart.arrays import STATISTIC_NOISE
from tellapart.calibration.grid import FEWER_THAN_FIVE, SMALL_COUNTS
from tellapart.calibration.judge import LEVEL
from tellapart.calibration.measure import ALPHA, RULES, certain, judged
from tellapart.choosing.pairs import choose
from tellapart.choosing.score_profile import ScoreProfile
from tellapart.distributions.discordant import band
from tellapart.distributions.proportion_power import connett_detectable
from tellapart.intervals import INTERVALS, Interval
from tellapart.planning.budget import Budget
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.results.calibration import Calibrated
from tellapart.seeds import stream
from tellapart.significance import TESTS
from tellapart.summaries import Discordance

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
        """What Connett's formula finds with 80 % power, or the largest there is."""
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
