"""Closed, full and broken streams: what is lost is said, and an exit code means one thing."""

import fcntl
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.cli.commands import run
from tellapart.cli.interrupts import Interrupts

COMMAND = f"{shlex.quote(sys.executable)} -m tellapart"
EXAMPLES = Path(__file__).parents[2] / "examples"
RETRIEVAL = shlex.quote(str(EXAMPLES / "retrieval.csv"))
COMPARE = f"{COMMAND} compare {RETRIEVAL} --a baseline --b candidate"
MANY = f"{COMMAND} reproduce retrieval --format json"
F_SETPIPE_SZ = 1031
"""Linux: how much a pipe holds."""
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")


def shell(line: str) -> tuple[int, str, str]:
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def first(line: str) -> tuple[int, str, str]:
    """The exit code of the first command of a pipe."""
    return shell(f"{line}; exit ${{PIPESTATUS[0]}}")


@pytest.mark.parametrize("line", [COMPARE, MANY, f"{COMMAND} --help", f"{COMMAND} compare --help"])
def test_a_reader_that_leaves_early_is_no_failure(line: str) -> None:
    """As `head` does, or `true`, which never reads."""
    assert first(f"{line} | true") == (0, "", "")
    assert first(f"{line} | head -c 1 >/dev/null") == (0, "", "")


def test_a_gate_fails_whoever_reads_the_answer() -> None:
    """The reader's leaving hides no failed gate."""
    code, _, err = first(f"{COMPARE} --require equivalent --margin 0.0001 | true")
    assert code == 1
    assert err.count("\n") == 1


@FULL
@pytest.mark.parametrize("line", [COMPARE, MANY, f"{COMMAND} --help", f"{COMMAND} --version"])
def test_a_full_disk_loses_the_answer(line: str) -> None:
    """That is exit code 4 and one line, not a traceback of the interpreter's own."""
    code, _, err = shell(f"{line} > /dev/full")
    assert code == 4
    assert err == (
        "Unwritten: the answer could not be printed whole (No space left on device). Make room, or print elsewhere\n"
    )


@pytest.mark.parametrize("line", [COMPARE, f"{COMMAND} --version", f"{COMMAND} nothing"])
def test_closed_output(line: str) -> None:
    """Said before anything is computed."""
    code, _, err = shell(f"{line} >&-")
    assert code == 4
    assert err.startswith("Unwritten: standard output is closed")
    assert err.count("\n") == 1


@pytest.mark.parametrize("broken", ["2>&-", pytest.param("2>/dev/full", marks=FULL)])
def test_nobody_hears_the_messages(broken: str) -> None:
    """An exit code does not depend on who reads stderr."""
    assert shell(f"{COMPARE} {broken} >/dev/null")[0] == 0
    assert shell(f"{COMPARE} --require equivalent --margin 0.0001 {broken} >/dev/null")[0] == 1
    assert shell(f"{COMMAND} nothing {broken}")[0] == 2
    assert shell(f"{COMMAND} compare absent.csv {broken}")[0] == 3
    assert (
        shell(f"{COMMAND} plan pilot {RETRIEVAL} --a baseline --b candidate --effect observed "
              f"--items 50 --replicates 200 {broken}")[0]
        == 0
    )  # fmt: skip


@FULL
def test_everything_is_broken() -> None:
    """Nothing can be said, and the code says it."""
    assert shell(f"{COMPARE} >/dev/full 2>/dev/full") == (4, "", "")
    assert shell(f"{COMPARE} >&- 2>&-") == (4, "", "")


def test_closed_input() -> None:
    """Asked for, it is a file that cannot be read; unasked, nobody minds."""
    code, out, err = shell(f"{COMMAND} compare - <&-")
    assert (code, out) == (3, "")
    assert err.startswith("ReadError: standard input is closed")
    assert shell(f"{COMPARE} <&- >/dev/null")[0] == 0


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("line", [MANY, f"{COMMAND} compare --help"])
def test_a_small_disk(tmp_path: Path, line: str, unbuffered: str) -> None:
    """Half an answer is an error, whatever the half says; left to itself Python would drop the other half in silence."""
    code, _, err = shell(f"export PYTHONUNBUFFERED={unbuffered}; ulimit -f 1; {line} > {tmp_path}/out")
    assert code == 4
    assert err.startswith("Unwritten: the answer could not be printed whole (File too large)")


@pytest.mark.parametrize("argument", [b"\xff.csv", b"--\xff", b"--a=\xe9"])
def test_arguments_that_are_no_text(argument: bytes) -> None:
    """Refused before anything is done with them."""
    done = subprocess.run(
        [sys.executable.encode(), b"-m", b"tellapart", b"compare", argument], capture_output=True, check=False
    )
    assert done.returncode == 2
    assert b"is not UTF-8" in done.stderr.replace(b"are not", b"is not")
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_streams_that_cannot_hold_every_letter(encoding: str) -> None:
    """Help and answers arrive, letters that do not fit spelled out."""
    settings = {**os.environ, "PYTHONIOENCODING": encoding}
    for line in (f"{COMMAND} plan --help", COMPARE):
        done = subprocess.run(shlex.split(line), capture_output=True, env=settings, check=False)
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout


def test_warnings_of_libraries_stay_inside() -> None:
    """A user reads notes, not the source lines of a package."""
    code = (
        "import sys, warnings\n"
        "import tellapart.cli.commands as commands\n"
        "from tellapart.cli import main\n"
        "before = commands._invoke\n"
        "commands._invoke = lambda *given: (warnings.warn('beware'), before(*given))[1]\n"
        "sys.argv = ['tellapart', '--version']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("alpha", ["1e-16", "0", "1", "nan", "-0.05", "5"])
@pytest.mark.parametrize("verb", ["compare", "rank"])
def test_levels_that_are_none(capsys: pytest.CaptureFixture[str], verb: str, alpha: str) -> None:
    """One answer to one question, whichever verb is asked."""
    with pytest.raises(SystemExit) as stop:
        main([verb, str(EXAMPLES / "retrieval.csv"), "--alpha", alpha])
    assert stop.value.code == 2
    assert "alpha" in capsys.readouterr().err


def test_a_closed_stream_keeps_its_number() -> None:
    """The next file that is opened does not become standard input or the place of messages."""
    code = (
        "import os; os.close(0); os.close(2)\n"
        "from tellapart.cli.streams import prepare\n"
        "prepare(); print(os.open(os.devnull, os.O_RDONLY))"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert int(done.stdout) > 2


def test_a_pipe_that_does_not_wait_for_its_reader_gets_the_whole_answer() -> None:
    """Other programs make such pipes; what does not fit yet is waited for, not lost."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    fcntl.fcntl(writer, F_SETPIPE_SZ, 4096)
    line = [sys.executable, "-m", "tellapart", "formats", "--format", "json"]
    with subprocess.Popen(line, stdout=writer, stderr=subprocess.PIPE) as running:
        os.close(writer)
        time.sleep(2.0)  # by then the pipe is full: the answer is longer than it
        with os.fdopen(reader, "rb") as answer:
            page = answer.read()
        assert running.wait() == 0
    assert len(page) > 4096
    assert json.loads(page)


def test_an_interrupt_that_a_library_made_another_error_of_is_an_interrupt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interrupts = Interrupts(owns_process=False)

    def stopped(_: str) -> None:
        interrupts.which = signal.SIGINT
        raise RuntimeError("a worker was told to stop")

    monkeypatch.setattr("tellapart.cli.commands.import_frozen", stopped)
    with pytest.raises(KeyboardInterrupt):
        run(["compare", "scores.csv"], interrupts)


def test_what_was_typed_wrongly_is_printable(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["formats", "\x1b[31m\u202ered"])
    err = capsys.readouterr().err
    assert "unexpected extra argument" in err
    assert not {"\x1b", "\u202e"} & set(err)
