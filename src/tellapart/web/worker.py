"""Main loop of a worker process: niced, single-threaded, and sandboxed by an audit hook.

The wall is an audit hook, which cannot be taken away again: whatever the code says, Python opens no file of the host, no address and no
program. What was installed may still be read, because modules are imported when they are needed.
"""

import contextlib
import gc
import os
import signal
import socket
import sys
import sysconfig
import time
from pathlib import Path
from typing import Any

import tellapart
from tellapart.foundation.progress import reporting_to
from tellapart.web.job_handler import answered, warmed
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import LONG, READY, REPLY, Job, WorkerLine


class TakesLong(BaseException):
    """An answer that will take more of the processor than this worker has for it; no handler of errors on its way is meant."""


class Foresight:
    """Listens to the progress of an answer, and ends it where what is left will take too long."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.started = seconds, time.process_time()
        self.began: dict[str, float] = {}

    def __call__(self, doing: str, done: float, total: float) -> None:
        now = time.process_time()
        if not done:
            self.began[doing] = now
            return
        # What tells nothing at its beginning began with the answer.
        spent = now - self.began.get(doing, self.started)
        if spent > NOTICEABLE and spent * total / done > self.seconds:
            raise TakesLong


NOTICEABLE = 0.05
"""Seconds of the processor after which a part of an answer tells how long the whole will take."""


def work(end: socket.socket, limits: ServeLimits, niceness: int, foreseen: float | None) -> None:
    """Answer jobs until the server hangs up; with `foreseen` give up those that will take more seconds than that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C is for the server, which then hangs up
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    with contextlib.suppress(OSError):
        os.nice(niceness)
    # Whatever path slips through is one below a folder that holds nothing of the server's.
    os.chdir(Path(__file__).parent)
    sys.path[:] = [entry for entry in sys.path if entry]
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1):
        os.dup2(nowhere, number)
    warmed()
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  (what commands say beside an answer)
    enclose()
    gc.collect()
    gc.freeze()  # all that is here now stays, and need not be looked at again
    line = WorkerLine(end)
    line.say(READY)
    with contextlib.suppress(EOFError, OSError):
        while True:
            job = Job.from_bytes(line.hear())
            try:
                with reporting_to(None if foreseen is None else Foresight(foreseen)):
                    reply = answered(job, limits).to_bytes()
            except TakesLong:
                line.say(LONG)
            else:
                line.say(REPLY, reply)


# The wall.

_OPENING = frozenset(("open", "os.listdir", "os.scandir"))
_REFUSED = (
    "socket.connect",
    "socket.bind",
    "socket.sendto",
    "socket.getaddrinfo",
    "socket.gethostbyname",
    "subprocess.Popen",
    "os.system",
    "os.exec",
    "os.posix_spawn",
    "os.spawn",
    "os.fork",
    "os.forkpty",
    "os.startfile",
    "pty.spawn",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "os.chown",
    "shutil.copyfile",
    "shutil.move",
    "shutil.rmtree",
    "tempfile.mkstemp",
    "tempfile.mkdtemp",
    "urllib.Request",
    "glob.glob",
)


class Trespass(PermissionError):
    """A worker wanted something that no question needs."""


def installation() -> tuple[str, ...]:
    """Where modules lie: Python's own, those that were installed, and ours; the working directory of the server is none of them."""
    paths = [
        *sysconfig.get_paths().values(),
        sys.prefix,
        sys.base_prefix,
        str(Path(tellapart.__file__).parent),
        *sys.path,
    ]
    return tuple(sorted({os.path.realpath(path) + os.sep for path in paths if path}))


def enclose() -> None:
    """From now on and until this process ends."""
    allowed = installation()
    refused = frozenset(_REFUSED)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in refused or (event in _OPENING and _is_elsewhere(arguments, allowed)):
            # By number: a line of the log, whatever became of the streams; what was wanted is in the question, and not said.
            os.write(2, f"trespass: a worker tried {event}\n".encode())
            raise Trespass(f"a worker does not {event}")

    sys.addaudithook(hook)


def _is_elsewhere(arguments: tuple[Any, ...], allowed: tuple[str, ...]) -> bool:
    """Whether a file is written, or read that was not installed."""
    path, mode, flags = (*arguments, None, None)[:3]
    if isinstance(path, int) or path is None:
        return False
    written = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC))
    if written or (isinstance(mode, str) and not set(mode) <= set("rbt")):
        return True
    place = os.path.realpath(os.fsdecode(path))
    return not f"{place}{os.sep}".startswith(allowed) and place not in _HARMLESS


_HARMLESS = frozenset(("/dev/null", "/dev/urandom", "/proc/cpuinfo", "/proc/meminfo"))
