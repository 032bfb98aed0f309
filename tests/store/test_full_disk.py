"""A disk that is really full: a small one in memory, where this user may make one."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tellapart import plan
from tellapart.answers.parts import codes
from tellapart.foundation.errors import ReadError
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


def test_a_full_disk_leaves_no_empty_store(disk: Path) -> None:
    """It is refused before anything is computed, and nothing of the name is there."""
    with pytest.raises(OSError, match="No space"):
        (disk / "fill").write_bytes(bytes(2 << 20))
    with pytest.raises(ReadError, match="disk is full"):
        plan(POPULATION, items=300, test="paired_t", replicates=3000, store=disk / "s.db")
    assert [one.name for one in disk.iterdir()] == ["fill"]
