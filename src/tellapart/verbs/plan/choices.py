"""The tests that `compare` would choose on a planned evaluation, and how often, from simulated draws."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import numpy as np

from tellapart.answers.plan import PlanRow
from tellapart.choosing.pairs import ScoreProfile, choose, suited_to_raters
from tellapart.data.pair import Pair
from tellapart.data.paired_sample import PairedSample
from tellapart.data.summaries import Summary
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator, stream
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.procedure import Outcome
from tellapart.planning.study import NUMBERS
from tellapart.populations import Population
from tellapart.populations.population import Design

# The test that `compare` chooses on each simulated evaluation by itself, as it will on the real one.


@dataclass(frozen=True, eq=False)
class Evaluations(Summary):
    """Simulated evaluations as `compare` is given one: what a test looks at is made once it is chosen."""

    sample: PairedSample

    @classmethod
    def of(cls, sample: Pair, metric: Any) -> Self:
        return cls(PairedSample(sample, metric))

    @property
    def items(self) -> int:
        return self.sample.parts.items

    @property
    def effect(self) -> FloatArray:
        return self.sample.parts.effect


@dataclass(frozen=True)
class Chosen(Procedure):
    """Whatever suits the scores: not one test but the choice between several, made anew on each evaluation."""

    needs = Evaluations
    label = "the test that compare chooses"
    resampling = True
    name = "chosen"

    def apply(self, sample: Evaluations, rng: Generator) -> Outcome:
        places = group_by_test(ScoreProfile.each(sample.sample))
        count = sum(map(len, places.values()))
        pvalue, statistic, direction, error = (np.empty(count) for _ in range(4))
        for test, which in places.items():
            found = test.apply(sample.sample.entries(which).sample(test), rng)
            pvalue[which], statistic[which] = found.pvalue, found.statistic
            direction[which], error[which] = found.direction, found.error
        return Outcome(pvalue, statistic, direction, error, "chosen by the scores")


CHOSEN = Chosen()


def planned_test(row: PlanRow) -> Procedure:
    """The test that a row is planned for."""
    return CHOSEN if row.test == str(CHOSEN) else Procedure.parse(row.test)


def group_by_test(profiles: list[ScoreProfile]) -> dict[Procedure, list[int]]:
    """Which of these samples each test is chosen on."""
    places: dict[Procedure, list[int]] = {}
    for place, profile in enumerate(profiles):
        places.setdefault(choose(profile).test, []).append(place)
    return places


LOOKED = 200
"""Evaluations drawn to see what is chosen."""
FEWEST_LOOKED = 20
"""The same where each takes so many numbers, as large clusters do, that a plan could not simulate 200."""
AGREED = 0.95
"""The share of them from which on one test stands for all, so that a formula can answer: a second opinion on the few others
takes less than a point of power."""
MOST = 2_000
"""Items, or clusters of them, in each: skewness that so many do not show changes no power, and a plan by formula stays fast."""
HELD = 1 << 18
"""Scores of each system held at once."""


@dataclass(frozen=True)
class Choices:
    """The tests that `compare` chooses between, each with the share of evaluations, the most frequent first."""

    shares: tuple[tuple[Procedure, float], ...]

    @property
    def test(self) -> Procedure:
        """The one that nearly all evaluations get; where there is none, the choice itself."""
        test, share = self.shares[0]
        return test if share >= AGREED else CHOSEN

    @property
    def spelled(self) -> dict[str, float]:
        return {str(test): share for test, share in self.shares}


RIGHT_OR_WRONG = Choices(((choose(ScoreProfile(MOST, binary=True)).test, 1.0),))
"""Of right or wrong scores one test suits any number of items."""


def choices(population: Population, items: int) -> Choices:
    """What `compare` chooses on 200 evaluations of so many items (fewer of large clusters); the same ones whatever is simulated afterwards."""
    if population.by_raters:
        return Choices(((_by_raters(population, items), 1.0),))
    if population.right_or_wrong:
        return RIGHT_OR_WRONG
    if population.one_test:
        return Choices(((Procedure.parse(population.test), 1.0),))
    return _drawn_choices(population.standardised, min(items, math.ceil(MOST * population.usual_unit)))


def _by_raters(population: Any, items: int) -> Procedure:
    """Of ratings the numbers of raters and items decide, whatever the ratings are."""
    return Procedure.parse(suited_to_raters(population.raters, items, one_rater_per_item=population.one_rater_per_item))


@lru_cache(maxsize=256)
def _drawn_choices(population: Population, items: int) -> Choices:
    looked = min(max(NUMBERS // population.width(object, Design(items)), FEWEST_LOOKED), LOOKED)
    samples = (PairedSample(pair, population.metric) for pair in _drawn_evaluations(population, items, looked))
    places = group_by_test([profile for sample in samples for profile in ScoreProfile.each(sample)])
    most_first = sorted(places.items(), key=lambda found: -len(found[1]))
    return Choices(tuple((test, len(which) / looked) for test, which in most_first))


def _drawn_evaluations(population: Population, items: int, looked: int) -> Iterator[Pair]:
    """The evaluations, in pieces that fit into memory."""
    rng, held = stream(0), max(1, HELD // items)
    for start in range(0, looked, held):
        yield population.draw(items, min(held, looked - start), rng)
