"""Who does what takes long in an answer: a question names them, and what they were unlike is noted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

from tellapart.results.answer import Answer
from tellapart.spreading import Call, spread_over
from tellapart.verbs.worked import Worked
from tellapart.verbs.workers_notes import workers_notes
from tellapart.workers import Runner, Work

Answered = TypeVar("Answered", bound=Answer)
Asked = TypeVar("Asked", bound=Worked)


@contextmanager
def working(question: Worked) -> Iterator[Runner]:
    """While this lasts, those whom the question names make what calls there are; they are started for the first."""
    with Runner(question.executor, mixed=question.mixed) as runner:

        def made(function: Callable[..., Any], subject: Any, calls: Sequence[Call]) -> Iterator[Any]:
            about = [(0, *call) for call in calls]
            return runner.in_order(Work(function, about, [subject], count=len(about), named=_named))

        with spread_over(made):
            yield runner


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
