"""Nothing of the package reaches out: no test of this suite does, nor any command that it runs, and commands answer without a network."""

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.network_guard.sitecustomize import LOG

ROOT = Path(__file__).parents[1]
SCORES = str(ROOT / "examples" / "answers.csv")
COMMANDS = {
    "compare": ("compare", SCORES, "--a", "small", "--b", "large"),
    "rank": ("rank", SCORES),
    "gate": ("gate", "--baseline", SCORES, "--a", "small", "--candidate", SCORES, "--b", "large", "--margin", "0.1"),
}  # fmt: skip


def forget() -> str:
    """What the guard noted, which would fail this test, taken away."""
    log = Path(os.environ[LOG])
    noted = log.read_text()
    log.write_text("")
    return noted


PLACE = ("192.0.2.1", 9)
"""One of the addresses that belong to nobody (RFC 5737)."""


def connect() -> None:
    with socket.socket() as line:
        line.connect(PLACE)


def send() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"x", PLACE)


def look_up() -> None:
    socket.getaddrinfo("tellapart.example", 80)


@pytest.mark.parametrize("reach", [connect, send, look_up])
def test_the_guard_notes_who_reaches_out(reach: Callable[[], None]) -> None:
    """In this process, and in one that it starts."""
    with pytest.raises(PermissionError):
        reach()
    assert forget().endswith(("192.0.2.1\n", "tellapart.example\n"))
    code = f"import socket; socket.socket().connect({PLACE!r})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "PermissionError" in done.stderr
    assert "socket.connect" in forget()


@pytest.mark.parametrize("name", COMMANDS)
def test_without_any_network(name: str, tmp_path: Path) -> None:
    """In a network of its own, in which there is nothing, not even this machine."""
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-n", "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may make no network of its own")
    environment = {**os.environ, "CI": "true"}
    done = subprocess.run(
        [unshare, "-n", sys.executable, "-m", "tellapart", *COMMANDS[name]],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in {0, 1}, done.stderr
    assert "tellapart" in done.stdout
