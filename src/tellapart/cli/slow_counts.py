"""Counting that takes seconds, such as the edits of TER, spread over processes, telling how far it is."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from tellapart.progress import listener
from tellapart.workers import cores


def over_processes(count: Callable[[Any], Any], pieces: Sequence[Any]) -> Iterator[Any]:
    """What is counted of each piece, in their order; a single piece, or a single core, needs no other process."""
    told = listener()
    for done, found in enumerate(_counted(count, pieces, min(cores(), len(pieces))), 1):
        if told is not None:
            told("counting", done, len(pieces))
        yield found


def _counted(count: Callable[[Any], Any], pieces: Sequence[Any], workers: int) -> Iterator[Any]:
    if workers < 2:
        yield from map(count, pieces)
        return
    # Started afresh, not forked: a copy of a process with threads may wait for ever for what one of them held.
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    try:
        yield from pool.map(count, pieces)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
