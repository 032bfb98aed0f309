"""Worker processes on this machine: started, watched, replaced when lost, and ended with their parent process."""

import multiprocessing
import os
import signal
import tempfile
import threading
import time
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import IO, Any

from tellapart.compute.bundle import InFile, Packed, Reply
from tellapart.compute.pool import WorkerPool
from tellapart.foundation.errors import UsageError

# Processes that are started import the script that started them: one that asks for more of them while it is
# imported cannot have them.

GUARD = (
    'Each of them imports the script that asks: put what it runs under the line `if __name__ == "__main__":`, or ask for threads, which need '
    "no such line"
)


def refuse_while_imported() -> None:
    """Where this very process is one that was started, and is still importing the script."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise UsageError(f"this script asks for worker processes while one of them imports it. {GUARD}")


def unstarted(said: Any) -> UsageError:
    """The error where no worker came as far as to compute."""
    return UsageError(f"worker processes ended while they were started ({said}; Python says more above). {GUARD}")


LOOKED = 0.5
"""Seconds between two checks of a worker that its parent is alive."""
WORTH_LAYING = 1 << 16
"""Bytes of a subject from which on it is not sent with every bundle."""
FAILED = 1
"""The exit code of a process whose script cannot be imported."""
CLEARED = 5.0
"""Seconds at most that a pool whose processes are killed takes to put its locks away."""


class Processes(WorkerPool):
    """Worker processes; a killed one breaks its pool, which is then replaced."""

    def __init__(self, number: int) -> None:
        refuse_while_imported()
        self.number = number
        self.lying: list[IO[bytes]] = []
        self.pool = self._started()

    @property
    def size(self) -> int:
        return self.number

    def _started(self) -> ProcessPoolExecutor:
        # A fork of a process with threads may inherit a lock that nobody holds any more.
        return ProcessPoolExecutor(
            self.number, mp_context=get_context("spawn"), initializer=settle, initargs=(os.getpid(),)
        )

    def share(self, subject: Any) -> Any:
        """Large ones lie in a file without a name, from which each process takes them once: with every bundle they would travel again."""
        packed = Packed.of(subject)
        if len(packed.content) < WORTH_LAYING or not os.path.exists(f"/proc/{os.getpid()}/fd"):  # noqa: PTH110  (quick)
            return packed
        file = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the processes; it is gone with this process, however that ends)
        file.write(packed.content)
        file.flush()
        self.lying.append(file)
        return InFile(f"/proc/{os.getpid()}/fd/{file.fileno()}", packed.name)

    def submit(self, *arguments: Any) -> "Future[Reply]":
        return self.pool.submit(self.task, *arguments)

    def rebuild(self) -> None:
        try:
            # A pool says that it is broken only where something is asked of it.
            self.pool.submit(int).cancel()
        except BrokenExecutor:
            failed = self._pool_failed()
            self._end()
            if failed:
                raise unstarted(f"exit code {FAILED}") from None
            self.pool = self._started()

    def _pool_failed(self) -> bool:
        """Whether one ended by an error of its own: those that are killed end by a signal, and errors of the work are results."""
        running = (getattr(self.pool, "_processes", None) or {}).values()
        return any(process.exitcode == FAILED for process in running)

    def close(self) -> None:
        self._end()
        for file in self.lying:
            file.close()

    def _end(self) -> None:
        """End all workers at once: their results would be thrown away."""
        running = list((getattr(self.pool, "_processes", None) or {}).values())
        manager: threading.Thread | None = getattr(self.pool, "_executor_manager_thread", None)
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in running:
            process.kill()
        if manager is not None:
            # Its locks go with it; a command that ends before they do is told by Python that they leak.
            manager.join(CLEARED)


def settle(parent: int) -> None:
    """First step of a worker: ignore Ctrl-C, and end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOKED)
    # `sys.exit` would end this thread alone, and the process would go on computing for nobody.
    os._exit(1)
