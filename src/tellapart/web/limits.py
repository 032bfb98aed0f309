"""Limits of the server on request size, computing time, memory, queue and connections, each set by a flag."""

from dataclasses import dataclass

from tellapart.compute.worker_spec import available_cores
from tellapart.foundation.spelling import Question, Range, setting

_SOME = Range(least=1)


@dataclass(frozen=True)
class ServeLimits(Question):
    """Limits of requests; what exceeds them is refused, closed or killed, and other requests go on."""

    most_query: int = setting(8_000, "Bytes of the address behind its question mark.", range=_SOME)
    most_spelling: int = setting(1_000, "Characters of an option.", range=_SOME)
    most_depth: int = setting(10, "Parentheses within each other in a spelling.", range=_SOME)
    most_body: int = setting(64_000_000, "Bytes of a request, with its files.", range=_SOME)
    most_bodies: int = setting(
        512_000_000,
        "Bytes of all requests under way together, beside the first megabyte of each; one client has half of them at most.",
        range=_SOME,
    )
    most_expanded: int = setting(
        512_000_000, "Bytes that the files of a request may unpack to, all together.", range=_SOME
    )
    most_rows: int = setting(
        5_000_000, "Rows of all files of a request; a table with a column per system has a row per score.", range=_SOME
    )
    most_systems: int = setting(500, "Systems of a request.", range=_SOME)
    most_files: int = setting(500, "Files of a request.", range=_SOME)
    most_grid: int = setting(200, "Rows of a plan.", range=_SOME)
    most_replicates: int = setting(100_000, "Simulated evaluations, and resamples.", range=_SOME)
    most_seconds: float = setting(30.0, "Seconds that an answer may take.", range=Range(above=0))
    quick_seconds: float = setting(
        1.0,
        "Seconds of the processor after which an answer makes way for others: it begins anew among those that take long.",
        range=Range(above=0),
    )
    most_memory: int = setting(2_000_000_000, "Bytes of memory that an answer may take.", range=_SOME)
    most_waiting: int = setting(
        500,
        "Requests that wait for their turn; more are told to come back, and one client may have half of them.",
        range=_SOME,
    )
    most_connections: int = setting(500, "Connections at a time.", range=_SOME)
    silence: float = setting(
        10.0,
        "Seconds without a byte of a request that has begun, and seconds in which it is there whole, one more for every 64 kB.",
        range=Range(above=0),
    )
    processes: int | None = setting(
        None,
        "Processes for answers that take long (default: one per core but one); two more answer what is quick.",
        range=_SOME,
    )

    @property
    def patient(self) -> int:
        """One of the cores that this server may use, which in a container are not all of the machine's, is left for the rest."""
        return self.processes or max(1, available_cores() - 1)
