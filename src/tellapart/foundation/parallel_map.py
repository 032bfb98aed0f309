"""A parallel map over independent calls, run by the current workers or, without any, in this thread."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, TypeVar

Value = TypeVar("Value")


class ContextValue(Generic[Value]):
    """A context variable, set for the duration of a `with` block; None outside.

    >>> who = ContextValue[str]("who")
    >>> with who.set_to("a"), who.set_to("b"):
    ...     who.value
    'b'
    >>> who.value is None
    True
    """

    def __init__(self, name: str) -> None:
        self._holding: ContextVar[Value | None] = ContextVar(name, default=None)

    @property
    def value(self) -> Value | None:
        return self._holding.get()

    @contextmanager
    def set_to(self, value: Value | None) -> Iterator[None]:
        before = self.value
        self._holding.set(value)
        try:
            yield
        finally:
            # Not by the token of `set`: a generator may be closed from elsewhere than it was started.
            self._holding.set(before)


FEWEST_COUNTED = 999
"""Resamples that are enough to answer from, where more were asked for and the work was stopped."""

Result = TypeVar("Result")
Call = tuple[Any, ...]


class ParallelCalls(NamedTuple):
    """Calls `function(subject, *call)` of one subject, usually one per piece of the resamples: start, stop, number.

    `enough` is how many of the first can be answered from, where the work is stopped; without a number, all are needed, unless the caller
    asks knows better and they are `drawn` by chance, so that the first are a fair sample of all. `what` they are pieces of is for the
    error that names one.
    """

    function: Callable[..., Any]
    subject: Any
    calls: Sequence[Call]
    enough: int | None
    what: str
    drawn: bool = False


Mapper = Callable[[ParallelCalls], Iterator[Any]]
"""Runs the calls and yields their results in order."""

# A context variable: the threads of a pool see none, and run nested calls themselves.
_MAPPER: ContextValue[Mapper] = ContextValue("mapper")


def even_ranges(count: int, number: int) -> list[range]:
    """`count` indices cut into about `number` ranges of one length; the last may be shorter.

    >>> even_ranges(10, 3)
    [range(0, 4), range(4, 8), range(8, 10)]
    """
    step = -(-count // number)
    return [range(start, min(start + step, count)) for start in range(0, count, step)]


def numbered_calls(cuts: Sequence[range]) -> list[Call]:
    """The calls for ranges of resamples: start, stop, and the number of the random stream."""
    return [(cut.start, cut.stop, number) for number, cut in enumerate(cuts)]


def sufficient_count(calls: Sequence[Call]) -> int:
    """How many of the first calls cover `FEWEST_COUNTED` resamples."""
    return sum(start < FEWEST_COUNTED for start, *_ in calls)


def mapping_with(hands: Mapper) -> AbstractContextManager[None]:
    """Run every `parallel_map` in the `with` block by this mapper."""
    return _MAPPER.set_to(hands)


def current_mapper() -> Mapper | None:
    """The mapper of the enclosing `mapping_with`, if any."""
    return _MAPPER.value


def parallel_map(  # noqa: PLR0913  (what a division is made of)
    function: Callable[..., Result],
    subject: Any,
    calls: Sequence[Call],
    enough: int | None = None,
    *,
    what: str = "resamples",
    drawn: bool = False,
) -> Iterator[Result]:
    """The results of `function(subject, *call)` in order, the same for any number of workers.

    Where the caller is stopped, it ends early if `enough` of the first are there; without a number, all are needed.

    >>> list(parallel_map(lambda one, n: one * n, "ab", [(1,), (2,)]))
    ['ab', 'abab']
    """
    hands = _MAPPER.value
    if hands is None or len(calls) < 2:
        return (function(subject, *call) for call in calls)
    return hands(ParallelCalls(function, subject, calls, enough, what, drawn))
