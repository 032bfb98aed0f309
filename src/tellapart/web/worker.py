"""The process in which a request is read and answered: niced, with one thread, walled in, and killed without harm."""

import contextlib
import gc
import os
import signal
import socket
import sys
from pathlib import Path

from tellapart.web.limits import ServeLimits
from tellapart.web.messages import READY, REPLY, Job, WorkerLine


def work(end: socket.socket, limits: ServeLimits, niceness: int) -> None:
    """Answer jobs until the server hangs up."""
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
    from tellapart.web.job_handler import answered, warmed  # noqa: PLC0415  (loaded in the worker alone)
    from tellapart.web.sandbox import enclose  # noqa: PLC0415

    warmed()
    sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  (what commands say beside an answer)
    enclose()
    gc.collect()
    gc.freeze()  # all that is here now stays, and need not be looked at again
    line = WorkerLine(end)
    line.say(READY)
    with contextlib.suppress(EOFError, OSError):
        while True:
            line.say(REPLY, answered(Job.from_bytes(line.hear()), limits).to_bytes())
