"""Heavy questions are stopped, and nobody else notices."""

import contextlib
import json
import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import Running

PLAN = {"kind": "gaussian", "sd": 0.12, "correlation": 0.8, "effect": 0.01, "power": 0.8}
HEAVY = {"kind": "beta", "mean": 0.6, "sd": 0.2, "correlation": 0.8, "effect": 0.02, "items": 5000, "test": "permutation(resamples=100000)", "replicates": 100000}  # fmt: skip


def workers(server: Running) -> list[int]:
    """The processes that answer: children of the fork server, which is a child of the server."""
    return [inner for one in children(server.process.pid) for inner in children(one)]


def children(pid: int) -> list[int]:
    """Of a process that may end while it is looked at."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            found += map(int, (thread / "children").read_text().split())
    return found


def stat_of(pid: int) -> list[str]:
    """What the system says of a process behind its name; nothing where it has ended."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return []


def until(so: Callable[[], bool], seconds: float = 100) -> bool:
    """Whether it comes to be, however busy the machine is."""
    end = time.monotonic() + seconds
    while not (found := so()) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def spent(server: Running) -> dict[int, int]:
    """Time of the processor that each worker has had, in ticks."""
    return {pid: int(stat[11]) for pid in workers(server) if (stat := stat_of(pid))}


def busy(server: Running, before: dict[int, int], ticks: int = 20) -> bool:
    """Whether a worker computes, or has: that takes time of the processor, which waiting does not."""
    return until(lambda: any(now >= before.get(pid, 0) + ticks for pid, now in spent(server).items()))


def test_what_takes_too_long_is_stopped_and_others_are_answered(serving: Callable[..., Running]) -> None:
    server = serving("--most-seconds", "12")
    answers: list[httpx.Response] = []

    def heavy() -> None:
        with server.client() as other:
            answers.append(other.post("/api/v2/plan", json=HEAVY))

    thread = threading.Thread(target=heavy)
    thread.start()
    with server.client() as client:
        for _ in range(20):
            assert client.post("/api/v2/plan", json=PLAN).status_code == 200
    thread.join()
    assert answers[0].status_code == 422
    said = answers[0].json()
    assert said["error"] == "TooSlow"
    assert "--most-seconds of the server" in said["detail"]
    # The way out can be typed as it stands.
    assert said["detail"].endswith(
        ": tellapart plan beta --mean 0.6 --sd 0.2 --correlation 0.8 --effect 0.02 --items 5000 "
        "--test 'permutation(resamples=100000)' --replicates 100000"
    )


def test_whoever_hangs_up_stops_the_work(server: Running, client: httpx.Client) -> None:
    body = json.dumps(HEAVY).encode()
    head = f"POST /api/v2/plan HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    before, idle = server.said().count(" 499 "), spent(server)
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head.encode() + body)
        assert busy(server, idle), "nobody works on it"
    # The log says that nobody was left; had the work gone on, it would say that it took too long.
    assert until(lambda: server.said().count(" 499 ") > before), server.said()[-500:]
    assert client.post("/api/v2/plan", json=PLAN).status_code == 200


def test_workers_that_die_while_nobody_asks_are_replaced(server: Running, client: httpx.Client) -> None:
    killed = workers(server)
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    assert until(lambda: not set(killed) & set(alive(server)))
    heard: list[str] = []

    def answered() -> bool:
        reply = client.post("/api/v2/plan", json=PLAN)
        heard.append(reply.text)
        return reply.status_code == 200

    # On a busy machine it may take a while until somebody is free again, but nobody hears of those who died.
    assert [until(answered) for _ in range(4)] == [True] * 4
    assert not [one for one in heard if "was ended" in one]


def alive(server: Running) -> list[int]:
    """Those that have not ended, whether or not anybody has noticed."""
    return [pid for pid in workers(server) if stat_of(pid)[:1] not in ([], ["Z"])]


def test_who_loses_its_worker_is_told_to_ask_again(server: Running, client: httpx.Client) -> None:
    got: list[httpx.Response] = []

    def ask() -> None:
        with server.client() as one:
            got.append(one.post("/api/v2/plan", json=HEAVY))

    thread, idle = threading.Thread(target=ask), spent(server)
    thread.start()
    assert busy(server, idle, 200), "nobody works on it"
    for pid in workers(server):
        os.kill(pid, signal.SIGKILL)
    thread.join()
    assert got[0].status_code == 503
    assert "retry-after" in got[0].headers
    assert until(lambda: client.post("/api/v2/plan", json=PLAN).status_code == 200)


def test_two_who_ask_at_once_hear_of_their_own_alone(server: Running) -> None:
    """Forty at a time, each with names that nobody else has."""

    def ask(number: int) -> tuple[int, str]:
        table = f"item,mine{number}a,mine{number}b\n" + "".join(f"q{n},{n % 2},{n % 3 % 2}\n" for n in range(30))
        with server.client() as one:
            return number, one.post("/api/v2/compare", files={"files": (f"t{number}.csv", table.encode())}).text

    with ThreadPoolExecutor(8) as pool:
        for number, text in pool.map(ask, range(40)):
            assert set(re.findall(r"mine\d+[ab]", text)) == {f"mine{number}a", f"mine{number}b"}
            assert set(re.findall(r"t\d+\.csv", text)) <= {f"t{number}.csv"}


def test_memory_is_watched_and_a_full_house_says_when_to_come_back(serving: Callable[..., Running]) -> None:
    server = serving("--most-memory", "1000", "--most-waiting", "1", "--quick-seconds", "3", "--most-seconds", "4")
    with server.client() as client:
        answer = client.post("/api/v2/plan", json=HEAVY)
        assert answer.status_code == 422
        assert answer.json()["error"] == "TooLarge"
    statuses: list[tuple[int, str | None]] = []

    def ask() -> None:
        with server.client() as one:
            got = one.post("/api/v2/plan", json=HEAVY)
            statuses.append((got.status_code, got.headers.get("retry-after")))

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {code for code, _ in statuses} <= {422, 503}
    assert any(code == 503 and retry is not None for code, retry in statuses)


def test_a_signal_lets_what_runs_finish(serving: Callable[..., Running]) -> None:
    server = serving("--quick-seconds", "20")
    slow = {**HEAVY, "items": 200, "test": "wilcoxon", "replicates": 40_000}
    got: list[int] = []

    def ask() -> None:
        with server.client() as one:
            got.append(one.post("/api/v2/plan", json=slow).status_code)

    thread, idle = threading.Thread(target=ask), spent(server)
    thread.start()
    assert busy(server, idle, 5), "nobody works on it"
    assert server.end() == 0
    thread.join()
    assert got == [200]
    assert not Path(f"/proc/{server.process.pid}").exists() or server.process.poll() is not None


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ({**PLAN, "test": "paired_t" + " " * 60_000 + "x"}, 400),
        ({**PLAN, "test": "equivalence(test=" * 11 + "sign" + ")" * 11}, 400),
        ({**PLAN, "items": list(range(100, 301)), "power": None}, 422),
        ({"kind": "gaussian", "sd": [0.1] * 20, "correlation": [0.5] * 20, "effect": 0.1}, 422),
        ({**PLAN, "replicates": 10**9}, 422),
        ({**PLAN, "replicates": 10**18}, 422),
        ({**PLAN, "items": 10**300, "power": None}, 400),
    ],
)
def test_questions_made_to_be_large(client: httpx.Client, question: dict[str, object], status: int) -> None:
    answer = client.post("/api/v2/plan", json=question)
    assert answer.status_code == status, answer.text
