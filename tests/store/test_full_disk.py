"""A disk that is really full: a small one in memory, where this user may make one."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tellapart import plan
from tellapart.answers.parts import codes
from tellapart.verbs.store import contents

POPULATION = "beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.01)"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Of a megabyte."""
    made = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(tmp_path)]
    try:
        subprocess.run(made, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("this user may mount no disk")
    try:
        yield tmp_path
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


def test_the_answer_comes_and_the_store_opens(disk: Path) -> None:
    """What does not fit is noted; with room again, the same store is filled."""
    asked = {"items": 300, "test": "paired_t", "replicates": 300_000}
    plain = plan(POPULATION, **asked)
    (disk / "fill").write_bytes(bytes(930 << 10))
    answer = plan(POPULATION, **asked, store=disk / "s.db")
    assert "not_stored" in codes(answer.notes)
    assert answer.rows == plain.rows
    (disk / "fill").unlink()
    assert contents(disk / "s.db").rows[0].replicates < 300_000
    again = plan(POPULATION, **asked, store=disk / "s.db")
    assert "not_stored" not in codes(again.notes)
    assert again.rows == plain.rows
    assert contents(disk / "s.db").rows[0].replicates == 300_000
