"""What `compare` chooses for each sample of a batch, or one test and interval for all of them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.choosing.paired_sample import PairedSample
from tellapart.choosing.pairs import choose
from tellapart.choosing.score_profile import ScoreProfile
from tellapart.intervals import INTERVALS, Interval
from tellapart.metrics.metric import Metric
from tellapart.seeds import stream
from tellapart.significance import TESTS, Procedure

LEVEL = 0.95
"""What is promised of intervals."""

Place = tuple[int, int, int]
"""What the random streams of a block are numbered by."""


class Methods(NamedTuple):
    """A test and an interval."""

    test: Procedure
    interval: Interval

    @classmethod
    def named(cls, test: str, interval: str) -> "Methods":
        return cls(TESTS.parse(test), INTERVALS.parse(interval))

    @classmethod
    def chosen_for(cls, profile: ScoreProfile) -> "Methods":
        choice = choose(profile)
        return cls(choice.test, choice.interval)

    @property
    def spelled(self) -> tuple[str, str]:
        return str(self.test), str(self.interval)


@dataclass(frozen=True, eq=False)
class JudgedBatch:
    """Some samples, and which of them each of the possible methods judges."""

    sample: PairedSample
    groups: tuple[tuple[Methods, list[int]], ...]

    @property
    def counts(self) -> tuple[int, ...]:
        """How many samples each of the methods judges; of the only ones nothing is counted."""
        return () if len(self.groups) == 1 else tuple(len(which) for _, which in self.groups)

    def pvalues(self, place: Place) -> FloatArray:
        def pvalue(methods: Methods, part: PairedSample) -> tuple[FloatArray, ...]:
            return (methods.test.apply(part.sample(methods.test), stream(*place, 3)).pvalue,)

        (found,) = self._by_group(pvalue)
        return found

    def bounds(self, place: Place) -> tuple[FloatArray, FloatArray]:
        def bounds(methods: Methods, part: PairedSample) -> tuple[FloatArray, ...]:
            return methods.interval.interval(part.sample(methods.interval), LEVEL, stream(*place, 3))

        low, high = self._by_group(bounds)
        return low, high

    def _by_group(self, judge: Callable[[Methods, PairedSample], tuple[FloatArray, ...]]) -> list[FloatArray]:
        """What the methods of each group make of its samples, in the order of the batch."""
        if len(self.groups) == 1:
            return list(judge(self.groups[0][0], self.sample))
        groups = [(methods, which) for methods, which in self.groups if which]
        order = np.argsort(np.concatenate([which for _, which in groups]))
        found = [judge(methods, self.sample.entries(which)) for methods, which in groups]
        return [np.concatenate(parts)[order] for parts in zip(*found, strict=True)]


@dataclass(frozen=True)
class Judge:
    """Gives each sample to the methods that `compare` chooses for it, or all to the only ones there are."""

    metric: Metric
    possible: tuple[Methods, ...]

    @classmethod
    def choosing(cls, look: PairedSample) -> "Judge":
        """Among what may be chosen for samples like this one, which differ in how skewed they are, and in whether they vary."""
        (profile,) = ScoreProfile.each(look)
        alike = (
            replace(profile, skewness=skewness, constant=constant)
            for constant in (False, True)
            for skewness in (0.0, np.inf)
        )
        return cls(look.metric, tuple(dict.fromkeys(map(Methods.chosen_for, alike))))

    def batch(self, scores: Any) -> JudgedBatch:
        sample = PairedSample(scores, self.metric)
        if len(self.possible) == 1:
            return JudgedBatch(sample, ((self.possible[0], []),))
        of: dict[Procedure, list[int]] = {methods.test: [] for methods in self.possible}
        for number, profile in enumerate(ScoreProfile.each(sample)):
            of[choose(profile).test].append(number)
        return JudgedBatch(sample, tuple((methods, of[methods.test]) for methods in self.possible))
