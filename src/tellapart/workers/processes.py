"""Processes on this machine: started, watched, replaced when one is lost, and ended with whoever started them."""

import os
import signal
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from tellapart.workers.bundle import Reply
from tellapart.workers.crew import Crew

LOOKED = 0.5
"""Seconds between two looks of a worker for whoever started it."""
CLEARED = 5.0
"""Seconds at most that a pool whose processes are killed takes to put its locks away."""


class Processes(Crew):
    """So many processes; one that is killed takes its pool along, and another pool takes its place."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.pool = self._started()

    @property
    def size(self) -> int:
        return self.number

    def _started(self) -> ProcessPoolExecutor:
        # A fork of a process with threads may inherit a lock that nobody holds any more.
        return ProcessPoolExecutor(
            self.number, mp_context=get_context("spawn"), initializer=settle, initargs=(os.getpid(),)
        )

    def submit(self, *arguments: Any) -> "Future[Reply]":
        return self.pool.submit(self.task, *arguments)

    def rebuild(self) -> None:
        try:
            self.pool.submit(int).cancel()
        except BrokenExecutor:
            self.close()
            self.pool = self._started()

    def close(self) -> None:
        """At once: what still computes would be read by nobody."""
        running = list((getattr(self.pool, "_processes", None) or {}).values())
        manager: threading.Thread | None = getattr(self.pool, "_executor_manager_thread", None)
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.kill()
        if manager is not None:
            # Its locks go with it; a command that ends before they do is told by Python that they leak.
            manager.join(CLEARED)


def settle(parent: int) -> None:
    """What a worker does first: leave Ctrl-C to whoever started it, and end when that one is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOKED)
    os._exit(1)
