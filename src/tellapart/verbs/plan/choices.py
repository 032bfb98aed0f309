"""What `compare` will choose on so many items of a population, seen on draws from it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tellapart.arrays import STATISTIC_NOISE
from tellapart.populations import Population
from tellapart.populations.design import Design
from tellapart.populations.from_a_file import as_pilot
from tellapart.populations.noise import Draw, Noise
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import Procedure
from tellapart.verbs.plan.chosen import CHOSEN, by_test
from tellapart.verbs.sampled import Sampled
from tellapart.verbs.shape import Shape

if TYPE_CHECKING:
    from tellapart.populations.pilot import Pilot

LOOKED = 200
"""Evaluations drawn to see what is chosen."""
GLANCED = 10
"""Evaluations drawn where a test was named and nothing depends on what would be chosen."""
AGREED = 0.95
"""The share of them from which on one test stands for all."""
QUICK, MOST = 1_000, 25_000
"""Items in each at a first look, and at a second where the first leaves a choice open: what a larger evaluation is like
follows from these, and a plan by formula stays as fast as one."""
DISTINCT = 0.8
"""The share of a pilot's differences that are of a size of their own from which on scores are no steps of a scale: of ratings far
fewer are, and four decimals make one in a hundred items repeat another."""
FEWEST_CLUSTERS = 20
"""In each, if there are so many: from fewer, how their sums lean is not seen."""
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
    from tellapart.significance.suited_to_raters import suited_to_raters  # noqa: PLC0415  (plain scores have no raters)

    return Procedure.parse(
        suited_to_raters(population.raters, items, one_rater_per_item=population.one_rater_per_item)
    )


def _choices(population: Population, items: int, most: int) -> Choices:
    places = _by_test(population, items, most, LOOKED)
    most_first = sorted(places.items(), key=lambda found: -len(found[1]))
    return Choices(tuple((test, len(which) / LOOKED) for test, which in most_first))


def _by_test(population: Population, items: int, most: int, evaluations: int) -> dict[Procedure, list[int]]:
    """Which of so many evaluations each test is chosen on.

    A pilot's items come again and again in a larger evaluation, and scores that differ from item to item then look as if they lay
    on a few steps; new items will not repeat, so where all would get one test without that, it is the one.
    """
    shapes = list(_shapes(population, items, most, evaluations))
    pilot = as_pilot(population)
    if pilot is not None and _hardly_repeats(pilot):
        fresh = by_test([replace(shape, levels=None, steps=None) for shape in shapes])
        if max(map(len, fresh.values())) >= AGREED * evaluations:
            return fresh
    return by_test(shapes)


def _hardly_repeats(pilot: "Pilot") -> bool:
    """Whether nearly every item of a pilot on which the systems differ does so by an amount of its own."""
    sizes = np.abs(pilot.differences)
    differing = sizes[sizes > STATISTIC_NOISE * sizes.max(initial=0.0)]
    return len(np.unique(differing)) >= DISTINCT * len(differing) > 0


def _shapes(population: Population, items: int, most: int, evaluations: int) -> Iterator[Shape]:
    looked = min(items, max(most // population.unit, FEWEST_CLUSTERS) * population.unit)
    for drawn in _drawn(population, looked, evaluations):
        for shape in Shape.each(Sampled(drawn, population.metric)):
            yield shape if looked == items else shape.at(items, _clusters(population, shape, items))


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


def _clusters(population: Population, look: Shape, items: int) -> int | None:
    """In how many clusters so many items come, the last one cut where they do not fill it."""
    if look.clusters is None:
        return None
    clusters, filled = (look.clusters, look.items) if as_pilot(population) else (1, population.unit)
    return -(-items * clusters // filled)
