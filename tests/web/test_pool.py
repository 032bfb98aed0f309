"""Heavy questions are stopped, and nobody else notices."""

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from tests.web.conftest import Running

PLAN = {"kind": "gaussian", "sd": 0.12, "correlation": 0.8, "effect": 0.01, "power": 0.8}
HEAVY = {"kind": "beta", "mean": 0.6, "sd": 0.2, "correlation": 0.8, "effect": 0.02, "items": 5000, "test": "permutation(resamples=100000)", "replicates": 100000}  # fmt: skip


def workers(server: Running) -> list[int]:
    """The processes that answer: children of the fork server, which is a child of the server."""

    def children(pid: int) -> list[int]:
        threads = Path(f"/proc/{pid}/task").iterdir()
        return [int(one) for thread in threads for one in (thread / "children").read_text().split()]

    found = [inner for one in children(server.process.pid) for inner in children(one)]
    assert found, "nobody to answer"
    return found


def test_what_takes_too_long_is_stopped_and_others_are_answered(serving: Callable[..., Running]) -> None:
    server = serving("--most-seconds", "6")
    answers: list[httpx.Response] = []

    def heavy() -> None:
        with server.client() as other:
            answers.append(other.post("/api/v2/plan", json=HEAVY))

    thread = threading.Thread(target=heavy)
    began = time.monotonic()
    thread.start()
    time.sleep(2.5)  # it is among those that take long by now
    with server.client() as client:
        for _ in range(20):
            asked = time.monotonic()
            assert client.post("/api/v2/plan", json=PLAN).status_code == 200
            assert time.monotonic() - asked < 4  # it would be 6 behind the other
    thread.join()
    assert time.monotonic() - began < 20
    assert answers[0].status_code == 422
    assert answers[0].json()["error"] == "TooSlow"


def test_whoever_hangs_up_stops_the_work(server: Running, client: httpx.Client) -> None:
    body = json.dumps(HEAVY).encode()
    head = f"POST /api/v2/plan HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    before = set(workers(server))
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(head.encode() + body)
        time.sleep(0.5)
    until = time.monotonic() + 5
    while before <= set(workers(server)):
        assert time.monotonic() < until, "nobody was killed"
        time.sleep(0.05)
    assert client.post("/api/v2/plan", json=PLAN).status_code == 200


def test_a_worker_that_dies_is_replaced(server: Running, client: httpx.Client) -> None:
    for pid in workers(server):
        os.kill(pid, signal.SIGKILL)
    # Their death is met by the next who asks, and by nobody after.
    statuses = [client.post("/api/v2/plan", json=PLAN).status_code for _ in range(4)]
    assert set(statuses[1:]) == {200}


def test_memory_is_watched_and_a_full_house_says_when_to_come_back(serving: Callable[..., Running]) -> None:
    server = serving(
        "--most-memory", "1000", "--most-waiting", "1", "--quick-seconds", "3", "--most-seconds", "4"
    )
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
    slow = {**HEAVY, "items": 200, "test": "wilcoxon", "replicates": 20_000}
    got: list[int] = []

    def ask() -> None:
        with server.client() as one:
            got.append(one.post("/api/v2/plan", json=slow).status_code)

    thread = threading.Thread(target=ask)
    thread.start()
    time.sleep(0.4)
    began = time.monotonic()
    assert server.end() == 0
    assert time.monotonic() - began < 15
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
    began = time.monotonic()
    answer = client.post("/api/v2/plan", json=question)
    assert answer.status_code == status, answer.text
    assert time.monotonic() - began < 2
