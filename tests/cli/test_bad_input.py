"""Bad input is refused in words with exit code 2 or 3: never an internal error, never a traceback."""

import errno
import io
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tellapart import read
from tellapart.cli import main
from tellapart.foundation.errors import DataError, ReadError
from tellapart.planning.simulated_root import probit_line
from tellapart.planning.study import PowerResult

EXAMPLES = Path(__file__).parents[2] / "examples"
PAIR = (str(EXAMPLES / "retrieval.csv"), "--a", "baseline", "--b", "candidate")


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    assert stop.value.code in {2, 3}, err
    assert out == ""
    assert "internal error" not in err
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(
    "brackets",
    ["[" * 200_000, '{"a":' * 100_000, "[" * 200_000 + "]" * 200_000],
    ids=["arrays", "objects", "closed"],
)
def test_deep_evidence(capsys: pytest.CaptureFixture[str], tmp_path: Path, brackets: str) -> None:
    """Brackets deeper than Python can follow."""
    file = tmp_path / "evidence.json"
    file.write_text(brackets)
    assert "this is not evidence" in refused(
        capsys, "audit", "--a", "0.7", "--b", "0.71", "--items", "1000", "--evidence", str(file)
    )
    refused(capsys, "compare", str(file))


@pytest.mark.parametrize(
    "spelling",
    [
        "(" * 600,
        "(" * 600 + ")" * 600,
        "equivalence(test=" * 600 + ")" * 600,
        "clustered(population=" * 600 + ")" * 600,
    ],
    ids=["open", "closed", "tests", "populations"],
)
def test_deep_spellings(capsys: pytest.CaptureFixture[str], spelling: str) -> None:
    """Parentheses deeper than plug-ins can be wrapped."""
    refused(capsys, "compare", *PAIR, "--test", spelling)
    refused(capsys, "compare", *PAIR, "--interval", spelling)
    refused(capsys, "rank", PAIR[0], "--correction", spelling)
    refused(capsys, "plan", spelling, "--power", "0.8")
    refused(capsys, "plan", "gaussian", "--sd", "1", "--effect", "0.5", "--test", spelling)


def test_strings_in_parquet_that_are_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Parquet checks no string: what is not UTF-8 comes out where it is read."""
    pyarrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    broken = pyarrow.Array.from_buffers(
        pyarrow.string(),
        4,
        [
            None,
            pyarrow.py_buffer(np.arange(0, 10, 2, dtype=np.int32).tobytes()),
            pyarrow.py_buffer(b"ok\xff\xfeokok"),
        ],
    )
    table = pyarrow.table({"system": broken, "item": ["1", "2", "3", "4"], "score": [0.1, 0.2, 0.3, 0.4]})
    parquet.write_table(table, tmp_path / "scores.parquet")
    assert "'system'" in refused(capsys, "compare", str(tmp_path / "scores.parquet"))


@pytest.mark.parametrize(
    "path",
    ["a\0b.csv", "half\ud800.csv", "x" * 5000, "", "/dev/null/x"],
    ids=["NUL", "half", "long", "empty", "below a file"],
)
def test_paths_that_are_none(path: str) -> None:
    """No file can be there, and the message can be printed."""
    for source in (path, [path, "b.csv"], Path(path)):
        with pytest.raises(ReadError) as error:
            read(source)
        str(error.value).encode()


SIMULATED = ["plan", "gaussian", "--sd=0.2", "--correlation=0.5", "--effect=0.1", "--items=9", "--engine=monte_carlo", "--replicates=50"]  # fmt: skip
BELOW = ["rank", "gate", "agreement", "describe", "convert", "store"]


@pytest.mark.parametrize(
    "verb",
    [["evidence", "fit"], ["audit"], ["compare"], [*SIMULATED, "--store"], ["plan", "pilot"], *([one] for one in BELOW)],
    ids=" ".join,
)  # fmt: skip
def test_paths_that_are_too_long(verb: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    err = refused(capsys, *verb, "x" * 300)
    assert len(err) < 1000


def test_more_than_the_memory(tmp_path: Path) -> None:
    """A file that does not fit is a file that cannot be used: one line, exit code 3."""
    file = tmp_path / "scores.csv"
    with file.open("w") as out:
        out.write("system,item,score\n")
        out.writelines(f"a,{'x' * 200}{i},0.5\n" for i in range(600_000))
    limit = 420 << 20
    done = subprocess.run(
        [sys.executable, "-m", "tellapart", "compare", str(file)],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert "memory" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_line_without_a_slope() -> None:
    """Places so near to each other that their matrix has no inverse, as a pilot of few replicates may have them."""
    found = [PowerResult(p, 0.0, 1.0, "monte_carlo", 3, None, None) for p in (1 / 3, 2 / 3)]
    assert probit_line(np.array([1.0, np.nextafter(1.0, 2.0)]), found) is None


def test_frames_with_names_that_are_no_text() -> None:
    """Whatever a frame calls its columns."""
    pandas = pytest.importorskip("pandas")
    for name in (None, 3, ("a", 1), float("nan"), "a\0b"):
        frame = pandas.DataFrame({name: ["1", "2"], "item": ["1", "2"], "score": [1.0, 2.0]})
        with pytest.raises(DataError) as error:
            read(frame)
        str(error.value).encode()


def test_standard_input_that_is_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes are bytes wherever they come from."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"system,item,score\n\x81\x8d,1,1\n")))
    with pytest.raises(ReadError, match="UTF-8"):
        read("-")


def test_what_fills_the_memory_is_too_much_and_no_fault(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: str) -> None:
        raise MemoryError

    monkeypatch.setattr("tellapart.cli.commands.import_frozen", full)
    assert "there is not enough memory" in refused(capsys, "compare", *PAIR)


def test_a_file_that_the_system_refuses_is_no_fault_of_ours(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusing(_: str) -> None:
        raise OSError(errno.ELOOP, "Too many levels of symbolic links", "round\n.csv")

    monkeypatch.setattr("tellapart.cli.commands.import_frozen", refusing)
    said = refused(capsys, "compare", *PAIR)
    assert said.startswith("ReadError: round\\n.csv: Too many levels of symbolic links")


def test_a_fault_of_ours_is_told_in_what_can_be_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: str) -> None:
        raise RuntimeError("\x1b[31mred")

    monkeypatch.setattr("tellapart.cli.commands.import_frozen", broken)
    with pytest.raises(SystemExit, match="4"):
        main(["compare", *PAIR])
    err = capsys.readouterr().err
    assert err.startswith("internal error: RuntimeError: ")
    assert "\x1b" not in err
