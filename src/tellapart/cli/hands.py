"""Who does the work of a command that can take long."""

from dataclasses import dataclass
from typing import Any

from tellapart.doors import option, verb
from tellapart.spelling import Question, setting

LOST = 4
"""The exit code of an answer that is partial because work was lost."""


WORKERS = (
    "Who computes: N threads (default: one per core), processes:N, dask or dask:N (a cluster on this machine), tcp://host:8786, "
    "tls://host:8786 or a scheduler file (a Dask cluster that runs). The answer is the same from all of them."
)
MIXED = f"With {option('workers')}: also take workers of other versions or processors, and mark the answer."
STORE = (
    "Keep what is finished in this file, and compute only what it lacks: stopped and started again, the answer is the same to the bit. "
    f"{verb('store')} lists what it holds."
)
LIMIT = "Answer after about this time, such as 90s, 10m or 2h, from what is computed by then."


@dataclass(frozen=True)
class GivenHands(Question):
    """Who does the work, and whether they may differ."""

    workers: str | None = setting(
        None,
        WORKERS,
        metavar="W",
    )
    mixed: bool = setting(default=False, help=MIXED)


@dataclass(frozen=True)
class Stops(Question):
    """Where what is finished is kept, and when it is enough."""

    store: str | None = setting(
        None,
        STORE,
        metavar="FILE",
    )
    time_limit: str | None = setting(None, LIMIT, metavar="TIME")


def ended(answer: Any) -> int:
    """The exit code of an answer: that of an error where a piece of the work was lost, whatever was answered without it."""
    return LOST if any(note.code == "work_lost" for note in answer.notes) else 0
