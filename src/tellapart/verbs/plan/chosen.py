"""The test that `compare` chooses on each simulated evaluation by itself, as it will on the real one."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.choosing.paired_sample import PairedSample
from tellapart.choosing.pairs import choose
from tellapart.choosing.score_profile import ScoreProfile
from tellapart.results.plan import PlanRow
from tellapart.scores import Pair
from tellapart.seeds import Generator
from tellapart.significance import Procedure
from tellapart.significance.procedure import Outcome
from tellapart.summaries import Summary


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
        places = by_test(ScoreProfile.each(sample.sample))
        count = sum(map(len, places.values()))
        pvalue, statistic, direction, error = (np.empty(count) for _ in range(4))
        for test, which in places.items():
            found = test.apply(sample.sample.entries(which).sample(test), rng)
            pvalue[which], statistic[which] = found.pvalue, found.statistic
            direction[which], error[which] = found.direction, found.error
        return Outcome(pvalue, statistic, direction, error, "chosen by the scores")


CHOSEN = Chosen()


def test_of(row: PlanRow) -> Procedure:
    """The test that a row is planned for."""
    return CHOSEN if row.test == str(CHOSEN) else Procedure.parse(row.test)


def by_test(profiles: list[ScoreProfile]) -> dict[Procedure, list[int]]:
    """Which of these samples each test is chosen on."""
    places: dict[Procedure, list[int]] = {}
    for place, profile in enumerate(profiles):
        places.setdefault(choose(profile).test, []).append(place)
    return places
