"""The server under load, on this machine alone: what an answer costs beside the verb itself, users at once, and memory.

    python -m benchmarks.serve 300 10

lets 300 users ask for ten minutes, each two seconds after the last answer, and tells every minute how long they waited.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx

from tellapart import plan

PLAN = {"sd": 0.12, "correlation": 0.8, "effect": 0.01, "items": 400, "test": "paired_t"}
HEAVY = {"kind": "beta", "mean": 0.6, "sd": 0.2, "correlation": 0.8, "effect": 0.02, "items": 5000, "test": "permutation(resamples=100000)", "replicates": 100000}  # fmt: skip
USERS, EACH = 100, 10
ROUNDS, CALLS = 6, 200
FIRST, ALL = 1_000, 10_000
TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """A server that runs, seen from outside."""

    def __init__(self, pid: int, address: str) -> None:
        self.pid, self.address = pid, address

    def family(self) -> list[int]:
        """It and all processes that it started."""
        found, waiting = [], [self.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            for thread in Path(f"/proc/{pid}/task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
        return found

    def cpu(self) -> float:
        stats = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self.family()]
        return sum(int(one[11]) + int(one[12]) for one in stats) / TICK

    def resident(self) -> float:
        """Gigabytes of all of them; what they share counts for each."""
        pages = [int(Path(f"/proc/{pid}/statm").read_text().split()[1]) for pid in self.family()]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / 1e9

    def ask(self, times: int) -> list[float]:
        """Seconds that each of so many answers took, one after the other."""
        took = []
        with httpx.Client(base_url=self.address, timeout=120) as client:
            for _ in range(times):
                began = time.perf_counter()
                answer = client.post("/api/v2/plan", json={"kind": "gaussian", **PLAN})
                assert answer.status_code == 200, answer.text
                took.append(time.perf_counter() - began)
        return took


@contextmanager
def serving() -> Iterator[Server]:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port = place.getsockname()[1]
    command = [sys.executable, "-m", "tellapart", "serve", "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert "listening" in process.stderr.readline()
    lines = process.stderr
    threading.Thread(target=lambda: [None for _ in lines], daemon=True).start()
    try:
        yield Server(process.pid, f"http://127.0.0.1:{port}")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def rows() -> list[tuple[str, float, float, str]]:
    """The peer is what the server may take, so that what counts is that the ratio is 1 or more."""
    with serving() as server:
        each, alone = _cpu(server)
        quiet, beside = _beside_a_heavy_one(server)
        _many_at_once(server)
        server.ask(FIRST)
        early = server.resident()
        server.ask(ALL - FIRST)
        late = server.resident()
    return [
        ("CPU of the server per answer (1.3 x the verb + 2 ms)", each, 1.3 * alone + 0.002, "1x"),
        ("seconds of an answer while a heavy one runs (2 x without)", beside, 2 * quiet, "1x"),
        (f"GB of memory after {ALL:,} requests (1.1 x after {FIRST:,})", late, 1.1 * early, "1x"),
    ]


def _cpu(server: Server) -> tuple[float, float]:
    """CPU seconds of an answer and of the verb alone, the least of some rounds: in turns, so that both meet the same machine."""
    server.ask(50)
    rounds = [(_per_call(server.cpu, server.ask), _per_call(time.process_time, _call)) for _ in range(ROUNDS)]
    return min(one for one, _ in rounds), min(one for _, one in rounds)


def _per_call(clock: Callable[[], float], work: Callable[[int], object]) -> float:
    before = clock()
    work(CALLS)
    return (clock() - before) / CALLS


def _call(times: int) -> None:
    for _ in range(times):
        plan("gaussian", **PLAN).to_json()


def _many_at_once(server: Server) -> None:
    """A hundred users; none is lost, or this fails."""
    with ThreadPoolExecutor(USERS) as users:
        took = list(users.map(server.ask, [EACH] * USERS))
    assert sum(map(len, took)) == USERS * EACH


def _beside_a_heavy_one(server: Server) -> tuple[float, float]:
    """The median answer before, and while one is simulated among those that take long."""
    quiet = sorted(server.ask(100))[50]
    heavy = threading.Thread(
        target=lambda: httpx.post(f"{server.address}/api/v2/plan", json=HEAVY, timeout=120), daemon=True
    )
    heavy.start()
    time.sleep(3)  # it has left the quick ones by now
    beside = sorted(server.ask(100))[50]
    heavy.join()
    return quiet, beside


THINKS = 2.0
"""Seconds between an answer and a user's next question."""
SHEET = "item,old,new\n" + "".join(f"q{i},{i % 3 > 0:d},{i % 4 > 0:d}\n" for i in range(200))


def crowd(users: int, minutes: float) -> None:
    """Plans and comparisons in turn, no two alike; what each minute took, and the memory at its end."""
    with serving() as server, ThreadPoolExecutor(users) as people:
        until = time.monotonic() + 60.0 * minutes
        took: list[float] = []
        asking = [people.submit(_user, server, number, until, took) for number in range(users)]
        while time.monotonic() < until:
            time.sleep(60.0)
            waited, took[:] = sorted(took), []
            median, slowest = waited[len(waited) // 2], waited[-1]
            print(f"{len(waited)} answers, median {median:.2f} s, slowest {slowest:.2f} s, {server.resident():.3f} GB", flush=True)  # fmt: skip
        refused = sum(one.result() for one in asking)
    print(f"{refused} refused or lost")


def _user(server: Server, number: int, until: float, took: list[float]) -> int:
    """How many of this user's questions had no answer."""
    unanswered = turn = 0
    with httpx.Client(base_url=server.address, timeout=120) as client:
        time.sleep(THINKS * (number % 97) / 97)
        while time.monotonic() < until:
            began, turn = time.perf_counter(), turn + 1
            effect = 0.005 + 1e-6 * (1000 * turn + number)
            if turn % 2:
                answer = client.post("/api/v2/plan", json={"kind": "gaussian", **PLAN, "effect": effect})
            else:
                sheet = SHEET + f"q{number}-{turn},1,0\n"
                answer = client.post("/api/v2/compare", files={"files": ("scores.csv", sheet)})
            unanswered += answer.status_code != 200
            took.append(time.perf_counter() - began)
            time.sleep(THINKS)
    return unanswered


if __name__ == "__main__":
    crowd(int(sys.argv[1]), float(sys.argv[2]))
