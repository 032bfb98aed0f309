"""Comparison with resampling by parallel workers; if stopped, it answers from the first resamples, marked partial."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from tellapart.answers.comparison import Comparison
from tellapart.answers.parts import Note
from tellapart.compute import Runner
from tellapart.compute.cache_key import content_and_modules
from tellapart.foundation import parallel_map
from tellapart.foundation.errors import TellapartError, UsageError, WorkLost
from tellapart.foundation.surfaces import option
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.signature import amended
from tellapart.verbs.workers import add_worker_notes, spelled, use_workers

PATIENCE = 0.5
"""Seconds that an interrupt waits for an answer."""


def compare_with_workers(
    answer: Callable[[Any, CompareQuestion], Comparison], subject: Any, question: CompareQuestion
) -> Comparison:
    """The comparison with its long computations on the named workers."""
    alone = replace(question, executor=None, mixed=False, store=None, time_limit=None)
    with use_workers(question) as runner:
        workers = parallel_map.current_mapper()
        assert workers is not None
        drawn = Drawn(workers, runner)
        with parallel_map.mapping_with(drawn):
            try:
                found = answer(subject, alone)
            except TellapartError as error:
                if not runner.interrupted or isinstance(error, WorkLost):
                    raise
                raise _too_few(error, runner) from error
    return add_worker_notes(_marked(found, drawn, runner), runner)


def _too_few(error: TellapartError, runner: Runner) -> BaseException:
    """The error of work stopped too early to answer; all resamples would have given an answer."""
    if runner.stopped != "time":
        return KeyboardInterrupt()
    return UsageError(
        f"the time was up before there were enough resamples for an answer ({error}). Give {option('time_limit')} more, or leave it out"
    )


@dataclass(eq=False)
class Drawn:
    """Makes calls on the workers, and none twice: a test that holds an interval against zero uses the resamples of that interval.

    What an interrupt leaves to be drawn is drawn by the caller, as few as can be answered from, if that takes no longer than whoever
    interrupts waits for an answer.
    """

    workers: parallel_map.Mapper
    runner: Runner
    made: dict[tuple[str, str, tuple[parallel_map.Call, ...]], list[Any]] = field(default_factory=dict)
    fewest: tuple[int, int] | None = None
    """Of the resamples that are fewer than were asked for: how many were drawn, and of how many."""
    each: float = 0.0
    """Seconds of one worker for one resample, of those that took longest."""

    def __call__(self, asked: parallel_map.ParallelCalls) -> Iterator[Any]:
        calls = asked.calls
        key = spelled(asked.function), content_and_modules(asked.subject)[0], tuple(calls)
        if key not in self.made:
            self.made[key], drawn = self._drawn(asked)
            if drawn < calls[-1][1]:
                self._note(drawn, calls[-1][1])
        return iter(self.made[key])

    def _drawn(self, asked: parallel_map.ParallelCalls) -> tuple[list[Any], int]:
        """The drawn results, and the number of resamples."""
        calls, enough = asked.calls, parallel_map.sufficient_count(asked.calls) if asked.drawn else asked.enough
        if asked.drawn and self.runner.stopped == "interrupt" and parallel_map.FEWEST_COUNTED * self.each <= PATIENCE:
            few = [(start, min(stop, parallel_map.FEWEST_COUNTED), number) for start, stop, number in calls[:enough]]
            return [asked.function(asked.subject, *call) for call in few], few[-1][1]
        start = time.monotonic()
        found = list(self.workers(asked._replace(enough=enough)))
        taken, drawn = time.monotonic() - start, calls[len(found) - 1][1]
        self.each = max(self.each, taken * max(1, self.runner.workers.number) / drawn)
        return found, drawn

    def _note(self, drawn: int, asked: int) -> None:
        if self.fewest is None or drawn < self.fewest[0]:
            self.fewest = drawn, asked


def _marked(answer: Comparison, drawn: Drawn, runner: Runner) -> Comparison:
    if not runner.interrupted:
        return answer
    resamples, asked = drawn.fewest or (None, None)
    note = Note(
        "time_limit" if runner.stopped == "time" else "interrupted", {"resamples": resamples, "asked_resamples": asked}
    )
    return replace(
        answer,
        partial=True,
        stopped=runner.stopped,
        notes=(note, *answer.notes),
        signature=amended(answer.signature, resamples=resamples, partial=True),
    )
