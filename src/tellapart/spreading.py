"""Who makes many independent calls: those who were named at the door, and the caller itself where nobody was."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

Result = TypeVar("Result")
Call = tuple[Any, ...]
Hands = Callable[[Callable[..., Any], Any, Sequence[Call], int | None], Iterator[Any]]
"""Makes calls that are about one subject, and gives what they come to in their order; where a number is given, so many may be enough."""

# Of this thread alone: whoever makes a call does all of it.
_HANDS: ContextVar[Hands | None] = ContextVar("hands", default=None)


def even_cuts(count: int, number: int) -> list[range]:
    """So many places in about so many pieces of one length, the last of what is left.

    >>> even_cuts(10, 3)
    [range(0, 4), range(4, 8), range(8, 10)]
    """
    step = -(-count // number)
    return [range(start, min(start + step, count)) for start in range(0, count, step)]


def numbered(cuts: Sequence[range]) -> list[Call]:
    """The calls for pieces of resamples: where each begins and ends, and its number, which says its stream."""
    return [(cut.start, cut.stop, number) for number, cut in enumerate(cuts)]


@contextmanager
def spread_over(hands: Hands) -> Iterator[None]:
    """While this lasts, what can be done by several is done by these."""
    before = _HANDS.get()
    _HANDS.set(hands)
    try:
        yield
    finally:
        _HANDS.set(before)


def spread(
    function: Callable[..., Result], subject: Any, calls: Sequence[Call], enough: int | None = None
) -> Iterator[Result]:
    """`function(subject, *call)` of each call, in their order; whoever makes them, each comes to the same.

    Where whoever asks is stopped, it ends early if that many of the first are there; without a number, all are needed.

    >>> list(spread(lambda one, n: one * n, "ab", [(1,), (2,)]))
    ['ab', 'abab']
    """
    hands = _HANDS.get()
    if hands is None or len(calls) < 2:
        return (function(subject, *call) for call in calls)
    return hands(function, subject, calls, enough)
