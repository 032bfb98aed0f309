"""Pool of worker processes with fair queueing by client; a slow, oversized or cancelled worker is replaced."""

import asyncio
import os
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

from tellapart.foundation import blas_threads
from tellapart.foundation.seeds import digest
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Job, WebReply
from tellapart.web.process import Exceeded, Foreseen, Terms, TooSlow, Unheard, Worker

LATER = 1.0
"""Seconds after which a worker that did not start is tried again."""
BUSY = 10
"""How much longer than its time of the processor a quick answer may take on a machine that has much else to do."""


KNOWN = 1_000
"""Questions that are remembered to take long."""
SLOW = 60.0
"""Seconds after a question that took long in which its client leaves one quick worker to the others."""


class Full(Exception):
    """All workers are busy, and the queue is full."""


class Turns:
    """Requests that wait for a worker: a line for each client, and the lines are served in turn."""

    def __init__(self, most: int) -> None:
        self._most, self._count = most, 0
        self._lines: OrderedDict[str, deque[asyncio.Future[Worker]]] = OrderedDict()

    def join(self, client: str) -> "asyncio.Future[Worker]":
        line = self._lines.get(client, deque())
        if self._count >= self._most or len(line) >= max(1, self._most // 2):
            raise Full
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._lines[client] = line
        line.append(turn)
        self._count += 1
        return turn

    def leave(self, client: str, turn: "asyncio.Future[Worker]") -> None:
        """Whether it was served or gave up."""
        if turn in self._lines.get(client, ()):
            self._lines[client].remove(turn)
            self._count -= 1
            if not self._lines[client]:
                del self._lines[client]

    def give(self, worker: Worker, may_have: Callable[[str], bool]) -> str | None:
        """The client to whose first request a worker was handed: that of the next line that may have one, if any."""
        for client, line in self._lines.items():
            turn = next((one for one in line if not one.done()), None)
            if turn is not None and may_have(client):
                self._lines.move_to_end(client)
                turn.set_result(worker)
                return client
        return None


class Pool:
    """Workers with equal limits, and the queue for them."""

    def __init__(self, size: int, limits: ServeLimits, terms: Terms) -> None:
        self._size, self._limits, self._terms = size, limits, terms
        # Who answered last is asked first: what it needs is still at hand for the processor.
        self._idle: list[Worker] = []
        self.workers: set[Worker] = set()
        self._turns = Turns(limits.most_waiting)
        self._busy: Counter[str] = Counter()
        self._slow_until: dict[str, float] = {}
        self._replacing: set[asyncio.Task[None]] = set()
        self._closed = False

    async def start(self) -> None:
        await asyncio.gather(*(self._add() for _ in range(self._size)))

    async def run(self, job: Job, client: str) -> WebReply:
        """The answer of the next worker that is free and hears the question; whoever cancels this has the worker killed."""
        while True:
            worker = await self._free(client)
            try:
                try:
                    reply = await worker.ask(job)
                finally:
                    self._done(client)
            except Unheard:  # it died while nobody asked it anything, so nobody need hear of it
                self._replace(worker)
            except (Exceeded, asyncio.CancelledError):
                self._replace(worker)
                raise
            except Foreseen:
                self._release(worker)
                raise
            else:
                self._release(worker)
                return reply

    async def _free(self, client: str) -> Worker:
        if self._idle and self._may_have(client):
            self._busy[client] += 1
            return self._idle.pop()
        turn = self._turns.join(client)
        try:
            await asyncio.wait([turn], timeout=self._terms.wait)
        except asyncio.CancelledError:
            if turn.done():  # given in the moment in which whoever asked left
                self._done(client)
                self._release(turn.result())
            raise
        finally:
            self._turns.leave(client, turn)
        if not turn.done():
            raise Full
        return turn.result()

    def _done(self, client: str) -> None:
        self._busy[client] -= 1
        if not self._busy[client]:
            del self._busy[client]

    def _release(self, worker: Worker) -> None:
        client = self._turns.give(worker, self._may_have)
        if client is None:
            self._idle.append(worker)
        else:
            self._busy[client] += 1

    def was_slow(self, client: str) -> None:
        """From now on and for a while this client leaves a worker to the others."""
        now = asyncio.get_running_loop().time()
        self._slow_until = {name: until for name, until in self._slow_until.items() if until > now}
        self._slow_until[client] = now + SLOW

    def _may_have(self, client: str) -> bool:
        slow = self._slow_until.get(client, 0.0) > asyncio.get_running_loop().time()
        return not slow or self._busy[client] < max(1, self._size - 1)

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
        self._release(worker)

    async def close(self) -> None:
        self._closed = True
        for worker in self.workers:
            await worker.kill()
        for task in self._replacing:
            task.cancel()
        await asyncio.gather(*self._replacing, return_exceptions=True)


class Pools:
    """A pool for quick answers, which none occupies for long, and a pool for the rest."""

    def __init__(self, limits: ServeLimits) -> None:
        most, memory = limits.most_seconds, limits.most_memory
        patience = BUSY if Path("/proc/self/stat").exists() else 1
        quick = Terms(min(patience * limits.quick_seconds, most), limits.quick_seconds, memory, 5, None, foresees=True)
        # Two of them: one that was stopped takes a second to be replaced.
        self.quick = Pool(2, limits, quick)
        self.patient = Pool(limits.patient, limits, Terms(most, most, memory, 10, most))
        self._long: OrderedDict[str, None] = OrderedDict()

    async def start(self) -> None:
        for name in blas_threads.NAMES:
            os.environ[name] = "1"
        get_context("forkserver").set_forkserver_preload(["tellapart.web.job_handler"])
        await self.quick.start()
        await self.patient.start()

    async def run(self, job: Job, hurried: Job, client: str) -> WebReply:
        """The answer; one that is not quick begins anew, in a hurry, and is not tried as a quick one again."""
        name = digest([job.head, job.body])
        if name not in self._long:
            try:
                return await self.quick.run(job, client)
            except (TooSlow, Foreseen):
                self.quick.was_slow(client)
                self._long[name] = None
                while len(self._long) > KNOWN:
                    self._long.popitem(last=False)
        return await self.patient.run(hurried, client)

    async def close(self) -> None:
        await asyncio.gather(self.quick.close(), self.patient.close())
