"""What became of those who computed, in words; answers of every kind that may take long repeat it."""

from typing import Any

from tellapart.results.note import Note
from tellapart.words.sayings import Sayings

STOPPED: Sayings[Any] = Sayings()
"""Of answers that may be partial, and whose parts may be kept in a store."""


@STOPPED
def mixed_workers(_: Any, unlike: list[str]) -> str:
    return f"some workers are unlike this machine ({'; '.join(unlike)}): computed elsewhere, or here again, the last digits may differ"


@STOPPED
def work_lost(_: Any, work: str, times: int) -> str:
    return (
        f"{work}: every worker that it was given to was lost ({times} of them, at last with nothing else to do), and all that comes after "
        "it is left out; it may need more memory than a worker has"
    )


@STOPPED
def not_stored(_: Any, file: str, failure: str) -> str:
    return f"not all of this could be kept in {file} ({failure}); the answer does not depend on it, and what was kept before is still there"


def cut_short(notes: tuple[Note, ...]) -> str:
    """Whoever quotes a partial answer quotes that it is one."""
    return "".join(
        f" {note.text[:1].upper()}{note.text[1:]}."
        for note in notes
        if note.code in {"interrupted", "time_limit"}
    )
