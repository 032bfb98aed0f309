"""The most memory this process ever held."""

import os
import resource
import subprocess
import sys
from pathlib import Path


def peak_bytes() -> float:
    """By the kernel's own mark where there is one: the usual count also holds what the parent had when it started us."""
    status = Path("/proc/self/status")
    if status.exists():
        marks = dict(line.split(":", 1) for line in status.read_text(encoding="ascii").splitlines())
        return float(marks["VmHWM"].split()[0]) * 1024.0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0)


def peak_of(*arguments: str) -> float:
    """The most memory that a command of tellapart ever held, by the kernel's count of that child alone."""
    command = [sys.executable, "-m", "tellapart", *arguments, "--format", "json"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{' '.join(arguments)} ended with {child.returncode}")
    return used.ru_maxrss * (1.0 if sys.platform == "darwin" else 1024.0)
