"""A test and an interval on a batch of samples, or what `compare` would choose for each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, FloatArray
from tellapart.distributions.rare_failures import rare_failures
from tellapart.intervals import Interval
from tellapart.metrics.mean import Mean
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import Procedure
from tellapart.summaries import Differences
from tellapart.verbs.choose import Choice, choose
from tellapart.verbs.shape import FEW_STEPS, Shape, are_ratings, discrete_levels, leaning_units

LEVEL = 0.95
"""What is promised of intervals."""


class Alternative(NamedTuple):
    """What is chosen for samples that lean, that show rare failures, whose differences are those of ratings, or several of these."""

    leans: bool
    fails: bool
    coarse: bool
    choice: Choice


@dataclass(frozen=True)
class Judge:
    """A test and an interval, and the shape by which others take their place on samples that lean, show rare failures or are those of ratings, one by one."""

    test: Procedure
    interval: Interval
    shape: Shape | None

    def pvalues(self, pair: Pair, place: tuple[int, int, int]) -> FloatArray:
        found = self.test.apply(self.test.needs.of(pair, Mean()), stream(*place, 3)).pvalue
        for which, other in self._otherwise(pair):
            test = other.test
            found[which] = test.apply(test.needs.of(_some(pair, which), Mean()), stream(*place, 3)).pvalue
        return found

    def bounds(self, pair: Pair, place: tuple[int, int, int]) -> tuple[FloatArray, FloatArray]:
        low, high = self.interval.interval(self.interval.needs.of(pair, Mean()), LEVEL, stream(*place, 4))
        for which, other in self._otherwise(pair):
            interval = other.interval
            sample = interval.needs.of(_some(pair, which), Mean())
            low[which], high[which] = interval.interval(sample, LEVEL, stream(*place, 4))
        return low, high

    def chosen_instead(self, pair: Pair) -> tuple[int, ...]:
        """How many samples each of the alternatives is chosen for."""
        return tuple(int(which.sum()) for which, _ in self._samples(pair))

    def chosen(self, instead: Sequence[int], samples: int) -> dict[tuple[str, str], int]:
        """How many of so many samples each test and interval is chosen for, if each of the alternatives is for so many."""
        found = {(str(self.test), str(self.interval)): samples - sum(instead)}
        for alternative, count in zip(self._alternatives(), instead, strict=True):
            methods = str(alternative.choice.test), str(alternative.choice.interval)
            found[methods] = found.get(methods, 0) + count
        return found

    def _otherwise(self, pair: Pair) -> Iterator[tuple[BoolArray, Choice]]:
        """Samples for which `compare` chooses another test, and that choice."""
        return ((which, choice) for which, choice in self._samples(pair) if which.any())

    def _samples(self, pair: Pair) -> Iterator[tuple[BoolArray, Choice]]:
        if not (alternatives := self._alternatives()):
            return
        differences = Differences.of(pair, Mean())
        shown = (
            leaning_units(differences, pair.clusters).acted_on,
            rare_failures(differences.snapped) > 0,
            self._coarse(differences),
        )
        for *said, choice in alternatives:
            yield np.all([which == one for which, one in zip(shown, said, strict=True)], axis=0), choice

    def _coarse(self, differences: Differences) -> BoolArray:
        if self.shape is None or self.shape.steps is None:
            return np.zeros(differences.values.shape[:-1], dtype=np.bool_)
        steps = np.array([np.inf if few is None else few[1] for few in discrete_levels(differences)])
        return are_ratings(steps, np.count_nonzero(differences.snapped, axis=-1))

    def _alternatives(self) -> list[Alternative]:
        """Those of the shapes that samples differ in whose test is another."""
        if self.shape is None:
            return []
        steps = {False: None} if self.shape.steps is None else {False: FEW_STEPS + 1.0, True: 1.0}
        every = (
            Alternative(
                leans,
                fails,
                coarse,
                choose(replace(self.shape, steps=most, leans=leans, failures=int(fails))),
            )
            for coarse, most in steps.items()
            for fails in (False, True)
            for leans in (False, True)
        )
        return [one for one in every if one.choice.test != self.test]


def _some(pair: Pair, which: BoolArray) -> Pair:
    return Pair(pair.a[which], pair.b[which], pair.clusters)
