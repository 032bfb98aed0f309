"""Progress: every command that takes long shows how far it is and how long it will take, to a terminal and to nobody else."""

import io
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

from tellapart.cli import main, progress
from tellapart.readers.storage import files

ROOT = Path(__file__).parents[2]
ANSWERS, RATINGS, RETRIEVAL = (
    str(ROOT / "examples" / name) for name in ("answers.csv", "ratings.csv", "retrieval.csv")
)
SUITE = str(ROOT / "tests" / "golden" / "data" / "suite.csv")
LONG = {
    "swapping systems": ["rank", ANSWERS],
    "drawing items again": ["compare", RETRIEVAL, "--a", "baseline", "--b", "candidate", "--interval", "bootstrap"],
    "recomputing tables": ["reproduce", "reasoning-items"],
    "ranking datasets": ["rank", SUITE, "--datasets", "--missing", "pairwise"],
    "drawing units again": ["agreement", RATINGS],
    "auditing claims": ["audit", "claims.csv"],
    "reading": ["describe", RETRIEVAL],
    "simulating": ["plan", "beta", "--mean", "0.6", "--sd", "0.2", "--correlation", "0.8", "--effect", "0.02", "--items", "300", "--replicates", "300"],
    "simulating scenarios": ["calibrate", "--scale", "0.001"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of two claims."""
    monkeypatch.chdir(tmp_path)
    Path("claims.csv").write_text("name,items,a,b\nx,1000,0.70,0.72\ny,500,0.6,0.7\n", encoding="utf-8")


class Terminal(io.StringIO):
    """Somebody who looks."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("doing", [name for name in LONG if name != "simulating scenarios"])
def test_somebody_who_looks_sees_how_far_it_is(
    doing: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is done, how much of it in per cent, and the time that is left; the answer is the same."""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(files, "LARGE", 1000)
    with pytest.raises(SystemExit) as stop:
        main(LONG[doing])
    assert stop.value.code == 0
    silent, nothing = capsys.readouterr()
    assert nothing == ""
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with pytest.raises(SystemExit):
        main(LONG[doing])
    assert capsys.readouterr().out == silent
    assert doing in seen.getvalue()
    assert re.search(r"\d+%", seen.getvalue())
    assert re.search(r"\d:\d\d:\d\d|-:--:--", seen.getvalue())


def test_what_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A bar that comes and goes within a moment is noise."""
    monkeypatch.setattr(progress, "PATIENCE", 1000.0)
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    for command in (LONG["swapping systems"], LONG["auditing claims"]):
        with pytest.raises(SystemExit):
            main(command)
    assert seen.getvalue() == ""
    assert capsys.readouterr().out


def test_in_a_real_terminal() -> None:
    """A comparison of seconds by resampling: the bar on stderr, gone before the answer is printed on stdout."""
    rows = "".join(f"q{i},{i * 7 % 97 / 97},{i * 11 % 89 / 89}\n" for i in range(20000))
    Path("wide.csv").write_text(f"item,baseline,candidate\n{rows}", encoding="utf-8")
    ours, theirs = pty.openpty()
    words = [
        "compare",
        "wide.csv",
        "--a",
        "baseline",
        "--b",
        "candidate",
        "--test",
        "permutation(resamples=1000000)",
    ]
    running = subprocess.Popen(
        [sys.executable, "-m", "tellapart", *words], stdout=subprocess.PIPE, stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "90"},
    )  # fmt: skip
    os.close(theirs)
    out, _ = running.communicate()
    seen = b""
    while select.select([ours], [], [], 0.2)[0]:
        try:
            more = os.read(ours, 65536)
        except OSError:  # nobody has it open any more
            break
        if not more:
            break
        seen += more
    assert running.returncode == 0
    # Each bar is there once its work has taken a moment: on a quick machine that may be the second alone, or the first.
    assert b"swapping systems" in seen or b"drawing items again" in seen
    assert b"1,000,000 random swaps" in out
    assert b"\x1b" not in out
