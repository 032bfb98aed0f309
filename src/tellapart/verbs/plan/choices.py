"""What `compare` will choose on so many items of a population, seen on draws from it."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tellapart.choosing.paired_sample import PairedSample
from tellapart.choosing.score_profile import ScoreProfile
from tellapart.planning.work import NUMBERS
from tellapart.populations import Population
from tellapart.populations.design import Design
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import Procedure
from tellapart.verbs.plan.chosen import CHOSEN, by_test

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


def choices(population: Population, items: int) -> Choices:
    """What `compare` chooses on 200 evaluations of so many items (fewer of large clusters); the same ones whatever is simulated afterwards."""
    if population.by_raters:
        return Choices(((_by_raters(population, items), 1.0),))
    return _choices(population, min(items, math.ceil(MOST * population.usual_unit)))


def _by_raters(population: Any, items: int) -> Procedure:
    """Of ratings the numbers of raters and items decide, whatever the ratings are."""
    from tellapart.choosing.raters import suited_to_raters  # noqa: PLC0415  (plain scores have no raters)

    return Procedure.parse(
        suited_to_raters(population.raters, items, one_rater_per_item=population.one_rater_per_item)
    )


@lru_cache(maxsize=256)
def _choices(population: Population, items: int) -> Choices:
    looked = min(max(NUMBERS // population.width(object, Design(items)), FEWEST_LOOKED), LOOKED)
    samples = (PairedSample(pair, population.metric) for pair in _drawn(population, items, looked))
    places = by_test([profile for sample in samples for profile in ScoreProfile.each(sample)])
    most_first = sorted(places.items(), key=lambda found: -len(found[1]))
    return Choices(tuple((test, len(which) / looked) for test, which in most_first))


def _drawn(population: Population, items: int, looked: int) -> Iterator[Pair]:
    """The evaluations, in pieces that fit into memory."""
    rng, held = stream(0), max(1, HELD // items)
    for start in range(0, looked, held):
        yield population.draw(items, min(held, looked - start), rng)
