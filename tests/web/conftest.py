"""A real server in a process of its own, watched: whatever it or its workers open, reach for or run is told at the end."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
SMALL = (
    "--most-body",
    "2000000",
    "--most-expanded",
    "4000000",
    "--most-rows",
    "40000",
    "--most-systems",
    "60",
)
"""Limits that can be met in a moment."""
PATIENT = ("--most-seconds", "240")
"""On a machine that runs several suites at once half a minute is nothing."""
WATCHED = Path(__file__).parent / "watched_server.py"


@dataclass
class Running:
    """A server that is up, and what it wrote."""

    process: "subprocess.Popen[bytes]"
    port: int
    log: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **more: object) -> httpx.Client:
        return httpx.Client(base_url=self.address, timeout=300, **more)  # type: ignore[arg-type]

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(120)


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        port: int = place.getsockname()[1]
        return port


def started(folder: Path, *flags: str, **environment: str) -> Running:
    """A running server; another port is tried where a program took the free one in between."""
    for _ in range(5):
        server = launched(folder, *flags, **environment)
        until = time.monotonic() + 180
        while "listening:" not in server.said() and server.process.poll() is None:
            assert time.monotonic() < until, server.said()
            time.sleep(0.1)
        if "cannot be listened on" not in server.said():
            break
    assert server.process.poll() is None, server.said()
    return server


def launched(folder: Path, *flags: str, **environment: str) -> Running:
    port = free_port()
    log = folder / f"server-{port}.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, str(WATCHED), "serve", "--port", str(port), *flags],
            cwd=folder,
            stdout=out,
            stderr=out,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), os.environ["PYTHONPATH"])),
                **environment,
            },
        )
    return Running(process, port, log)


def finished(server: Running) -> None:
    """Every server of the suite ends with 0, and nothing in it reached for what no question needs."""
    code = server.end()
    said = server.said()
    assert code == 0, said
    assert "trespass" not in said, said
    assert "Traceback" not in said, said
    # One line per request, and nothing in it that anybody asked.
    for line in said.splitlines():
        assert re.fullmatch(r"listening: .*|(GET|HEAD|POST|OPTIONS|PUT|DELETE|PATCH|-) \S+ \d+ \d+ B \d+ ms", line), (
            line
        )


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The usual server, but less patient with those who say nothing, and with smaller limits."""
    one = started(tmp_path_factory.mktemp("serve"), "--silence", "2", *PATIENT, *SMALL)
    yield one
    finished(one)


@pytest.fixture
def client(server: Running) -> Iterator[httpx.Client]:
    with server.client() as one:
        yield one


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts servers with flags of one's own."""
    up: list[Running] = []

    def start(*flags: str, **environment: str) -> Running:
        up.append(started(tmp_path, *flags, **environment))
        return up[-1]

    yield start
    for one in up:
        if one.process.poll() is None:
            finished(one)
