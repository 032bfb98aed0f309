"""Workers for the long computations of an answer, and notes on lost, unsaved or mixed work."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note
from tellapart.compute import BlockKey, CachePolicy, Runner, Work
from tellapart.compute.cache_key import content_and_modules, study_name
from tellapart.foundation.parallel_map import Call, ContextValue, ParallelCalls, mapping_with
from tellapart.verbs.work_options import ExecutorOptions, WorkOptions, open_store

# What became of those who did the work, as notes of an answer.


def workers_notes(runner: Runner) -> Iterator[Note]:
    """Work that ended every worker it was given to, what could not be kept, and workers that are unlike this process."""
    if runner.lost is not None:
        yield Note("work_lost", {"work": runner.lost.what, "times": runner.lost.times})
    if runner.store is not None and runner.store.failure is not None:
        yield Note("not_stored", {"file": str(runner.store.path), "failure": runner.store.failure})
    if runner.check.unlike:
        yield Note("mixed_workers", {"unlike": sorted(set(runner.check.unlike.values()))})


Answered = TypeVar("Answered", bound=Answer)


_AT_WORK: ContextValue[Runner] = ContextValue("at_work")


@contextmanager
def use_workers(question: ExecutorOptions) -> Iterator[Runner]:
    """While this lasts, those whom the question names make what calls there are; they are started for the first."""
    store, limit = (question.store, question.time_limit) if isinstance(question, WorkOptions) else (None, None)
    with (
        open_store(store, mixed=question.mixed) as kept,
        Runner(question.executor, mixed=question.mixed, partial=True, store=kept, time_limit=limit) as runner,
        _AT_WORK.set_to(runner),
        mapping_with(partial(_made, runner)),
    ):
        yield runner


def _made(runner: Runner, asked: ParallelCalls) -> Iterator[Any]:
    cache = None if runner.store is None else _filing(asked)
    about = [(0, *call) for call in asked.calls]
    named = partial(_named, asked.what)
    work = Work(asked.function, about, [asked.subject], count=len(about), named=named, cache=cache)
    return runner.in_order(work) if asked.enough is None else _first(runner, work, asked.enough)


def _filing(asked: ParallelCalls) -> CachePolicy[Any]:
    """Resamples are known by all that they are drawn from: scores, methods and random streams, whatever file these came from."""
    content, modules = content_and_modules(asked.subject)
    name = study_name("resamples", modules, study=spelled(asked.function), data=content)
    wanted = max(stop for _, stop, _ in asked.calls)

    def key(call: Call) -> BlockKey:
        _, start, stop, number = call
        return BlockKey(name, wanted, number, stop - start)

    return CachePolicy(key)


def spelled(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def _first(runner: Runner, work: Work[Any], enough: int) -> Iterator[Any]:
    """The results of the calls up to an interruption, if at least this many are there by then."""
    done = 0

    def some() -> bool:
        return enough <= done < (work.count or 0)

    with runner.cut_short(some), closing(runner.in_order(work)) as results:
        for found in results:
            done += 1
            yield found
            runner.look_at_clock(some)


def current_runner() -> Runner:
    """The runner that the question named; threads by default."""
    return _AT_WORK.value or Runner()


def _named(what: str, call: Call) -> str:
    """The call in an error message, numbered from 1."""
    first, behind = call[1], call[2]
    return f"{what} {first + 1:,} to {behind:,}"


def add_worker_notes(answer: Answered, runner: Runner) -> Answered:
    """The answer, marked where workers that were unlike this process had a hand in it."""
    unlike = tuple(workers_notes(runner))
    if not unlike:
        return answer
    told: Any = answer
    marked: Answered = replace(told, notes=(*told.notes, *unlike))
    return marked
