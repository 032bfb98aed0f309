"""Who does the work of a command that can take long."""

from dataclasses import dataclass
from typing import Any

from tellapart.spelling import Question, setting
from tellapart.verbs.worked import LIMIT, MIXED, STORE, WORKERS

LOST = 4
"""The exit code of an answer that is partial because work was lost."""


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


def worked_by(hands: GivenHands, stops: Stops | None = None) -> dict[str, Any]:
    """What a question calls all this: who works, and where there is such a thing, what is kept and when it is enough."""
    named = {"executor": hands.workers, "mixed": hands.mixed}
    return named if stops is None else {**named, "store": stops.store, "time_limit": stops.time_limit}


def ended(answer: Any) -> int:
    """The exit code of an answer: that of an error where a piece of the work was lost, whatever was answered without it."""
    return LOST if any(note.code == "work_lost" for note in answer.notes) else 0
