"""Dask clusters as workers, on this machine or elsewhere; the only module that imports Dask.

Whoever reaches the port of a Dask scheduler or worker runs code there: one that is started here listens on 127.0.0.1 alone.
"""

import importlib
import json
import logging
import signal
import time
from collections.abc import Callable, Iterable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from tellapart.compute.bundle import Identity, Packed, WorkerCheck, own_identity
from tellapart.compute.pool import Borrowed
from tellapart.compute.processes import refuse_while_imported, unstarted
from tellapart.compute.worker_spec import WorkerSpec
from tellapart.foundation.errors import UsageError

Answer = TypeVar("Answer")
ANSWERED = 10.0
"""Seconds in which a scheduler should answer, and have a worker."""
LONGEST_FILE = 1 << 16
"""Bytes of a scheduler file that are looked at; Dask writes a few hundred."""
LOOKED = 0.1
"""Seconds between two looks for a worker that comes back."""
QUIET = logging.CRITICAL + 1
"""Above every message of Dask: a scheduler that dies is told in one line of ours, not in tracebacks of its client."""
COUNTED = 1.0
"""Seconds for which the number of workers is taken to be what it was."""


class Cluster(Borrowed):
    """Dask workers; subjects are sent to them once, and lost workers are replaced by the cluster itself."""

    patience: float | None = 20.0

    def __init__(self, client: Any, check: WorkerCheck, ended: Iterable[Callable[[], Any]] = ()) -> None:
        super().__init__(client.get_executor(pure=False, retries=0), own_identity())
        self.client, self.ended, self.counted = client, list(ended), (-COUNTED, 0)
        try:
            check.note(self._unlike())
        except BaseException:
            self.close()
            raise

    @property
    def size(self) -> int:
        if self.instead is not None:
            return self.instead.size
        asked, number = self.counted
        if time.monotonic() - asked >= COUNTED:
            number = sum(self._threads().values())
            self.counted = time.monotonic(), number
        return max(1, number)

    def _threads(self) -> dict[str, int]:
        try:
            return dict(_in_time(self.client.nthreads))
        except Exception:  # noqa: BLE001  (a scheduler that is gone: of many kinds, and all mean that)
            return {}

    def rebuild(self) -> None:
        """Share the subjects again, as some may be lost with a worker; if no worker returns in time, replace the cluster."""
        if self.instead is not None or self._closed():
            super().rebuild()
            return
        limit = time.monotonic() + self.patience if self.patience is not None else 0.0
        while not self._threads():
            if time.monotonic() >= limit:
                self._replace()
                return
            time.sleep(LOOKED)
        self.generation += 1

    def give_up(self) -> bool:
        """Only where no worker is left: a long call is silent too."""
        return not self._threads() and super().give_up()

    def is_stalled(self) -> bool:
        if self.instead is not None or not self._threads():
            return False
        try:
            stalled = not any(_in_time(partial(self.client.run, executing_tasks, on_error="ignore")).values())
        except Exception:  # noqa: BLE001  (as in `_threads`)
            return False
        self.generation += stalled
        return stalled

    def _closed(self) -> bool:
        return bool(self.client.status != "running")

    def share(self, subject: Any) -> Any:
        packed = Packed.of(subject)
        if self.instead is not None:
            return packed
        try:
            # A key of its own: with the hash as key, releasing an earlier future of equal content deletes this one on the workers.
            return _in_time(partial(self.client.scatter, packed, hash=False, timeout=ANSWERED))
        except Exception as error:
            raise BrokenExecutor(f"no worker of the cluster took the scores: {error}") from error

    def _unlike(self) -> dict[str, str]:
        """The workers that are unlike this process, by name, and in what."""
        found = self.client.run(own_identity, on_error="return")
        mine = own_identity()
        told = {
            name: mine.unlike(one) if isinstance(one, Identity) else f"it cannot run this tellapart ({one})"
            for name, one in found.items()
        }
        return {name: words for name, words in told.items() if words}

    def close(self) -> None:
        super().close()
        for end in self.ended:
            end()


def _in_time(ask: Callable[[], Answer]) -> Answer:
    """An answer of the scheduler, or `TimeoutError`: Dask waits for ever where a connection drops without being closed."""
    answer: Future[Answer] = Future()

    def fetch() -> None:
        try:
            answer.set_result(ask())
        except Exception as error:  # noqa: BLE001  (raised again where it was asked)
            answer.set_exception(error)

    Thread(target=fetch, daemon=True).start()
    return answer.result(ANSWERED)


def open_cluster(workers: WorkerSpec, check: WorkerCheck) -> Cluster:
    """The cluster that was spelled; one on this machine is ended with it."""
    distributed: Any = importlib.import_module("distributed")  # an extra, which `parse_workers` has looked for
    if workers.kind == "dask":
        return _local(distributed, workers.number, check)
    told = {"address": workers.where} if workers.kind == "address" else {"scheduler_file": workers.where}
    if workers.kind == "scheduler file":
        _refuse_foreign(Path(workers.where))
    try:
        client = distributed.Client(**told, timeout=ANSWERED, set_as_default=False)
        client.wait_for_workers(1, timeout=ANSWERED)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"no Dask cluster with a worker answered at {workers.where} within {ANSWERED:g} seconds ({error}). Check the address, and start "
            "it with dask scheduler and dask worker"
        ) from error
    return Cluster(client, check, [client.close, *_quiet()])


def _quiet() -> list[Callable[[], Any]]:
    """Silence what Dask logs in this process; what is returned lets it speak again."""
    before = [(handler, handler.level) for handler in logging.getLogger("distributed").handlers]
    for handler, _ in before:
        handler.setLevel(QUIET)
    return [partial(handler.setLevel, level) for handler, level in before]


def _refuse_foreign(file: Path) -> None:
    """A file that is there and is none of a scheduler's: Dask would wait for it to become one."""
    if not file.is_file():
        return
    try:
        with file.open("rb") as content:
            found = json.loads(content.read(LONGEST_FILE))["address"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        found = None
    if not isinstance(found, str) or "://" not in found:
        raise UsageError(
            f"{file} is not a scheduler file: it names no address of a Dask cluster. Give the one that dask scheduler --scheduler-file wrote"
        )


def cluster_of_executor(executor: Executor, check: WorkerCheck) -> Cluster:
    """The cluster behind an executor that Dask made; it is its owner's to end."""
    return Cluster(executor._client, check)  # type: ignore[attr-defined]  # noqa: SLF001  (it names its client nowhere else)


def _local(distributed: Any, number: int, check: WorkerCheck) -> Cluster:
    import dask  # noqa: PLC0415  (where Dask is wanted)

    refuse_while_imported()
    # A task that was lost comes back at once: who hands it out counts, and looks for the one that is the reason.
    with dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        cluster = _started(distributed, number)
        client = distributed.Client(cluster, set_as_default=False)
    return Cluster(client, check, [client.close, cluster.close, *_quiet()])


def _started(distributed: Any, number: int) -> Any:
    try:
        return distributed.LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            # Dask asks for a port of its own even where no dashboard is wanted: any free one, which only this machine reaches.
            dashboard_address=None,
            scheduler_kwargs={"dashboard": False, "dashboard_address": "127.0.0.1:0"},
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            preload=[__name__],
        )
    except RuntimeError as error:
        raise unstarted(error) from error


def executing_tasks(dask_worker: Any) -> int:
    """Tasks that a worker computes now; Dask passes the worker under this name."""
    return len(dask_worker.state.executing)


def dask_setup(_: Any) -> None:
    """Dask's hook for a new local worker: ignore Ctrl-C, which the parent handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
