"""Limits on the size of the source tree and on how often a command changes room. They only ever go down.

Targets: 18 rooms, 600 files and 68,000 lines (720 and 98,000 with the capabilities that are being added), 6 % import lines,
20 imports inside functions, 60 files below 40 lines, 150 private names in several files; 60 changes of room for `compare`, 150 for `rank`, 500 for `plan`.
`python -m tests.architecture.measure` prints the figures of the tree, `python -m tests.architecture.trace COMMAND …` those of a command.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.architecture.measure import figures

ROOT = Path(__file__).parents[2]

LIMITS = {
    "rooms": 18,
    "files": 720,
    "lines": 98_000,
    "import lines in percent": 8.0,
    "imports inside functions": 20,
    "files below 40 lines, plug-ins aside": 60,
    "private names in several files": 150,
}


def test_the_tree_keeps_within_its_limits() -> None:
    measured = figures()
    print(measured)  # noqa: T201  (shown by pytest -s, and where it fails)
    assert {title: figure for title, figure in measured.items() if figure > LIMITS[title]} == {}


@pytest.mark.parametrize(
    ("command", "limit"),
    [
        ("compare examples/retrieval.csv --a baseline --b candidate", 89),
        ("rank examples/answers.csv", 200),
        ("audit --a 0.714 --b 0.706 --items 1000", 400),
        ("plan --accuracy 0.7 --effect 0.02 --power 0.8", 552),
    ],
)
def test_changes_of_room(command: str, limit: int) -> None:
    """In a process of its own, with cold caches."""
    arguments = [sys.executable, "-m", "tests.architecture.trace", *command.split()]
    printed = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    print(command, printed.splitlines()[0])  # noqa: T201  (shown by pytest -s, and where it fails)
    found = re.match(r"(\d+) functions in (\d+) files, (\d+) changes of room\n", printed)
    assert found is not None
    assert 0 < int(found[3]) <= limit
