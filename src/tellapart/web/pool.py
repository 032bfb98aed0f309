"""Processes that answer, as many as are allowed: one that takes too long, grows too large or is no longer wanted is killed and replaced."""

import asyncio
import math
import os
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tellapart import threads
from tellapart.web.job import Reply
from tellapart.web.limits import ServeLimits
from tellapart.web.worker import HEARD, READY, work

LOOK = 0.05
"""Seconds between two looks at what a worker takes."""
LATER = 1.0
"""Seconds after which a worker that did not start is tried again."""
BUSY = 10
"""How much longer than its time of the processor a quick answer may take on a machine that has much else to do."""
STARTING = 120.0
"""Seconds in which a worker is up, on a machine that has much else to do."""


class Exceeded(Exception):
    """An answer that was given up."""


class TooSlow(Exceeded):
    pass


class TooLarge(Exceeded):
    pass


class Died(Exceeded):
    pass


class Unheard(Exception):
    """A worker that was dead, or about to be, before it was asked anything."""


class Full(Exception):
    """Nobody is free, and enough are waiting."""


@dataclass(frozen=True)
class Terms:
    """On which a pool answers."""

    seconds: float
    """On the clock of whoever waits."""
    processor: float
    """Seconds of the processor: those of the clock pass while others compute."""
    memory: int
    niceness: int


class Worker:
    """One process, seen from the server."""

    def __init__(self, limits: ServeLimits, terms: Terms) -> None:
        context = get_context("forkserver")
        self._terms = terms
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(theirs, limits, terms.niceness), daemon=True)
        self._process.start()
        theirs.close()
        self._system = Path(f"/proc/{self._process.pid}")
        if not self._line.poll(STARTING) or self._line.recv_bytes() != READY:
            raise RuntimeError("a worker did not start")

    def ask(self, job: bytes) -> Reply:
        """The answer, or why there is none; called in a thread, because it waits."""
        began = self._clocks()
        heard = False
        try:
            self._line.send_bytes(job)
            while True:
                self._wait(began)
                said = self._line.recv_bytes()
                if heard:
                    return Reply.from_bytes(said)
                heard = said == HEARD
        except (EOFError, OSError):
            raise (Died if heard else Unheard) from None

    def _wait(self, began: tuple[float, float]) -> None:
        """For its next word, within what it may take."""
        while not self._line.poll(LOOK):
            seconds, processor = (now - then for now, then in zip(self._clocks(), began, strict=True))
            if seconds > self._terms.seconds or processor > self._terms.processor:
                raise TooSlow
            if self.resident() > self._terms.memory:
                raise TooLarge

    def _clocks(self) -> tuple[float, float]:
        """Of whoever waits, and of the processor, where the system says it."""
        now = time.monotonic()
        try:
            spent = (self._system / "stat").read_text().rpartition(")")[2].split()[11:13]
            return now, sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")
        except (OSError, ValueError):
            return now, math.nan

    def resident(self) -> int:
        """Bytes of memory that it holds; 0 where the system does not say."""
        try:
            return int((self._system / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, ValueError, IndexError):
            return 0

    @property
    def pid(self) -> int:
        return self._process.pid or 0

    def kill(self) -> None:
        self._process.kill()
        self._process.join()
        self._line.close()


class Pool:
    """So many workers on the same terms, and a line of those who wait for one."""

    def __init__(self, size: int, limits: ServeLimits, terms: Terms) -> None:
        self._size, self._limits, self._terms = size, limits, terms
        self._threads = ThreadPoolExecutor(2 * size)
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self.workers: set[Worker] = set()
        self._waiting = 0
        self._replacing: set[asyncio.Task[None]] = set()
        self._closed = False

    async def start(self) -> None:
        await asyncio.gather(*(self._add() for _ in range(self._size)))

    async def run(self, job: bytes) -> Reply:
        """The answer of the next worker that is free and hears the question; whoever cancels this has the worker killed."""
        while True:
            try:
                return await self._asked(await self._free(), job)
            except Unheard:
                continue  # it died while nobody asked it anything, so nobody need hear of it

    async def _asked(self, worker: Worker, job: bytes) -> Reply:
        asked = asyncio.get_running_loop().run_in_executor(self._threads, worker.ask, job)
        try:
            reply = await asyncio.shield(asked)
        except (Exceeded, Unheard, asyncio.CancelledError):
            self._replace(worker)
            # What the thread says of a worker that was killed under it is of no interest.
            asked.add_done_callback(lambda done: done.cancelled() or done.exception())
            raise
        self._idle.put_nowait(worker)
        return reply

    async def _free(self) -> Worker:
        if self._idle.empty() and self._waiting >= self._limits.most_waiting:
            raise Full
        self._waiting += 1
        try:
            async with asyncio.timeout(self._limits.most_seconds):
                return await self._idle.get()
        except TimeoutError:
            raise Full from None
        finally:
            self._waiting -= 1

    def _replace(self, worker: Worker) -> None:
        self.workers.discard(worker)
        task = asyncio.get_running_loop().create_task(self._replaced(worker))
        self._replacing.add(task)
        task.add_done_callback(self._replacing.discard)

    async def _replaced(self, worker: Worker) -> None:
        await asyncio.to_thread(worker.kill)
        while not self._closed:
            try:
                await self._add()
            except (OSError, EOFError, RuntimeError):  # the machine has no room for it now
                await asyncio.sleep(LATER)
            else:
                return

    async def _add(self) -> None:
        worker = await asyncio.to_thread(Worker, self._limits, self._terms)
        if self._closed:
            await asyncio.to_thread(worker.kill)
            return
        self.workers.add(worker)
        self._idle.put_nowait(worker)

    async def close(self) -> None:
        self._closed = True
        for worker in self.workers:
            await asyncio.to_thread(worker.kill)
        for task in self._replacing:
            task.cancel()
        await asyncio.gather(*self._replacing, return_exceptions=True)
        self._threads.shutdown(wait=False)


class Pools:
    """What is quick is answered in a process that nobody blocks for long; the rest takes its time in the others."""

    def __init__(self, limits: ServeLimits) -> None:
        most, memory = limits.most_seconds, limits.most_memory
        patience = BUSY if Path("/proc/self/stat").exists() else 1
        quick = Terms(min(patience * limits.quick_seconds, most), limits.quick_seconds, memory, 5)
        # Two of them: one that was stopped takes a second to be replaced.
        self.quick = Pool(2, limits, quick)
        self.patient = Pool(limits.patient, limits, Terms(most, most, memory, 10))

    async def start(self) -> None:
        for name in threads.NAMES:
            os.environ[name] = "1"
        get_context("forkserver").set_forkserver_preload(["tellapart.web.answering"])
        await self.quick.start()
        await self.patient.start()

    async def run(self, job: bytes, hurried: bytes) -> Reply:
        """The answer; one that is not quick begins anew, in a hurry."""
        try:
            return await self.quick.run(job)
        except TooSlow:
            return await self.patient.run(hurried)

    async def close(self) -> None:
        await asyncio.gather(self.quick.close(), self.patient.close())
