"""Who does what takes long in an answer: a question names them, and what they were unlike is noted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, TypeVar

from tellapart.results.answer import Answer
from tellapart.spreading import Call, spread_over
from tellapart.verbs.worked import Worked
from tellapart.verbs.workers_notes import workers_notes
from tellapart.workers import Runner, Work

Answered = TypeVar("Answered", bound=Answer)
Asked = TypeVar("Asked", bound=Worked)


_AT_WORK: ContextVar[Runner | None] = ContextVar("at_work", default=None)


@contextmanager
def working(question: Worked) -> Iterator[Runner]:
    """While this lasts, those whom the question names make what calls there are; they are started for the first."""
    limit = getattr(question, "time_limit", None)
    with Runner(question.executor, mixed=question.mixed, partial=True, time_limit=limit) as runner:

        def made(
            function: Callable[..., Any], subject: Any, calls: Sequence[Call], enough: int | None
        ) -> Iterator[Any]:
            about = [(0, *call) for call in calls]
            work = Work(function, about, [subject], count=len(about), named=_named)
            return runner.in_order(work) if enough is None else _first(runner, work, enough)

        before = _AT_WORK.set(runner)
        try:
            with spread_over(made):
                yield runner
        finally:
            _AT_WORK.reset(before)


def _first(runner: Runner, work: Work[Any], enough: int) -> Iterator[Any]:
    """What the calls come to, up to where the work is stopped, if so many are there by then."""
    done = 0

    def some() -> bool:
        return enough <= done < (work.count or 0)

    with runner.cut_short(some), closing(runner.in_order(work)) as results:
        for found in results:
            done += 1
            yield found
            runner.look_at_clock(some)


def at_work() -> Runner:
    """Those whom the question named, for what simulates; threads where it named nobody."""
    return _AT_WORK.get() or Runner()


def _named(call: Call) -> str:
    """What a call is, for the error that names it: resamples are numbered from 1."""
    first, behind = call[1], call[2]
    return f"resamples {first + 1:,} to {behind:,}"


def noting(answer: Answered, runner: Runner) -> Answered:
    """The answer, marked where workers that were unlike this process had a hand in it."""
    unlike = tuple(workers_notes(runner))
    if not unlike:
        return answer
    told: Any = answer
    marked: Answered = replace(told, notes=(*told.notes, *unlike))
    return marked


def by_workers(answer: Callable[[Any, Asked], Answered], subject: Any, question: Asked) -> Answered:
    """What is answered where those whom the question names do the work."""
    with working(question) as runner:
        found = answer(subject, replace(question, executor=None, mixed=False))
    return noting(found, runner)
