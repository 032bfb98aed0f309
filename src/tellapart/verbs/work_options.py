"""Options for long computations: workers, a store of finished blocks, and a time limit."""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import option, verb

# Where what is finished is kept, as a question names it.


def open_store(file: str | Path | None, *, mixed: bool) -> AbstractContextManager[Any]:
    """The store that was named; None without one."""
    if file is None:
        return nullcontext()
    if mixed:
        raise UsageError(
            f"{option('store')} needs the same results from every worker, and {option('mixed')} allows workers that "
            "differ; leave one of them out"
        )
    from tellapart.compute.store import Store  # noqa: PLC0415  (most answers need none)

    return Store(file)


WORKERS = (
    "Where to compute: N threads (default: one per core), processes:N, dask or dask:N (a cluster on this machine), "
    "tcp://host:8786, tls://host:8786 or a scheduler file (a Dask cluster that runs). The answer is always the same."
)
MIXED = f"With {option('workers')}: also take workers of other versions or processors, and mark the answer."
STORE = (
    "Keep finished work in this file and compute only the rest: stopped and restarted, the answer is the same to "
    f"the bit. {verb('store')} lists what it holds."
)
LIMIT = "Answer after about this time, such as 90s, 10m or 2h, from what is computed by then."


@dataclass(frozen=True)
class ExecutorOptions(Question):
    """Base of the questions whose answers may take longer than a second."""

    executor: Any = setting(None, flag=False)
    """Who does it: a number of threads, another spelling of workers, or a `concurrent.futures.Executor`; the answer is the same."""
    mixed: bool = setting(default=False, flag=False)
    """Whether workers may be unlike this process, in versions or in what they compute."""


@dataclass(frozen=True)
class WorkOptions(ExecutorOptions):
    """Base of those that may take so long that they are kept, or stopped."""

    store: Any = setting(None, flag=False)
    """A file in which finished blocks are kept, and from which those that it has are taken."""
    time_limit: Any = setting(None, flag=False)
    """Seconds, or a text such as "10m", after which it is answered from the resamples that are there."""

    @property
    def divided(self) -> bool:
        """Whether anything was said of who does it, of where it is kept or of how long it may take."""
        given = (self.executor, self.store, self.time_limit)
        return self.mixed or any(one is not None for one in given)
