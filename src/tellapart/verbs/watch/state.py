"""The state of a watch: what was asked, how many rows were seen, and all that goes on from there."""

import contextlib
import dataclasses
import json
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from tellapart.answers.watch import WatchedGroup
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.files import text_of
from tellapart.foundation.seeds import content_fingerprint
from tellapart.foundation.surfaces import option
from tellapart.numerics.watch import BETTORS, WatchProcess
from tellapart.verbs.watch.stream import BEGINNING

PATIENCE = 10.0
"""Seconds that one call waits for another to finish with the same state."""


@dataclass(frozen=True)
class StartOfGroup:
    """A start: its group, the row it begins with, and the sums and the chain before that row."""

    group: str
    row: int
    logs: tuple[float, ...]
    total: float
    chain: str
    evidence: float = 0.0
    """The log of the evidence at the end of its group so far."""


@dataclass(frozen=True)
class WatchState:
    """Rows seen, with what was bet on them; `first` is the row that this watch began at, after a restart not the first of all."""

    schema: ClassVar[str] = "tellapart/watch-state/1"

    question: dict[str, Any]
    rows: int = 0
    first: int = 0
    chain: str = BEGINNING
    total: float = 0.0
    logs: tuple[float, ...] = (0.0,) * BETTORS
    weights: tuple[float | None, ...] = (None,) * BETTORS
    starts: tuple[StartOfGroup, ...] = ()
    most: float | None = None
    """The log of the largest evidence so far."""
    alarm: dict[str, Any] | None = None
    restarts: int = 0

    @property
    def process(self) -> WatchProcess:
        weights = np.array([-np.inf if one is None else one for one in self.weights])
        return WatchProcess(np.array(self.logs), weights, len(self.starts))

    @property
    def groups(self) -> Iterator[tuple[StartOfGroup, int, float]]:
        """Each group with the row after its last, and its sum of differences."""
        for start, after in zip(self.starts, (*self.starts[1:], None), strict=True):
            end, total = (self.rows, self.total) if after is None else (after.row, after.total)
            yield start, end, total - start.total

    def begun_anew(self, question: dict[str, Any]) -> Self:
        return type(self)(
            question, rows=self.rows, first=self.rows, chain=self.chain, total=self.total, restarts=self.restarts + 1
        )

    def to_json(self) -> str:
        said = {"schema": self.schema, **dataclasses.asdict(self)}
        signed = said | {"signature": content_fingerprint(said)}
        return json.dumps(signed, ensure_ascii=False, allow_nan=False) + "\n"

    @classmethod
    def from_json(cls, text: str, name: str) -> Self:
        try:
            found = json.loads(text)
            signature = found.pop("signature")
            intact = content_fingerprint(found) == signature
            if found.pop("schema") != cls.schema:
                raise _no_state(name)
            starts = tuple(
                StartOfGroup(**{**one, "logs": tuple(map(float, one["logs"]))}) for one in found.pop("starts")
            )
            logs, weights = (tuple(found.pop(key)) for key in ("logs", "weights"))
            state = cls(**found, starts=starts, logs=logs, weights=weights)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise _no_state(name) from None
        if not intact:
            raise ReadError(
                f"{name}: this state was changed after it was written. Restore the file, or remove it to begin anew"
            )
        return state


def _no_state(name: str) -> ReadError:
    return ReadError(
        f"{name}: this is no state of a watch that this version reads ({WatchState.schema}). Use the version that wrote it, name another file, or "
        "remove it to begin anew"
    )


def read_state(path: str) -> WatchState | None:
    """The state in this file; None where there is none yet."""
    return WatchState.from_json(text_of(path, "state"), path) if Path(path).exists() else None


@contextlib.contextmanager
def locked_state(path: str) -> Iterator[None]:
    """One call at a time goes on from a state; a lock ends with its process, however that ends."""
    lock = Path(path).resolve().with_name(f".{Path(path).name}.lock")
    try:
        connection = sqlite3.connect(lock, timeout=PATIENCE, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        raise UsageError(
            f"{path} is in use by another watch, or cannot be locked ({error}). Wait for it, or name another file"
        ) from None
    try:
        yield
    finally:
        connection.close()


def refuse_other_question(state: WatchState, asked: Mapping[str, Any], path: str) -> None:
    """A state answers the question that it was begun with."""
    unlike = next((name for name, value in asked.items() if state.question.get(name) != value), None)
    if unlike is not None:
        raise UsageError(
            f"{path} was begun with {unlike} {state.question.get(unlike)!r}, and this asks with {asked[unlike]!r}; ask the same, or begin anew with "
            f"{option('restart')}"
        )


def watched_groups(state: WatchState, evidence: Any) -> tuple[WatchedGroup, ...]:
    return tuple(
        WatchedGroup(start.group, start.row + 1, end - start.row, total / (end - start.row), evidence(start.evidence))
        for start, end, total in state.groups
        if end > start.row
    )
