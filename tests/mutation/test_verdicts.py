"""What becomes of one change: noticed, survived, hung, or undecided where the machine may be to blame."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.mutation import records
from tests.mutation.reach import Entered
from tests.mutation.trial import ROOT

SOURCE = "def waited(x):\n    return x * 1\n"
TESTS = "from tellapart.tiny import waited\ndef test_one():\n    assert waited(1) == 1\n"
SCRIPT = """
import sys
from pathlib import Path
from tests.mutation import reach, trial
from tests.mutation.changes import Mutant
root = Path(sys.argv[1])
trial.ROOT, trial.PACKAGE = root, root / "src" / "tellapart"
bench = trial.Bench.of(root / "bench")
entered = bench.record("tests/test_tiny.py")
assert [e.functions for e in entered] == [("tiny.py::waited",)], entered
LINES = (
    ("x * 1", reach.PATIENCE, trial.BUSIEST),
    ("x + 1", reach.PATIENCE, trial.BUSIEST),
    ("waited(x)", reach.PATIENCE, trial.BUSIEST),
    ("[x for _ in iter(int, 1)]", 3.0, 1000.0),
    ("__import__('time').sleep(1000)", 3.0, 2.0),
)
for line, reach.PATIENCE, trial.BUSIEST in LINES:
    text = f"def waited(x):\\n    return {line}\\n"
    print(bench.judged(Mutant(trial.PACKAGE / "tiny.py", 1, "waited", "", text), entered))
assert (trial.PACKAGE / "tiny.py").read_text() == (bench.folder / "changed" / "tellapart" / "tiny.py").read_text()
"""


def test_verdicts(tmp_path: Path) -> None:
    """A loop without end is told by what it computed, whoever else computes; one that waits without computing is not counted as noticed."""
    package, tests = tmp_path / "src" / "tellapart", tmp_path / "tests"
    for folder in (package, tests):
        folder.mkdir(parents=True)
    # pytest loads the package's plug-in whenever it starts.
    for name in ("__init__.py", "pytest_plugin.py"):
        (package / name).touch()
    (package / "tiny.py").write_text(SOURCE, encoding="utf-8")
    (tests / "test_tiny.py").write_text(TESTS, encoding="utf-8")
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.stderr == ""
    assert told.stdout.split() == ["survived", "noticed", "noticed", "hung", "undecided"]


def test_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests are recorded once; again when they, or source that they enter, change, or when there is a new file of source."""
    package, tests, kept = (tmp_path / name for name in ("package", "tests", "kept"))
    monkeypatch.setattr(records, "ROOT", tmp_path)
    monkeypatch.setattr(records, "PACKAGE", package)
    monkeypatch.setattr(records, "KEPT", kept)
    for folder in (package, tests):
        folder.mkdir()
    entered, other, test = package / "entered.py", package / "other.py", tests / "test_a.py"
    for file in (entered, other, test):
        file.touch()
    calls = []

    def record(name: str) -> list[Entered]:
        calls.append(name)
        return [Entered("tests/test_a.py::test_b", 0.5, ("entered.py::f",))]

    def ask() -> int:
        assert records.recorded("tests/test_a.py", record) == [
            Entered("tests/test_a.py::test_b", 0.5, ("entered.py::f",))
        ]
        return len(calls)

    assert [ask(), ask()] == [1, 1]
    for text, file, count in (
        ("1", other, 1),
        ("2", entered, 2),
        ("3", test, 3),
        ("4", package / "new.py", 4),
    ):
        file.write_text(text, encoding="utf-8")
        assert [ask(), ask()] == [count, count]
