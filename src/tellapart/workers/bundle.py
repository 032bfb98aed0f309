"""What a worker is given and gives back: consecutive calls, and the result of each.

Subjects and results travel as plain pickles: arrays come out of these aligned and in one piece, where faster ways of sending them
leave them at any byte, and sums of such arrays differ in their last bit.
"""

import pickle
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tellapart.fingerprint import digest
from tellapart.workers.identity import Identity, own
from tellapart.workers.memory import keep_freed_memory
from tellapart.workers.work import Call

PLAIN = 4
"""The last protocol of pickles that knows no buffers beside itself."""
REMEMBERED = 8
"""Subjects that a worker keeps unpacked."""


@dataclass(frozen=True)
class Packed:
    """A subject as it travels, with the hash that a worker knows it by."""

    content: bytes
    name: str

    @classmethod
    def of(cls, subject: Any) -> "Packed":
        content = pickle.dumps(subject, PLAIN)
        return cls(content, digest([content]))


@dataclass(frozen=True)
class Lying:
    """A subject that lies in a file, which every process of this machine may read."""

    path: str
    name: str

    @property
    def content(self) -> bytes:
        with open(self.path, "rb") as file:  # noqa: PTH123  (by the number of somebody else's file, not by a name)
            return file.read()


@dataclass(frozen=True)
class Raised:
    """An exception on its way back to the caller, with the place it came from, which pickling would lose."""

    error: Exception
    place: str = ""

    def again(self) -> Exception:
        if self.place and self.error.__traceback__ is None:
            self.error.add_note(self.place)
        return self.error


@dataclass(frozen=True)
class Reply:
    """What a bundle came to, by whom (None: by this process) and in how many seconds."""

    results: Any
    seconds: float
    worker: Identity | None

    def unpacked(self) -> list[Any]:
        found: list[Any] = pickle.loads(self.results) if self.worker is not None else self.results  # noqa: S301  (of our own workers)
        return found


_known: OrderedDict[str, Any] = OrderedDict()


def computed(function: Callable[..., Any], calls: Sequence[Call], *subjects: Packed | Lying) -> Reply:
    """What a worker elsewhere runs; calls that are about a subject name it by its place among `subjects`."""
    keep_freed_memory()
    results, seconds = _made(function, calls, _unpacked, subjects)
    return Reply(_packed(results), seconds, own())


def computed_here(function: Callable[..., Any], calls: Sequence[Call], *subjects: Any) -> Reply:
    """The same on a thread of this process, to which nothing has to travel."""
    return Reply(*_made(function, calls, lambda subject: subject, subjects), None)


def _made(
    function: Callable[..., Any], calls: Sequence[Call], opened: Callable[[Any], Any], subjects: Sequence[Any]
) -> tuple[list[Any], float]:
    """Errors of the function travel as values, so that all an executor raises is a lost worker."""
    start = time.perf_counter()
    results: list[Any] = []
    for call in calls:
        try:
            arguments = (opened(subjects[call[0]]), *call[1:]) if subjects else call
            results.append(function(*arguments))
        except Exception as error:  # noqa: BLE001  (raised again where the result is asked for)
            results.append(Raised(error, traceback.format_exc()))
            break
    return results, time.perf_counter() - start


def _unpacked(subject: Packed | Lying) -> Any:
    found = _known.get(subject.name)
    if found is None:
        # Two threads of a worker may both come here: the later one puts an equal subject in the place of the first.
        found = _known[subject.name] = pickle.loads(subject.content)  # noqa: S301  (whoever asks runs code here anyway)
        while len(_known) > REMEMBERED:
            _known.popitem(last=False)
    return found


def _packed(results: list[Any]) -> bytes:
    try:
        return pickle.dumps(results, PLAIN)
    except Exception as error:  # noqa: BLE001  (an error that cannot travel still has to be told)
        told = next((one for one in results if isinstance(one, Raised)), Raised(error))
        return pickle.dumps(
            [Raised(RuntimeError(f"{type(told.error).__name__}: {told.error}"), told.place)], PLAIN
        )
