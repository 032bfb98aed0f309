"""`make mutate` from end to end, on the smallest room."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
from tests.mutation.__main__ import ROOMS, chosen, key, witnesses
from tests.mutation.changes import changes
from tests.mutation.equivalent import EVERY, equivalents
from tests.mutation.trial import PACKAGE, ROOT


def test_a_small_room() -> None:
    """Every change of where p meets alpha is noticed, the exit code says so, and the working tree is as before."""
    before = {file: file.read_bytes() for file in PACKAGE.glob("*.py")}
    command = [sys.executable, "-m", "tests.mutation", "decision", "--count", "5"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert told.stdout == "decision: 5 of 5 changes noticed (100.0%)\n"
    assert told.returncode == 0
    assert before == {file: file.read_bytes() for file in PACKAGE.glob("*.py")}


def test_a_room_whose_tests_look_elsewhere() -> None:
    """Negative control: what no test of a room enters is told with its place, and the exit code is 1."""
    script = (
        "import sys; from tests.mutation import __main__ as run; run.witnesses = lambda room: ['tests/test_decision.py']; "
        "sys.argv = ['', 'seeds', '--count', '1']; sys.exit(run.main())"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.stdout.startswith("src/tellapart/foundation/seeds.py:")
    assert "no test comes here:  return " in told.stdout
    assert told.returncode == 1


def test_samples_are_seeded() -> None:
    """The same seed makes the same changes, another makes others."""
    first, again, other = ([key(change) for change in chosen("intervals", 20, seed)] for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_every_room_has_tests() -> None:
    """The rooms that promise a share have a folder of tests of their own, beside the laws."""
    for room in ROOMS:
        assert {f"tests/{room}", "tests/laws"} <= set(witnesses(room))
        assert all((ROOT / Path(folder)).exists() for folder in witnesses(room))


def test_what_is_called_equivalent_is_there() -> None:
    """Every listed change can still be made in its place, and says why nothing can notice it."""
    listed = equivalents()
    possible = [change for file in {PACKAGE / entry.file for entry in listed} for change in changes(file)]
    assert [entry for entry in listed if not any(entry.lets_off(change) for change in possible)] == []
    assert all(len(entry.reason.split()) >= 4 for entry in listed)


def test_a_whole_function_is_let_off_for_a_test() -> None:
    """Where every change of a function is listed, the reason names the test that gets the same answer; tests that are named are there."""
    texts = [file.read_text(encoding="utf-8") for file in (ROOT / "tests").rglob("test_*.py")]
    for entry in equivalents():
        named = re.findall(r"test_\w+", entry.reason)
        assert named or entry.change != EVERY, entry
        assert all(any(f"def {name}(" in text for text in texts) for name in named), entry


def test_any_negative_length_is_the_one_to_be_found() -> None:
    """Why the 1 of `reshape(…, -1)` never becomes 2."""
    table = np.arange(12.0)
    assert table.reshape(3, -2).tolist() == table.reshape(3, -1).tolist()
    assert table.reshape(-2, 4).tolist() == table.reshape(-1, 4).tolist()
