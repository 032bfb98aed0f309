"""Files that are too much: refused early, in words that name the limit, and read where the limit is raised."""

import gzip
import os
import shlex
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import pytest

from tellapart import Claim, audit, read
from tellapart.cli import main
from tellapart.foundation.errors import ReadError, TellapartError, UsageError
from tellapart.readers.storage.limits import Limits

ROWS = "system,item,score\n" + "".join(f"{s},{i},0.5\n" for i in range(200) for s in "ab")
COMMAND = [sys.executable, "-m", "tellapart", "compare"]


def refusal(source: object, **limits: float) -> str:
    with pytest.raises(ReadError) as error:
        read(source, limits=limits)
    return str(error.value)


def test_what_an_archive_unpacks_to(tmp_path: Path) -> None:
    """Counted while it is unpacked, whatever the archive's own size."""
    packed = tmp_path / "scores.csv.gz"
    packed.write_bytes(gzip.compress(ROWS.encode()))
    assert "more than 1,000 bytes; wanted at most 1,000." in refusal(packed, bytes=1000)
    assert "limits={'bytes': 10000}" in refusal(packed, bytes=1000)
    assert len(read(packed, limits={"bytes": len(ROWS)}).items) == 200
    plain = tmp_path / "scores.csv"
    plain.write_text(ROWS)
    assert "more than 1,000 bytes" in refusal(plain, bytes=1000)
    with zipfile.ZipFile(tmp_path / "run.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("scores.csv", ROWS)
    refusal(tmp_path / "run.zip", bytes=1000)


def test_a_bomb_is_refused_early(tmp_path: Path) -> None:
    """Zeros that unpack to far more than the limit cost as little as the limit."""
    bomb = tmp_path / "scores.csv.gz"
    with gzip.open(bomb, "wb", compresslevel=1) as out:
        out.write(b"system,item,score\n")
        for _ in range(100):
            out.write(b"a,1,0." + b"0" * (1 << 20))
    start = time.process_time()
    assert "bytes" in refusal(bomb)
    assert time.process_time() - start < 5.0


@pytest.mark.parametrize(
    "header",
    ["c" * (100 << 20), "c," * (50 << 20), "item,a,b" + "," * (99 << 20)],
    ids=["one name", "many names", "blanks"],
)
def test_an_endless_header(tmp_path: Path, header: str) -> None:
    """A hundred megabytes without a line end are no header."""
    path = tmp_path / "scores.csv"
    path.write_text(header)
    start = time.process_time()
    assert "line 1: found a line of more than 67,108,864 bytes" in refusal(path)
    assert time.process_time() - start < 4.0


def test_columns(tmp_path: Path) -> None:
    """More names than anybody compares."""
    path = tmp_path / "scores.csv"
    path.write_text(",".join(["item", *map(str, range(50))]) + "\n" + ",".join(["0"] * 51) + "\n")
    assert "line 1: found 51 columns; wanted at most 50" in refusal(path, columns=50)
    read(path, limits={"columns": 51})
    lines = tmp_path / "scores.jsonl"
    lines.write_text('{"item": 1, "a": 1, "b": 2}\n')
    assert "found 3 columns" in refusal(lines, columns=2)


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_nesting(tmp_path: Path, suffix: str) -> None:
    """Brackets in strings are none."""
    deep, flat = "[" * 250 + "]" * 250, '"' + "[" * 250 + '"'
    rows = [f'{{"system": "a", "item": 1, "score": 1, "x": {x}}}' for x in (flat, deep)]
    text = "\n".join(rows) if suffix == "jsonl" else "[" + ",\n".join(rows) + "]"
    path = tmp_path / f"scores.{suffix}"
    path.write_text(text)
    assert "line 2: found brackets nested 251 deep; wanted at most 200" in refusal(path)
    with pytest.raises(TellapartError) as error:
        read(path, limits={"nesting": 300})
    assert "nested" not in str(error.value)


def test_a_long_line_of_one_array(tmp_path: Path) -> None:
    """An array of objects, as programs write it, is one line and no fault."""
    path = tmp_path / "scores.json"
    rows = ",".join(f'{{"system": "{s}", "item": {i}, "score": 1}}' for i in range(50) for s in "ab")
    path.write_text(f"[{rows}]")
    assert len(read(path, limits={"line": 100}).items) == 50


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs devices")
def test_devices() -> None:
    """What never ends is refused before it is read; what is empty says so."""
    for device in ("/dev/zero", "/dev/urandom", "/dev/full"):
        assert refusal(device) == f"{device}: this is a device; wanted a file or a pipe"
    assert "empty" in refusal("/dev/null")


def test_an_endless_pipe(tmp_path: Path) -> None:
    """Read up to the limit and no further."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def feed() -> None:
        try:
            with pipe.open("wb") as out:
                while True:
                    out.write(b"a,1,0.5\n" * 1000)
        except BrokenPipeError:
            pass

    feeding = threading.Thread(target=feed)
    feeding.start()
    assert "more than 1,000,000 bytes" in refusal(str(pipe), bytes=1_000_000)
    feeding.join(10)
    assert not feeding.is_alive()
    done = subprocess.run(
        ["bash", "-c", f"yes a,1,0.5 | {shlex.join(COMMAND)} - --limit bytes=1e6"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    assert "raise the limit: --limit bytes=10000000" in done.stderr


@pytest.mark.parametrize("source", ["-", "/dev/stdin", "/dev/fd/0"])
def test_standard_input_by_any_name(tmp_path: Path, source: str) -> None:
    """Piped or redirected."""
    path = tmp_path / "scores.csv"
    path.write_text(ROWS)
    for line in (f"cat {path} | {shlex.join(COMMAND)} {source}", f"{shlex.join(COMMAND)} {source} < {path}"):
        done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "200 items" in done.stdout


def test_a_pipe_of_the_shell(tmp_path: Path) -> None:
    """Process substitution names a file descriptor."""
    path = tmp_path / "scores.csv"
    path.write_text(ROWS)
    line = f"{shlex.join(COMMAND)} <(cat {path})"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(("given", "error"), [({"bites": 1}, "did you mean 'bytes'"), ({"bytes": "many"}, "at least 1"), ({"line": 0}, "at least 1"), ({"line": float("nan")}, "at least 1")])  # fmt: skip
def test_limits_that_are_none(given: dict[str, float], error: str) -> None:
    """A misspelled limit protects from nothing."""
    with pytest.raises(UsageError, match=error):
        Limits.of(given)


VARIED = "system,item,score\n" + "".join(f"{s},{i},{(i * k) % 7}\n" for i in range(60) for k, s in enumerate("abc", 2))
RESULTS = "baseline,new,agreement\n" + "".join(f"0.{50 + k},0.{55 + k},0.8{k % 7}\n" for k in range(40))
CLAIMS = "n,baseline,ours\n" + "1000,0.700,0.720\n" * 40


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["audit"], CLAIMS),
        (["evidence", "fit"], RESULTS),
        (["evidence", "fit"], VARIED),
        (["rank"], VARIED),
        (["compare"], ROWS),
        (["plan", "pilot"], VARIED),
    ],
    ids=["claims", "results", "scores", "rank", "compare", "pilot"],
)
@pytest.mark.parametrize("name", ["bytes", "columns"])
def test_every_command_that_reads_files_has_the_flag(
    command: list[str], text: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Refused with the very flag that lets the file through."""
    path = tmp_path / "t.csv"
    path.write_text(text)
    ask = [
        *command,
        str(path),
        *(["--effect", "0.1", "--items", "20", "--a", "a", "--b", "b"] if command[0] == "plan" else []),
    ]

    def code(*limit: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as stop:
            main([*ask, *limit])
        return int(stop.value.code or 0), capsys.readouterr().err

    found, err = code("--limit", f"{name}=2")
    assert found == 3
    assert f"raise the limit: --limit {name}=" in err
    needed = err.partition("--limit ")[2].split()[0]
    if name == "columns":
        assert code("--limit", needed)[0] == 0
    assert code("--limit", f"{name}={len(text)}")[0] == 0


def test_a_limit_without_a_file_is_refused() -> None:
    with pytest.raises(UsageError, match="is for a table of claims"):
        audit(Claim(a="0.70", b="0.72", items=1000), limits={"bytes": 10})
