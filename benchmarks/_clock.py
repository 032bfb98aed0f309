"""CPU time of a call: the best of a few, so that a busy machine does not count."""

import time
from collections.abc import Callable


def seconds(call: Callable[[], object], repeats: int = 5) -> float:
    """The least CPU time of `repeats` calls, after one that warms caches up."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return max(min(times), 1e-9)
