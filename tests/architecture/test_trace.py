"""The way from command to page grows no longer. The figures to beat: `python -m tests.architecture.trace COMMAND …`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("command", "walls"),
    [
        # The scores of two systems live in `choosing` beside the rule that reads them: verbs ask them 14 times, of which 94 knew nothing.
        ("compare examples/retrieval.csv --a baseline --b candidate", 135),
        ("audit --a 0.714 --b 0.706 --items 1000", 429),
    ],
)
def test_changes_of_room(command: str, walls: int) -> None:
    """In a process of its own: the caches that other tests fill would shorten the way."""
    arguments = [sys.executable, "-m", "tests.architecture.trace", *command.split()]
    told = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    figures = re.match(r"(\d+) functions in (\d+) files, (\d+) changes of room\n", told)
    assert figures is not None
    assert 0 < int(figures[3]) <= walls
