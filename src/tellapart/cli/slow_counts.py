"""Counting that takes seconds, such as the edits of TER, spread over processes, telling how far it is."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any

from tellapart.progress import listener
from tellapart.workers import Runner, Work, cores


def over_processes(count: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
    """What is counted of each piece, in their order; a single piece, or a single core, needs no other process."""
    told, hands = listener(), min(cores(), len(pieces))
    work = Work(count, [(piece,) for piece in pieces], count=len(pieces), named=_named)
    with (
        Runner(1 if hands < 2 else f"processes:{hands}") as runner,
        closing(runner.in_order(work)) as results,
    ):
        for done, found in enumerate(results, 1):
            if told is not None:
                told("counting", done, len(pieces))
            yield found


def _named(call: tuple[Any, ...]) -> str:
    return f"counting {len(call[0]):,} texts"
