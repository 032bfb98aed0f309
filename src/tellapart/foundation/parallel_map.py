"""Who makes many independent calls: those who were named at the door, and the caller itself where nobody was."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, TypeVar

# What holds for all that is called while it lasts, without being handed from one to the next: of this
# thread alone.

Value = TypeVar("Value")


class ContextValue(Generic[Value]):
    """None outside; inside whatever was set last.

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
    """Calls `function(subject, *call)` that are about one subject, each a piece of something: where it begins, where it ends, its number.

    `enough` is how many of the first can be answered from, where the work is stopped; without a number, all are needed, unless whoever
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
"""Makes the calls, and gives what they come to in their order."""

# Whoever makes a call does all of it: a thread of theirs has no hands but its own.
_MAPPER: ContextValue[Mapper] = ContextValue("hands")


def even_ranges(count: int, number: int) -> list[range]:
    """So many places in about so many pieces of one length, the last of what is left.

    >>> even_ranges(10, 3)
    [range(0, 4), range(4, 8), range(8, 10)]
    """
    step = -(-count // number)
    return [range(start, min(start + step, count)) for start in range(0, count, step)]


def numbered_calls(cuts: Sequence[range]) -> list[Call]:
    """The calls for pieces of resamples: where each begins and ends, and its number, which says its stream."""
    return [(cut.start, cut.stop, number) for number, cut in enumerate(cuts)]


def sufficient_count(calls: Sequence[Call]) -> int:
    """How many of the first pieces hold the fewest resamples that can be answered from."""
    return sum(start < FEWEST_COUNTED for start, *_ in calls)


def mapping_with(hands: Mapper) -> AbstractContextManager[None]:
    """While this lasts, what can be done by several is done by these."""
    return _MAPPER.set_to(hands)


def current_mapper() -> Mapper | None:
    """Those who make calls now, if anybody was named."""
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
    """`function(subject, *call)` of each call, in their order; whoever makes them, each comes to the same.

    Where whoever asks is stopped, it ends early if `enough` of the first are there; without a number, all are needed.

    >>> list(parallel_map(lambda one, n: one * n, "ab", [(1,), (2,)]))
    ['ab', 'abab']
    """
    hands = _MAPPER.value
    if hands is None or len(calls) < 2:
        return (function(subject, *call) for call in calls)
    return hands(ParallelCalls(function, subject, calls, enough, what, drawn))
