"""Bundles of consecutive calls, as a worker receives, runs and returns them.

Subjects and results travel as plain pickles: arrays come out of these aligned and in one piece, where faster ways of sending them
leave them at any byte, and sums of such arrays differ in their last bit.
"""

import ctypes
import functools
import pickle
import platform
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import scipy
from scipy import special

import tellapart
from tellapart.compute.work import Call
from tellapart.foundation import arrays
from tellapart.foundation.blas_threads import ONE_THREAD
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import digest, stream
from tellapart.foundation.surfaces import option

# What a block of work frees is kept for the next one, in a process that does nothing else.

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""The names that glibc's `mallopt` has for these."""
KEPT, LARGEST = 1 << 28, 1 << 25
"""Bytes that stay with the process, and the largest piece that is taken from them: glibc allows no more."""


@functools.cache
def keep_freed_memory() -> None:
    """Keep freed memory in the process: asking the system for it again, page by page, takes as long as the work itself.

    Said in so many words: the hint that does elsewhere is not heard where the environment names a threshold, and Dask leaves one in that
    of its workers and of whoever starts them.
    """
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, TypeError, AttributeError):  # another system, another allocator
        arrays.keep_freed_memory()
        return
    mallopt(TRIM_THRESHOLD, KEPT)
    mallopt(MMAP_THRESHOLD, LARGEST)


# Whether two workers compute the same bits: their versions, and the hash of what a small computation comes
# to.
# NumPy's exp and pow differ between processors, and BLAS between kernels, at equal versions: only computing
# tells.


@dataclass(frozen=True)
class Identity:
    tellapart: str
    numpy: str
    scipy: str
    python: str
    arithmetic: str
    """The first digits of the hash of the self-test."""

    def unlike(self, other: "Identity") -> str:
        """The differences from another identity, in words; empty if there are none."""
        mine, theirs = asdict(self), asdict(other)
        told = (f"{name} {theirs[name]} (here {mine[name]})" for name in mine if mine[name] != theirs[name])
        return ", ".join(told)


def own_identity() -> Identity:
    """That of this process."""
    return Identity(tellapart.__version__, np.__version__, scipy.__version__, platform.python_version(), arithmetic())


@functools.cache
def arithmetic() -> str:
    return digest(_computed())[:16]


def _computed() -> Iterator[bytes]:
    """Results that differ first between processors: elementary functions, sums, small matrix products, special functions, draws."""
    rng = stream(18)
    # A prime number of them: loops of vector instructions then leave a rest, which other instructions compute.
    x = rng.normal(size=1031)
    positive = rng.gamma(0.7, size=1031) + 1e-3
    yield from (np.ascontiguousarray(one).tobytes() for one in (x, positive, rng.beta(0.4, 2.0, 257)))
    yield from (f(x).tobytes() for f in (np.exp, np.sin, np.tanh, special.ndtr, special.expit))
    yield from (f(positive).tobytes() for f in (np.log, np.sqrt, np.log1p, np.cbrt, special.gammaln))
    yield (positive**1.37).tobytes()
    yield np.array([x.sum(), x.mean(), x.var(), x @ positive, np.cumsum(x)[-1]]).tobytes()
    square = x[:961].reshape(31, 31)
    yield (square @ square.T).tobytes()
    yield special.stdtr(7.5, x).tobytes()
    yield special.betainc(positive, positive[::-1], special.expit(x)).tobytes()


# Workers that are compared with this process while they work: one may join a cluster after all others were
# looked at.


@dataclass(eq=False)
class WorkerCheck:
    """Refuses what was computed by a worker that is unlike this process, or notes in what it is where that was allowed."""

    mixed: bool = False
    unlike: dict[str, str] = field(default_factory=dict)
    """The differences found, by worker."""

    def look(self, wanted: "Identity | None", found: "Identity | None") -> None:
        if wanted is None or found is None or wanted == found:
            return
        words = wanted.unlike(found)
        self.note({words: words})

    def note(self, unlike: dict[str, str]) -> None:
        if unlike and not self.mixed:
            raise _refusal(unlike)
        self.unlike |= unlike


def _refusal(unlike: dict[str, str]) -> UsageError:
    name, words = next(iter(unlike.items()))
    who = "a worker" if name == words else f"worker {name}"
    more = f" (and {len(unlike) - 1} more)" if len(unlike) > 1 else ""
    return UsageError(
        f"{who}{more} would not compute the same bits: {words}. Give all workers the same versions and processors, "
        f"or pass {option('mixed')}, which marks the answer"
    )


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
class InFile:
    """A pickled subject in a file that every process of this machine can read."""

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
    """The results of a bundle, the identity of its worker (None: this process), and the seconds it took."""

    results: Any
    seconds: float
    worker: Identity | None

    def unpacked(self) -> list[Any]:
        found: list[Any] = pickle.loads(self.results) if self.worker is not None else self.results  # noqa: S301  (of our own workers)
        return found


_known: OrderedDict[str, Any] = OrderedDict()


def compute_bundle(function: Callable[..., Any], calls: Sequence[Call], *subjects: Packed | InFile) -> Reply:
    """The function that a remote worker runs; calls about a subject name it by its place among `subjects`."""
    keep_freed_memory()
    # As in the process that asks: sums of large products differ in their last bits between one thread and several.
    with ONE_THREAD:
        results, seconds = _made(function, calls, _unpacked, subjects)
    return Reply(_packed(results), seconds, own_identity())


def compute_bundle_here(function: Callable[..., Any], calls: Sequence[Call], *subjects: Any) -> Reply:
    """Run a bundle on a thread of this process, without pickling."""
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


def _unpacked(subject: Packed | InFile) -> Any:
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
        return pickle.dumps([Raised(RuntimeError(f"{type(told.error).__name__}: {told.error}"), told.place)], PLAIN)
