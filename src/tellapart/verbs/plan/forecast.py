"""How long a plan will take, from the first blocks of its simulation, and what would be quicker."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from tellapart.planning.budget import Budget
from tellapart.planning.study import Study
from tellapart.populations.from_a_file import as_pilot
from tellapart.results.forecast import Forecast, Quicker
from tellapart.significance import Procedure
from tellapart.significance.margins import Margin
from tellapart.verbs.plan.ask import Ask
from tellapart.verbs.plan.question import PlanQuestion
from tellapart.workers import hands_of

LONG = 60.0
"""Seconds from which on a plan says how long it takes."""
LOOKED = 3.0
"""Seconds of a simulation that say how long the rest takes."""
SILENT = 20.0
"""Seconds that may pass before the first block is back: where it would take longer, single evaluations are timed instead."""
TRIAL = 64
"""Evaluations that are timed together: what a test does exactly for one of them, or for a dozen, it may not afford for each of many."""
FEW_NUMBERS = 1 << 12
"""Items in the first ones together: of few items all are timed at once, and a single evaluation of very many may take seconds."""
FARTHER = 1.5
"""So many times as many items as were looked at make another look."""
PATIENT = 20.0
"""Seconds that they may take at the most, by what the first few took: where it would be more, those have to do."""
FEWER = 10
"""Of how many replicates one is left where fewer are offered."""
FEWEST = 100
"""Replicates below which power is known to no better than a tenth."""


class ReplicatesAhead(Protocol):
    """How many replicates no store has, and how many of them are computed."""

    missing: int
    computed: int


@dataclass(eq=False)
class Forecaster:
    """Hears what is simulated and how far it is, and says once how long all that is asked will take, if that is long."""

    asks: list[Ask]
    question: PlanQuestion
    said: bool = field(default=False, init=False)
    looked: dict[Procedure, int] = field(default_factory=dict, init=False)
    """By test, at how many items single evaluations were timed and found short."""

    def begin(self, studies: Sequence[Study], budget: Budget, course: ReplicatesAhead) -> None:
        self.studies, self.budget, self.began, self.blocks = studies, budget, time.perf_counter(), 0
        self.course, self.before, self.heard = course, 0, 0
        if not self.said and course.missing:
            self._look(max(studies, key=lambda study: (study.test.resampling, study.items)))

    def advance(self, done: int, total: int) -> None:
        if self.question.progress is not None:
            self.question.progress(done, total)
        if self.course.computed == self.heard:
            return  # from a store, in no time
        self.heard = self.course.computed
        self.blocks += 1
        if self.blocks == 1 and hands_of(self.question.executor).kind != "threads":
            # Processes and clusters take seconds to start: only what comes then is work.
            self.began, self.before = time.perf_counter(), self.heard
            return
        spent = time.perf_counter() - self.began
        # The first blocks are back when as many more are nearly done.
        even = self.blocks > self.threads or done == total or spent >= SILENT
        if not self.said and spent >= LOOKED and even:
            self._say(spent * self.course.missing / (self.heard - self.before))

    @property
    def threads(self) -> int:
        return max(1, hands_of(self.question.executor).number)

    def _look(self, study: Study) -> None:
        """Before the first block, at single evaluations, where it alone would be waited for in silence."""
        from tellapart.planning.monte_carlo import block_size  # noqa: PLC0415  (a plan by formula is never timed)

        if study.items < FARTHER * self.looked.get(study.test, 0):
            return
        self.looked[study.test] = study.items
        block = min(block_size(study), self.budget.replicates)
        each = per_evaluation(study, SILENT / block)
        if each * block > SILENT:
            self._say(each * self.course.missing / self.threads)

    def _say(self, seconds: float) -> None:
        """What one round of simulations takes, times how many there will be."""
        worst = slowest(self.studies)
        seconds *= self._rounds(worst)
        if seconds >= LONG:
            self.said = True
            ways = (*self._plainer(worst, seconds), *self._fewer_replicates(seconds))
            self.question.forecast(
                Forecast(seconds, str(worst.test), worst.items, self.budget.replicates, ways)
            )

    def _rounds(self, under_way: Study) -> float:
        from tellapart.verbs.plan.rounds import rounds  # noqa: PLC0415  (as above)

        return rounds(self.asks, under_way, self.question)

    def _plainer(self, worst: Study, seconds: float) -> Iterator[Quicker]:
        test = plain_test(worst)
        if test == worst.test:
            return
        plain = Study(worst.population, test, worst.design, worst.alpha)
        times = (
            self.question.effort(plain).replicates * len(self.studies) * self._rounds(worst) / self.threads
        )
        if (quicker := times * per_evaluation(plain)) <= seconds / 2.0:
            yield Quicker("test", str(test), quicker)

    def _fewer_replicates(self, seconds: float) -> Iterator[Quicker]:
        fewer = self.budget.replicates // FEWER
        if fewer >= FEWEST:
            yield Quicker("replicates", str(fewer), seconds / FEWER)


def slowest(studies: Sequence[Study]) -> Study:
    """Of the tests that are simulated the slowest, on the most items that it is asked about."""
    largest = {study.test: study for study in sorted(studies, key=lambda study: study.items)}
    found = list(largest.values())
    return found[0] if len(found) == 1 else max(found, key=per_evaluation)


def plain_test(study: Study) -> Procedure:
    """What is usual for such scores, looking where the test of the study looks: it goes by the mean and its spread, or by counts."""
    population, test, pilot = study.population, study.test, as_pilot(study.population)
    clusters = pilot is not None and pilot.pair.clusters is not None
    plain = Procedure.parse("cluster_t(variance=cr2)" if clusters else population.test)
    return (
        test.replace(test=plain) if isinstance(test, Margin) else plain.replace(alternative=test.alternative)
    )


def per_evaluation(study: Study, unimportant: float = 0.0) -> float:
    """Seconds that one simulated evaluation takes among many, on one thread; a first guess where that is unimportant."""
    from tellapart.planning.monte_carlo import tally_block  # noqa: PLC0415  (a plan by formula is never timed)

    def timed(size: int) -> float:
        start = time.perf_counter()
        tally_block((study,), 0, 0, size)
        return (time.perf_counter() - start) / size

    few = timed(max(1, min(TRIAL, FEW_NUMBERS // study.items)))
    # What comes first pays for what is made once, and for what the machine did meanwhile.
    return few if few <= unimportant or few * TRIAL > PATIENT else min(few, timed(TRIAL))
