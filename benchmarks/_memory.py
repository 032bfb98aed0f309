"""The most memory this process ever held."""

import resource
import sys
from pathlib import Path


def peak_bytes() -> float:
    """By the kernel's own mark where there is one: the usual count also holds what the parent had when it started us."""
    status = Path("/proc/self/status")
    if status.exists():
        marks = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return float(marks["VmHWM"].split()[0]) * 1024.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0)
