"""The process in which a request is read and answered: niced, with one thread, walled in, and killed without harm."""

import contextlib
import gc
import os
import signal
import socket
import sys
import time
from pathlib import Path

from tellapart.foundation.progress import reporting_to
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
            job = Job.from_bytes(line.hear())
            try:
                with reporting_to(None if foreseen is None else Foresight(foreseen)):
                    reply = answered(job, limits).to_bytes()
            except TakesLong:
                line.say(LONG)
            else:
                line.say(REPLY, reply)
