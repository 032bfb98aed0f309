"""What is written is whole, or what was there before: full disks, missing rights and kill -9 included."""

import os
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable, write_whole

WRITING = """
import sys
from pathlib import Path
from tellapart.foundation.files import write_whole
print("ready", flush=True)
while True:
    write_whole(Path(sys.argv[1]), "new\\n" * 5_000_000)
"""


def test_written_whole(tmp_path: Path) -> None:
    """With its mode, and through a link."""
    target, link = tmp_path / "a.md", tmp_path / "link.md"
    write_whole(target, "one\n")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, "zwei ü\r\n")
    assert target.read_bytes() == "zwei ü\r\n".encode()
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.md", "link.md"]


def test_a_name_as_long_as_names_can_be(tmp_path: Path) -> None:
    target = tmp_path / ("x" * 255)
    write_whole(target, "kept")
    assert [one.name for one in tmp_path.iterdir()] == [target.name]


def test_rights_of_a_new_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the system gives, and what it withholds is not touched: other threads make files meanwhile."""
    before = os.umask(0o027)
    monkeypatch.setattr(os, "umask", None)
    try:
        write_whole(tmp_path / "a.md", "one\n")
    finally:
        monkeypatch.undo()
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a.md").stat().st_mode) == 0o640


def test_nobody_else_reads_what_replaces_a_private_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, met = tmp_path / "a.md", []
    target.write_text("old\n")
    target.chmod(0o600)
    monkeypatch.setattr(os, "fsync", lambda number: met.append(stat.S_IMODE(os.fstat(number).st_mode)))
    write_whole(target, "new\n")
    assert (met, target.read_text()) == ([0o600], "new\n")


def test_killed_while_writing(tmp_path: Path) -> None:
    """At any moment: the old content or the new, all of it."""
    target = tmp_path / "out.json"
    for wait in (0.0, 0.01, 0.03, 0.1):
        target.write_text("old\n")
        process = subprocess.Popen([sys.executable, "-c", WRITING, str(target)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(wait)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert target.read_text() in {"old\n", "new\n" * 5_000_000}


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    """The good file stays, and nothing lies about."""
    target = tmp_path / "out.json"
    target.write_text("old\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_whole(target, "new\n" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert target.read_text() == "old\n"
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_what_cannot_be_written_is_said_first(tmp_path: Path) -> None:
    """A folder in its place, a file where the folder should be, a file system that takes nothing."""
    (tmp_path / "taken.md").mkdir()
    (tmp_path / "file").write_text("")
    for path in (
        tmp_path / "taken.md",
        tmp_path / "file" / "out.md",
        Path("/proc/out.md"),
        tmp_path / ("x" * 300),
    ):
        with pytest.raises(UsageError):
            refuse_unwritable(path)
    refuse_unwritable(tmp_path / "new" / "out.md")
    assert not list((tmp_path / "new").iterdir())


def test_calibrate_asks_before_it_computes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A second, not minutes, and the exit code of a usage error."""
    (tmp_path / "calibration.json").mkdir()
    start = time.process_time()
    with pytest.raises(SystemExit) as stop:
        main(["calibrate", "--scale", "1000", "--folder", str(tmp_path)])
    assert stop.value.code == 2
    assert time.process_time() - start < 5.0
    assert "calibration.json exists and cannot be overwritten" in capsys.readouterr().err
