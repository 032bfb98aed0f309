"""Killed at any moment and started again: the same bits, and nothing that was kept is computed twice."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.store import disturbed

from tellapart.compute import Runner
from tellapart.studies.calibration import run as calibration_run

ROOT = Path(__file__).parents[2]


UNDISTURBED: dict[str, Callable[[], Any]] = {
    "plan": lambda: disturbed.simulated(Runner(1)),
    "calibrate": lambda: disturbed.calibrated(1),
}


@pytest.mark.parametrize("kind", UNDISTURBED)
def test_killed_twenty_times(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.store.disturbed",
            kind,
            str(tmp_path / "study.db"),
            str(tmp_path / "notes"),
            "18",
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for name in ("lines", "unlisted"):  # the script sets them for good
        monkeypatch.setattr(calibration_run, name, getattr(calibration_run, name))
    assert found["answer"] == UNDISTURBED[kind]()
    assert found["left"] == ["study.db"]
    lives = [(tmp_path / f"notes.{number}").read_text().splitlines() for number in range(disturbed.KILLED + 1)]
    assert sum("killed" in life for life in lives) >= 10
    _nothing_kept_is_computed_twice(lives)


def _nothing_kept_is_computed_twice(lives: list[list[str]]) -> None:
    kept: set[str] = set()
    perhaps: set[str] = set()
    times: Counter[str] = Counter()
    for life in lives:
        waiting: set[str] = set()
        written: set[str] = set()
        begun: set[str] = set()
        for line in life:
            what, _, which = line.partition(" ")
            if what == "computed":
                begun.add(which)
                times[which] += 1
                assert which not in kept, f"block {which} was in the file and was computed again"
            elif what == "finished":
                waiting.add(which)
            elif what == "committing":
                written = set(waiting)
            elif what == "committed":
                kept |= written
                # Another thread commits: what was handed to it while it did, and told of afterwards, may have gone along.
                perhaps |= begun - written
        # A kill between a commit and its word, or between keeping a block and its word, leaves blocks of which nobody told
        # that they are in the file.
        perhaps |= written | (begun - waiting)
    assert kept <= set(times) <= kept | perhaps
    # Two threads have a handful of blocks under way, and one commit's worth may be lost, at each of the kills.
    assert sum(times.values()) > len(times)
