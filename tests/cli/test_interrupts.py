"""Real signals to real processes: an interrupted command prints no number that it would not stand for."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.exhaustive import exhaustive

from tellapart.compute import Runner
from tellapart.studies.reproduction import reproduce

COMMAND = [sys.executable, "-m", "tellapart"]
EXAMPLES = Path(__file__).parents[2] / "examples"
POWER = (
    *("plan", "beta", "--mean", "0.6", "--sd", "0.15", "--correlation", "0.7", "--effect", "0.05"),
    *("--items", "100", "--replicates", "100000000", "--format", "json"),
)
SLOW = {
    "plan": POWER,
    "pilot": (
        *("plan", "pilot", str(EXAMPLES / "retrieval.csv"), "--a", "baseline", "--b", "candidate", "--effect"),
        *("0.01", "--items", "500", "--test", "permutation(resamples=99999)", "--replicates", "100000"),
    ),
    "compare": (
        *("compare", "pair.csv", "--test", "bootstrap(resamples=1000000)"),
    ),
    "search": (
        *("plan", "pilot", str(EXAMPLES / "retrieval.csv"), "--a", "baseline", "--b", "candidate", "--effect"),
        *("0.002", "--power", "0.8", "--test", "permutation"),
    ),
    "rank": ("rank", "board.csv", "--resamples", "1000000"),
    "audit": ("audit", "claims.csv"),
    "reproduce": ("reproduce", "--replicates", "10000000"),
    "calibrate": ("calibrate",),
}  # fmt: skip


SOON = 1.0
"""Seconds that a command may take to stop, not counting those in which it waits for a processor that others use."""
STARTED = 1.5
"""Seconds of computing after which modules are imported and something is being computed."""


class Running:
    """A command that runs until it is sent a signal, after so many seconds of computing (a busy machine takes longer)."""

    def __init__(self, *arguments: str, after: float = STARTED, code: str | None = None) -> None:
        command = [*COMMAND, *arguments] if code is None else [sys.executable, "-c", code]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while self.process.poll() is None and self._computed() < after:
            time.sleep(0.005)

    def _computed(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _waited(self) -> dict[str, float]:
        """Seconds that each thread was ready to run and had no processor, where the system counts them."""
        waited = {}
        for thread in Path(f"/proc/{self.process.pid}/task").glob("*/schedstat"):
            with contextlib.suppress(OSError, IndexError):  # a thread that has ended
                waited[thread.parent.name] = int(thread.read_text().split()[1]) / 1e9
        return waited

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def end(self) -> tuple[int, str, str, float]:
        """Exit code, output, errors, and the seconds it took, less those in which a thread waited for a processor."""
        start, before, waited = time.monotonic(), self._waited(), 0.0
        try:
            while True:
                try:
                    out, err = self.process.communicate(timeout=0.01)
                    break
                except subprocess.TimeoutExpired:
                    now = self._waited()
                    waited = max([waited, *(now[thread] - before.get(thread, 0.0) for thread in now)])
                    assert time.monotonic() - start < 60.0, "it does not stop"
        finally:
            self.process.kill()
        return self.process.returncode, out, err, time.monotonic() - start - waited


@pytest.mark.parametrize(
    ("number", "code", "word"), [(signal.SIGINT, 130, "interrupted"), (signal.SIGTERM, 143, "terminated")]
)
def test_a_partial_answer_says_so_everywhere(number: signal.Signals, code: int, word: str) -> None:
    """In the answer, its signature and its sentence, on stderr, and by the exit code."""
    running = Running(*POWER)
    running.send(number)
    found, out, err, seconds = running.end()
    assert (found, err.splitlines()[-1]) == (code, f"{word}: the answer that was printed is partial")
    answer = json.loads(out)
    replicates = answer["rows"][0]["replicates"]
    assert answer["partial"] is True
    assert 0 < replicates < 100_000_000
    assert f"replicates={replicates} " in answer["signature"]
    assert f"{replicates:,} of 100,000,000 replicates" in answer["sentence"]
    assert seconds < SOON


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[] if name in {"plan", "rank"} else [exhaustive]) for name in SLOW],
)
def test_every_slow_verb_stops(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within a second, without a traceback, and with an exit code that no gate misreads."""
    monkeypatch.chdir(tmp_path)
    scores = np.random.default_rng(0).random((40, 400))
    rows = [f"s{system},{item},{score}" for (system, item), score in np.ndenumerate(scores)]
    Path("board.csv").write_text("\n".join(["system,item,score", *rows]))
    pairs = [f"{item},{a},{b}" for item, (a, b) in enumerate(np.random.default_rng(1).random((5_000, 2)))]
    Path("pair.csv").write_text("\n".join(["item,old,new", *pairs]))
    claims = [f"{1000 + number},0.700,0.720" for number in range(20_000)]
    Path("claims.csv").write_text("\n".join(["items,a,b", *claims]))
    running = Running(*SLOW[name])
    assert running.process.poll() is None, "too fast to be interrupted"
    running.send(signal.SIGINT)
    code, out, err, seconds = running.end()
    assert code == 130
    (last,) = err.splitlines()
    assert last in {"interrupted: nothing was printed", "interrupted: the answer that was printed is partial"}
    assert ("partial" in out) == bool(out) == ("partial" in last)
    assert seconds < SOON


@pytest.mark.parametrize("after", [0.02, 0.04, 0.07, 0.1, 0.2, 0.4])
def test_starting_up_can_be_stopped_too(after: float) -> None:
    """While modules are imported: one line or none, never a traceback of ours."""
    running = Running(*POWER, after=after)
    running.send(signal.SIGINT)
    code, _, err, seconds = running.end()
    # Before the first line of ours runs, the interpreter answers in its own way.
    assert "/tellapart/" not in err.replace("tellapart/__init__.py", "")
    assert code in {130, -signal.SIGINT}
    assert seconds < SOON


EARLY = """
import sys
class Stopped:
    def find_spec(self, name, *_):
        if name == "tellapart.cli.interrupts":
            raise KeyboardInterrupt
import tellapart.cli
sys.meta_path.insert(0, Stopped())
tellapart.cli.main()
"""


@pytest.mark.parametrize("workers", ["processes:2", "dask:2"])
def test_workers_of_our_own_end_with_the_command(workers: str) -> None:
    """Ctrl-C reaches them too, and says nothing there; the answer is partial, and nobody is left behind."""
    command = [*COMMAND, *POWER, "--workers", workers]
    piped = subprocess.PIPE
    with subprocess.Popen(command, stdout=piped, stderr=piped, text=True, start_new_session=True) as process:
        limit = time.monotonic() + 60.0
        while len(busy := _others(process.pid)) < 2 and time.monotonic() < limit:
            time.sleep(0.1)
        assert len(busy) >= 2
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30.0)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "interrupted: the answer that was printed is partial"
    assert "Traceback" not in err
    assert json.loads(out)["partial"] is True
    limit = time.monotonic() + 10.0
    while _others(process.pid) and time.monotonic() < limit:
        time.sleep(0.1)
    assert not _others(process.pid)


def _others(session: int) -> list[int]:
    """The processes of a session that have computed for more than a second, but for the one that started it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            if int(fields[3]) == session and fields[0] != "Z" and seconds > 1.5:
                found.append(int(path.parent.name))
    return [number for number in found if number != session]


def test_before_anybody_listens_there_is_no_traceback_either() -> None:
    ended = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


STUBBORN = """
import time
import tellapart.cli.commands as door
from tellapart.cli import main
def slow(*_):
    try:
        for _ in range(10**12): time.monotonic()
    except KeyboardInterrupt:
        time.sleep(60)
door.run = slow
main()
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_signal_that_comes_twice_at_once_is_one(workers: str) -> None:
    """As from `timeout`, which sends it to the command and then to its group: the answer is printed all the same."""
    running = Running(*POWER, "--workers", workers)
    running.send(signal.SIGTERM)
    running.send(signal.SIGTERM)
    code, out, err, _ = running.end()
    assert (code, err.splitlines()[-1]) == (143, "terminated: the answer that was printed is partial")
    assert json.loads(out)["partial"] is True


def test_a_second_signal_ends_at_once() -> None:
    """Whatever the first one is still waiting for."""
    running = Running(code=STUBBORN)
    running.send(signal.SIGINT)
    time.sleep(0.5)
    assert running.process.poll() is None
    running.send(signal.SIGINT)
    code, _, err, seconds = running.end()
    assert (code, err) == (130, "")
    assert seconds < SOON


DEAF = """
import numpy as np
import tellapart.cli.commands as door
from tellapart.cli import main
def deaf(*_):
    many = np.random.default_rng(0).normal(size=(3000, 3000))
    np.linalg.svd(many)
    print("nobody stopped it")
door.run = deaf
main()
"""


def test_a_call_that_cannot_be_asked_is_ended() -> None:
    """A numerical library that computes for long in one call hears of no signal: a thread ends the process."""
    running = Running(code=DEAF, after=2.0)
    running.send(signal.SIGINT)
    code, out, err, seconds = running.end()
    assert (code, out, err) == (130, "", "interrupted: nothing was printed\n")
    assert seconds < SOON


IGNORING = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from tellapart.cli import main
sys.argv = ["tellapart", *"plan beta --mean 0.6 --sd 0.15 --correlation 0.7 --effect 0.05 --items 100".split(),
            "--replicates", "300000"]
main()
"""


def test_signals_that_were_ignored_stay_ignored() -> None:
    """As for a command that a script starts in the background."""
    running = Running(code=IGNORING)
    running.send(signal.SIGINT)
    code, out, err, _ = running.end()
    assert (code, err) == (0, "")
    assert out.startswith("power: ")


def test_a_table_from_a_part_of_its_replicates_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the last may be one: what follows it is left out."""
    pressed: list[int] = []

    def tell(self: Runner, done: int, total: int) -> None:
        if done > total / 2 and not pressed:
            pressed.append(done)
            raise KeyboardInterrupt

    monkeypatch.setattr(Runner, "tell", tell)
    answer = reproduce("embeddings", replicates=2_000)
    assert pressed
    (note,) = answer.notes
    assert (answer.partial, len(answer.tables), note.values["answered"]) == (True, 1, 1)
    assert 0 < note.values["replicates"] < 2_000
    assert f"{note.values['replicates']:,} of 2,000 simulated evaluations" in answer.sentence


def test_the_process_is_left_as_it_was_found() -> None:
    """A program that calls the command line keeps its own handlers."""
    from tellapart.cli import main  # noqa: PLC0415

    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit):
        main(["--version"])
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.parametrize("verb", ["compare", "rank", "describe"])
def test_reading_can_be_stopped(verb: str, number: signal.Signals, code: int, tmp_path: Path) -> None:
    """One line, no traceback, and nothing is left where temporary files lie; what is read has no end, so that it cannot be through."""
    process = subprocess.Popen(
        [*COMMAND, verb, "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    assert process.stdin is not None
    process.stdin.write(b"system,item,score\n")
    # A pipe holds some sixty thousand bytes: all others were taken by the command.
    for first in range(0, 100_000, 10_000):
        rows = (f"{'ab'[row % 2]},{row // 2},{row % 7}\n" for row in range(first, first + 10_000))
        process.stdin.write("".join(rows).encode())
    process.stdin.flush()
    process.send_signal(number)
    try:
        process.wait(60.0)
    finally:
        process.kill()
    assert process.stdout is not None
    assert process.stderr is not None
    word = {130: "interrupted", 143: "terminated"}[code]
    assert (process.returncode, process.stdout.read(), process.stderr.read().decode()) == (
        code,
        b"",
        f"{word}: nothing was printed\n",
    )
    assert list(tmp_path.iterdir()) == []
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()
    process.stdout.close()
    process.stderr.close()
