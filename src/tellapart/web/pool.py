"""Processes that answer, as many as are allowed: one that takes too long, grows too large or is no longer wanted is killed and replaced."""

import asyncio
import os
from multiprocessing import get_context
from pathlib import Path

from tellapart.foundation import blas_threads
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job, WebReply
from tellapart.web.process import Exceeded, Terms, TooSlow, Unheard, Worker

LATER = 1.0
"""Seconds after which a worker that did not start is tried again."""
BUSY = 10
"""How much longer than its time of the processor a quick answer may take on a machine that has much else to do."""


class Full(Exception):
    """Nobody is free, and enough are waiting."""


class Pool:
    """So many workers on the same terms, and a line of those who wait for one."""

    def __init__(self, size: int, limits: ServeLimits, terms: Terms) -> None:
        self._size, self._limits, self._terms = size, limits, terms
        # Who answered last is asked first: what it needs is still at hand for the processor.
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        self.workers: set[Worker] = set()
        self._waiting = 0
        self._replacing: set[asyncio.Task[None]] = set()
        self._closed = False

    async def start(self) -> None:
        await asyncio.gather(*(self._add() for _ in range(self._size)))

    async def run(self, job: bytes) -> WebReply:
        """The answer of the next worker that is free and hears the question; whoever cancels this has the worker killed."""
        while True:
            worker = await self._free()
            try:
                reply = await worker.ask(job)
            except Unheard:  # it died while nobody asked it anything, so nobody need hear of it
                self._replace(worker)
            except (Exceeded, asyncio.CancelledError):
                self._replace(worker)
                raise
            else:
                self._idle.put_nowait(worker)
                return reply

    async def _free(self) -> Worker:
        if not self._waiting and not self._idle.empty():
            return self._idle.get_nowait()
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
        await worker.kill()
        while not self._closed:
            try:
                await self._add()
            except (OSError, EOFError, RuntimeError):  # the machine has no room for it now
                await asyncio.sleep(LATER)
            else:
                return

    async def _add(self) -> None:
        worker = await Worker.started(self._limits, self._terms)
        if self._closed:
            await worker.kill()
            return
        self.workers.add(worker)
        self._idle.put_nowait(worker)

    async def close(self) -> None:
        self._closed = True
        for worker in self.workers:
            await worker.kill()
        for task in self._replacing:
            task.cancel()
        await asyncio.gather(*self._replacing, return_exceptions=True)


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
        for name in blas_threads.NAMES:
            os.environ[name] = "1"
        get_context("forkserver").set_forkserver_preload(["tellapart.web.job_handler"])
        await self.quick.start()
        await self.patient.start()

    async def run(self, job: Job, hurried: Job) -> WebReply:
        """The answer; one that is not quick begins anew, in a hurry."""
        try:
            return await self.quick.run(job.to_bytes())
        except TooSlow:
            return await self.patient.run(hurried.to_bytes())

    async def close(self) -> None:
        await asyncio.gather(self.quick.close(), self.patient.close())
