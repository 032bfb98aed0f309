"""From what was spelled to those who do the work."""

from concurrent.futures import Executor

from tellapart.workers.comparing import Compared
from tellapart.workers.crew import Borrowed, Crew, Threads
from tellapart.workers.identity import own
from tellapart.workers.spelled import Hands


def opened(hands: Hands, compared: Compared) -> Crew:
    """Started or reached, and compared with this process; whoever opens it closes it."""
    if hands.kind == "threads":
        return Threads(hands.number)
    if hands.kind == "processes":
        from tellapart.workers.processes import Processes  # noqa: PLC0415  (few are asked for)

        return Processes(hands.number)
    if hands.kind == "executor":
        return _borrowed(hands.where, compared)
    from tellapart.workers import cluster  # noqa: PLC0415  (an extra, and slow to load)

    return cluster.opened(hands, compared)


def _borrowed(executor: Executor, compared: Compared) -> Crew:
    if type(executor).__module__.partition(".")[0] == "distributed":
        from tellapart.workers import cluster  # noqa: PLC0415  (an extra, and slow to load)

        return cluster.of_executor(executor, compared)
    return Borrowed(executor, own())
