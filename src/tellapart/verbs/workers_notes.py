"""What became of those who did the work, as notes of an answer."""

from collections.abc import Iterator

from tellapart.results.note import Note
from tellapart.workers import Runner


def workers_notes(runner: Runner) -> Iterator[Note]:
    """Work that ended every worker it was given to, what could not be kept, and workers that are unlike this process."""
    if runner.lost is not None:
        yield Note("work_lost", {"work": runner.lost.what, "times": runner.lost.times})
    if runner.store is not None and runner.store.failure is not None:
        yield Note("not_stored", {"file": str(runner.store.path), "failure": runner.store.failure})
    if runner.compared.unlike:
        yield Note("mixed_workers", {"unlike": sorted(set(runner.compared.unlike.values()))})
