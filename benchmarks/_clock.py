"""CPU time of a call, or of a command as a user types it: the best of a few, so that a busy machine does not count."""

import os
import resource
import subprocess
import sys
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


def command_seconds(*arguments: str, repeats: int = 1) -> float:
    """The least CPU time, start-up included, of `python` with these arguments; its modules were compiled before."""
    environment = {name: x for name, x in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(repeats):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)
