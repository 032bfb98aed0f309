"""What `compare` will choose on so many items of a population, seen on draws from it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from tellapart.choosing.paired_sample import PairedSample
from tellapart.choosing.score_profile import ScoreProfile
from tellapart.populations import Population
from tellapart.populations.design import Design
from tellapart.populations.noise import Draw, Noise
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import Procedure
from tellapart.verbs.plan.chosen import CHOSEN, by_test

LOOKED = 200
"""Evaluations drawn to see what is chosen."""
GLANCED = 10
"""Evaluations drawn where a test was named and nothing depends on what would be chosen."""
AGREED = 0.95
"""The share of them from which on one test stands for all."""
QUICK, MOST = 1_000, 25_000
"""Items in each at a first look, and at a second where the first leaves a choice open: what a larger evaluation is like
follows from these, and a plan by formula stays as fast as one."""
FEWEST_CLUSTERS = 20
"""In each, if there are so many: fewer have tests of their own."""
NUMBERS = 1 << 21
"""Scores held at once."""


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


@lru_cache(maxsize=256)
def choices(population: Population, items: int) -> Choices:
    """What `compare` chooses on 200 evaluations of so many items; the same ones whatever is simulated afterwards."""
    if population.by_raters:
        return Choices(((_by_raters(population, items), 1.0),))
    quick = _choices(population, items, QUICK)
    return quick if items <= QUICK or len(quick.shares) == 1 else _choices(population, items, MOST)


@lru_cache(maxsize=256)
def surely_chosen(population: Population, items: int) -> Procedure | None:
    """What `compare` chooses on each of a few evaluations, seen at a glance; None where they differ."""
    if population.by_raters:
        return _by_raters(population, items)
    places = _by_test(population, items, QUICK, GLANCED)
    return next(iter(places)) if len(places) == 1 else None


def _by_raters(population: Any, items: int) -> Procedure:
    """Of ratings the numbers of raters and items decide, whatever the ratings are."""
    from tellapart.choosing.raters import suited_to_raters  # noqa: PLC0415  (plain scores have no raters)

    return Procedure.parse(
        suited_to_raters(population.raters, items, one_rater_per_item=population.one_rater_per_item)
    )


def _choices(population: Population, items: int, most: int) -> Choices:
    places = _by_test(population, items, most, LOOKED)
    most_first = sorted(places.items(), key=lambda found: -len(found[1]))
    return Choices(tuple((test, len(which) / LOOKED) for test, which in most_first))


def _by_test(population: Population, items: int, most: int, evaluations: int) -> dict[Procedure, list[int]]:
    """Which of so many evaluations each test is chosen on, by what `compare` looks at."""
    looked = min(items, max(most // population.unit, FEWEST_CLUSTERS) * population.unit)
    drawn = _drawn(population, looked, evaluations)
    return by_test(
        [one for pair in drawn for one in ScoreProfile.each(PairedSample(pair, population.metric))]
    )


def _drawn(population: Population, items: int, evaluations: int) -> Iterator[Pair]:
    """The evaluations, in pieces that fit into memory; a glance at each of a grid, or at other effects, shares its random numbers."""
    rng, held = stream(0), max(1, NUMBERS // items)
    if evaluations <= held and (evaluations <= GLANCED or items <= QUICK):
        yield population.scores(_noise(population.draws(Design.of(items)), evaluations))
        return
    for start in range(0, evaluations, held):
        yield population.draw(items, min(held, evaluations - start), rng)


@lru_cache(maxsize=2)
def _noise(draws: tuple[Draw, ...], evaluations: int) -> Noise:
    return Noise.drawn(draws, evaluations, stream(0))
