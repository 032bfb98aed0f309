"""Calibration scenarios: simulated score differences with a known mean, by item, cluster or separate items."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance.judge_regression import Judged
from tellapart.metrics.mean import Mean
from tellapart.metrics.metric import Metric

Draw = Callable[[tuple[int, int], float, Generator], FloatArray]
"""Differences `(replicate, item)` whose true mean is the effect, which is in standard deviations of a difference."""

DETECTED = 2.8
"""Standard errors that a z test at 0.05 finds with 80 % power: the effect at which power is measured."""

EASE = 4
"""How many levels A's scores have, so that few values of the differences are not taken for right and wrong."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Scenario:
    """Items with differences of one kind; `sizes` are those of its clusters.

    `test` and `interval` are left to be chosen unless something that is no default is to be shown. `null` is the effect at
    which the test must not reject: zero, or the margin that it asks about; `aim` the one at which it should, left to be what
    a z test would find. `tail` is the side of the longer tail, 1 or −1, and 0 where both are alike: power is measured for a gain
    on that side, and then for one on the other. `known` says why what is promised is not kept here.
    """

    group: str
    kind: str
    items: int
    draw: Draw
    replicates: int
    sizes: tuple[int, ...] = ()
    design_effect: float = 1.0
    test: str | None = None
    interval: str | None = None
    null: float = 0.0
    aim: float | None = None
    tail: int = 0
    known: str = ""

    @property
    def name(self) -> str:
        return f"{self.kind}, {self.items} items"

    @property
    def metric(self) -> Metric:
        return Mean()

    @property
    def held(self) -> int:
        """Numbers that one evaluation is made of."""
        return self.items

    @property
    def units(self) -> int:
        """How many there are of what varies independently."""
        return len(self.sizes) or self.items

    @property
    def effect(self) -> float:
        """The effect at which power is measured: by default, the one that a z test detects four times in five."""
        return DETECTED * self.standard_error if self.aim is None else self.aim

    @property
    def sides(self) -> tuple[float, ...]:
        """The effects that power is measured at: towards the longer tail and away from it, where one is longer."""
        return (self.tail * self.effect, -self.tail * self.effect) if self.tail else (self.effect,)

    @property
    def standard_error(self) -> float:
        return float(np.sqrt(self.design_effect / self.items))

    @property
    def clusters(self) -> IntArray | None:
        return np.repeat(np.arange(len(self.sizes)), self.sizes) if self.sizes else None

    @property
    def number(self) -> int:
        """The stream number, from its own name, so that other scenarios may come and go."""
        return zlib.crc32(f"{self.group}/{self.name}".encode())

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        """Simulated evaluations with a true effect."""
        differences = self.draw((size, self.items), effect, rng)
        a = np.broadcast_to(np.arange(self.items) % float(EASE), differences.shape)
        b = a + differences
        return Pair(a[..., np.newaxis, np.newaxis], b[..., np.newaxis, np.newaxis], self.clusters)


@dataclass(frozen=True, eq=False, kw_only=True)
class SeparateItems(Scenario):
    """B on `items` items with scores of spread one; A on items of its own, whose scores may vary more or less."""

    items_of_a: int = 1
    spread_of_a: float = 1.0

    @property
    def units(self) -> int:
        return min(self.items, self.items_of_a)

    @property
    def standard_error(self) -> float:
        return float(np.hypot(self.spread_of_a / np.sqrt(self.items_of_a), 1.0 / np.sqrt(self.items)))

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        a = self.spread_of_a * self.draw((size, self.items_of_a), 0.0, rng)
        b = self.draw((size, self.items), effect, rng)
        return Pair(a[..., np.newaxis, np.newaxis], b[..., np.newaxis, np.newaxis])


@dataclass(frozen=True, eq=False, kw_only=True)
class TrainedSystems(Scenario):
    """Both systems trained with `seeds` seeds each (B with `seeds_b`), every one scored on every item.

    `seed_sd` is the spread of a system's trainings, `own_sd` that of one training on one item; that of a difference of items is one. `averaged`
    leaves out which training a score is of.
    """

    seeds: int = 5
    seeds_b: int | None = None
    seed_sd: float = 0.15
    own_sd: float = 0.5
    averaged: bool = False

    @property
    def held(self) -> int:
        return sum(self.seeds_of_each) * self.items

    @property
    def seeds_of_each(self) -> tuple[int, int]:
        return self.seeds, self.seeds_b or self.seeds

    @property
    def units(self) -> int:
        return min(self.seeds, self.items)

    @property
    def standard_error(self) -> float:
        trainings = sum((self.seed_sd**2 + self.own_sd**2 / self.items) / seeds for seeds in self.seeds_of_each)
        return float(np.sqrt(trainings + 1.0 / self.items))

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        a, b = (self._trained_scores(size, seeds, rng) for seeds in self.seeds_of_each)
        b += self.draw((size, self.items), effect, rng)[..., np.newaxis, np.newaxis]
        return Pair(a, b, seed_runs=None if self.averaged else 1)

    def _trained_scores(self, size: int, count: int, rng: Generator) -> FloatArray:
        """Trainings of one system about zero, `(replicate, item, seed, part)`."""
        seeds = self.seed_sd * rng.standard_normal((size, 1, count, 1))
        return np.asarray(seeds + self.own_sd * rng.standard_normal((size, self.items, count, 1)))


@dataclass(frozen=True, eq=False, kw_only=True)
class RepeatedItems(Scenario):
    """Every item run several times by both systems, chance between runs being as large as that between items.

    `as_items` takes every run for an item of its own.
    """

    runs: int = 5
    as_items: bool = False

    @property
    def held(self) -> int:
        return 2 * self.runs * self.items

    @property
    def standard_error(self) -> float:
        return float(np.sqrt((1.0 + 2.0 / self.runs) / self.items))

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        levels = self.draw((size, self.items), effect, rng)[..., np.newaxis]
        a, b = (rng.standard_normal((size, self.items, self.runs)) for _ in "ab")
        b += levels
        shape = (size, -1, 1, 1) if self.as_items else (size, self.items, self.runs, 1)
        return Pair(a.reshape(shape), b.reshape(shape))


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedItems(Scenario):
    """People's labels on `items` items, and a judge on ten times as many, whose differences correlate with theirs by `correlation`."""

    correlation: float = 0.7
    together: int = 1
    """Items of a cluster, whose differences, and whose judge's errors, have intraclass correlation .4 where there are several."""

    @property
    def judged(self) -> int:
        return 10 * self.items

    @property
    def held(self) -> int:
        return 2 * self.judged

    @property
    def units(self) -> int:
        return self.items // self.together

    @property
    def standard_error(self) -> float:
        shared, more = self.correlation**2, 1.0 + 0.4 * (self.together - 1)
        return float(np.sqrt(more * ((1.0 - shared) / self.items + shared / self.judged)))

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        everyone = self._in_clusters(self.draw((size, self.judged), 0.0, rng), rng) + effect
        noise = self._in_clusters(rng.standard_normal(everyone.shape), rng)
        judge = everyone + np.sqrt(1.0 / self.correlation**2 - 1.0) * noise
        clusters = None if self.together == 1 else np.arange(self.judged) // self.together
        return Judged(everyone[:, : self.items], judge, np.arange(self.items), clusters)

    def _in_clusters(self, values: FloatArray, rng: Generator) -> FloatArray:
        if self.together == 1:
            return values
        shared = rng.standard_normal((len(values), self.judged // self.together))
        return np.asarray(np.sqrt(0.6) * values + np.sqrt(0.4) * np.repeat(shared, self.together, axis=1))


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedAnswers(JudgedItems):
    """Right or wrong answers that `differ` on a share of items, and a judge that is `right` on a share of answers.

    A judge `kinder` to B calls that share of its wrong answers right.
    """

    differ: float
    right: float
    kinder: float = 0.0

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        shares = [(self.differ - effect) / 2.0, 1.0 - self.differ, (self.differ + effect) / 2.0]
        human = rng.choice(np.array([-1.0, 0.0, 1.0]), (size, self.judged), p=shares)
        a = np.where(human == 0.0, rng.random(human.shape) < 0.6, human < 0.0)
        seen = [np.where(rng.random(human.shape) < self.right, one, 1.0 - one) for one in (a, a + human)]
        seen[1] = np.where(rng.random(human.shape) < self.kinder, 1.0, seen[1])
        return Judged(human[:, : self.items], seen[1] - seen[0], np.arange(self.items), step=1.0)
