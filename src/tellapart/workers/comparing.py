"""Workers that are compared with this process while they work: one may join a cluster after all others were looked at."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tellapart.doors import option
from tellapart.errors import UsageError

if TYPE_CHECKING:
    from tellapart.workers.identity import Identity


@dataclass(eq=False)
class Compared:
    """Refuses what was computed by a worker that is unlike this process, or notes in what it is where that was allowed."""

    mixed: bool = False
    unlike: dict[str, str] = field(default_factory=dict)
    """What differs, by the worker or by itself."""

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
        f"{who}{more} would not compute the same bits: {words}. Give all workers the same versions and processors, or pass "
        f"{option('mixed')}, and the answer says that it is not the same everywhere"
    )
