"""One worker process as the server sees it: start, send a job, watch time and memory, kill."""

import asyncio
import math
import os
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess

from tellapart.web.limits import ServeLimits
from tellapart.web.messages import JOB, LONG, READY, Job, WebReply, heard, opening
from tellapart.web.worker import work

LOOK = 0.05
"""Seconds between two looks at what a worker takes."""
STARTING = 120.0
"""Seconds in which a worker is up, on a machine that has much else to do."""
BUFFER = 1 << 20
"""Bytes from a worker that are held before somebody asks for them."""


class Exceeded(Exception):
    """An answer that was given up."""


class TooSlow(Exceeded):
    pass


class Foreseen(Exception):
    """An answer that would be too slow, as its worker sees early enough to stop by itself."""


class TooLarge(Exceeded):
    pass


class Died(Exceeded):
    pass


class Unheard(Exception):
    """A worker that was dead, or about to be, before it was asked anything."""


@dataclass(frozen=True)
class Terms:
    """On which a worker answers."""

    seconds: float
    """Seconds on the clock of the waiting process."""
    processor: float
    """Seconds of the processor: those of the clock pass while others compute."""
    memory: int
    niceness: int
    wait: float | None
    """Seconds that a request waits for its turn before it is refused; None where turns are short, and all come."""
    foresees: bool = False
    """Whether it gives up by itself what it sees will take more of the processor."""


class Usage:
    """The resource usage of a process, from two files that stay open, as they are read for every request."""

    def __init__(self, pid: int) -> None:
        self._files: list[int] = []
        with suppress(OSError):
            for name in ("stat", "statm"):
                self._files.append(os.open(f"/proc/{pid}/{name}", os.O_RDONLY | os.O_CLOEXEC))

    def processor(self) -> float:
        """Seconds of the processor so far; no number where the system does not say."""
        try:
            spent = os.pread(self._files[0], 1024, 0).rpartition(b")")[2].split()[11:13]
            return sum(map(int, spent)) / _TICKS
        except (OSError, ValueError, IndexError):
            return math.nan

    def resident(self) -> int:
        """Bytes of memory that it holds; 0 where the system does not say."""
        try:
            return int(os.pread(self._files[1], 1024, 0).split()[1]) * _PAGE
        except (OSError, ValueError, IndexError):
            return 0

    def close(self) -> None:
        while self._files:
            os.close(self._files.pop())


_TICKS, _PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


class Worker:
    """A process with a line to it. Nothing here waits in a thread: a question costs the server two looks at a socket."""

    def __init__(
        self, process: ForkServerProcess, line: tuple[asyncio.StreamReader, asyncio.StreamWriter], terms: Terms
    ) -> None:
        self._process, self._terms = process, terms
        self._coming, self._going = line
        self._usage = Usage(process.pid or 0)

    @classmethod
    async def started(cls, limits: ServeLimits, terms: Terms) -> "Worker":
        mine, theirs = socket.socketpair()
        with theirs:
            process = get_context("forkserver").Process(
                target=work,
                args=(theirs, limits, terms.niceness, terms.processor if terms.foresees else None),
                daemon=True,
            )
            try:
                await asyncio.to_thread(process.start)
            except BaseException:
                mine.close()
                raise
        one = cls(process, await asyncio.open_unix_connection(sock=mine, limit=BUFFER), terms)
        try:
            async with asyncio.timeout(STARTING):
                kind, _ = await heard(one._coming)
            if kind == READY:
                return one
        except (OSError, EOFError):  # the time that is up is one of them
            pass
        except BaseException:
            await one.kill()
            raise
        await one.kill()
        raise RuntimeError("a worker did not start")

    async def ask(self, job: Job) -> WebReply:
        """The answer, or why there is none.

        A line that breaks while the question is on its way was that of a process that was dead or dying, which has heard
        nothing; one that ends after it was of a process that died of its work.
        """
        if self._coming.at_eof():
            raise Unheard
        try:
            async with self._watched():
                head = job.head
                self._going.write(opening(JOB, len(head) + len(job.body)) + head)
                self._going.write(job.body)
                await self._going.drain()
                kind, content = await heard(self._coming)
        except EOFError:
            raise Died from None
        except OSError:
            raise Unheard from None
        if kind == LONG:
            raise Foreseen
        return WebReply.from_bytes(content)

    @asynccontextmanager
    async def _watched(self) -> AsyncIterator[None]:
        """From time to time it is looked whether it takes more than it may."""
        loop, began = asyncio.get_running_loop(), (time.monotonic(), self._usage.processor())
        found: Exceeded | None = None
        next_look: asyncio.TimerHandle

        def look() -> None:
            nonlocal found, next_look
            found = self._exceeded(*began)
            if found is None:
                next_look = loop.call_later(LOOK, look)
            else:
                allowed.reschedule(loop.time())

        next_look = loop.call_later(LOOK, look)
        try:
            async with asyncio.timeout(None) as allowed:
                yield
        except TimeoutError:
            raise found or TooSlow from None
        finally:
            next_look.cancel()

    def _exceeded(self, clock: float, processor: float) -> Exceeded | None:
        slow = time.monotonic() - clock > self._terms.seconds
        if slow or self._usage.processor() - processor > self._terms.processor:
            return TooSlow()
        return TooLarge() if self._usage.resident() > self._terms.memory else None

    async def kill(self) -> None:
        self._going.transport.abort()
        self._usage.close()
        self._process.kill()
        await asyncio.to_thread(self._process.join)
