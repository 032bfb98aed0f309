"""The last wall around a worker, tried from within: in a process of its own, because nobody can take it down again."""

import subprocess
import sys

WALLED = """
import os, socket, subprocess, sys
from pathlib import Path
import tellapart
from tellapart.web.worker import Trespass, enclose

inside = Path(tellapart.__file__)
enclose()
inside.read_text()
for what in (
    lambda: open("/etc/passwd"),
    lambda: open("/proc/self/environ"),
    lambda: open(inside, "a"),
    lambda: open(inside.parent / ".." / ".." / ".." / ".." / "etc" / "passwd"),
    lambda: os.listdir("/"),
    lambda: os.remove("x"),
    lambda: socket.create_connection(("127.0.0.1", 9)),
    lambda: socket.getaddrinfo("localhost", 80),
    lambda: subprocess.run(["true"]),
    lambda: os.system("true"),
    lambda: os.fork(),
):
    try:
        what()
    except Trespass:
        print("walled")
"""
WORKER = """
import os, socket, threading
from tellapart.web import worker
from tellapart.web.messages import WebReply
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import JOB, WorkerLine
from tellapart.web.worker import work

def answered(job, limits):
    try:
        open("/etc/passwd")
    except PermissionError:
        return WebReply(200, "text/plain", b"walled")
    return WebReply(200, "text/plain", b"open")

worker.answered = answered
mine, theirs = socket.socketpair()

def ask():
    line = WorkerLine(mine)
    line.hear()
    line.say(JOB, b'{"verb": "plan", "form": "json"}\\n')
    os.write(2, b"said: " + line.hear() + b"\\n")
    mine.shutdown(socket.SHUT_RDWR)

threading.Thread(target=ask).start()
work(theirs, ServeLimits(), 0, None)
"""


def run(code: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_no_file_of_the_host_no_address_and_no_program() -> None:
    done = run(WALLED)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["walled"] * 11


def test_a_worker_answers_behind_the_wall() -> None:
    done = run(WORKER)
    assert done.returncode == 0, done.stderr
    assert "said: " in done.stderr
    assert done.stderr.partition("said: ")[2].strip().endswith("walled")
