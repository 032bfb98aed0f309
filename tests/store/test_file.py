"""A file of finished blocks: what it keeps, whom it refuses, and what it does where it cannot write."""

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tellapart.compute.store import Store, file
from tellapart.compute.store.rows import FORMAT, OURS
from tellapart.foundation.errors import ReadError, UsageError

ROOT = Path(__file__).parents[2]


def filled(path: Path, blocks: int = 40) -> dict[tuple[int, int], Any]:
    values = {(number, 327): (327, number, 0, number / 7.0) for number in range(blocks)}
    with Store(path) as store:
        assert store.blocks("a study", 10_000) == {}
        for place, value in values.items():
            store.keep("a study", place, value)
    return values


def test_what_was_kept_is_there_to_the_bit(tmp_path: Path) -> None:
    """Under its own name alone, and in one file once it is closed."""
    values = filled(tmp_path / "a.db")
    with Store(tmp_path / "a.db") as store:
        assert store.blocks("a study", 10_000) == values
        assert store.blocks("another", 10_000) == {}
    assert [one.name for one in tmp_path.iterdir()] == ["a.db"]


def test_it_is_written_each_second_and_not_at_the_end_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no other block comes after it."""
    monkeypatch.setattr(file, "COMMITTED", 0.01)
    with Store(tmp_path / "a.db") as store, Store(tmp_path / "a.db") as other:
        store.blocks("a study", 1)
        store.keep("a study", (0, 1), [1])
        while not other.blocks("a study", 1):
            pass


def test_every_changed_byte_is_found(tmp_path: Path) -> None:
    """Whatever byte of a store is changed: it is refused as it stands, or what is read is what was kept, or less; never something else."""
    path = tmp_path / "a.db"
    values = filled(path, 12)
    content = path.read_bytes()
    refused = 0
    for place in range(0, len(content), 131):
        changed = bytearray(content)
        changed[place] ^= 0x21
        path.write_bytes(changed)
        try:
            with Store(path) as store:
                found = store.blocks("a study", 10_000)
                store.listed()
        except ReadError as error:
            assert "Nothing was changed" in str(error)  # noqa: PT017  (others are read)
            assert path.read_bytes() == changed
            refused += 1
        else:
            assert found.items() <= values.items()
        for beside in tmp_path.glob("a.db-*"):
            beside.unlink()
    assert refused > 10


def test_damaged_names_are_no_text(tmp_path: Path) -> None:
    """SQLite quotes a damaged name of a table or column in its message, and Python then raises an error of its own."""
    path = tmp_path / "a.db"
    filled(path, 3)
    content = path.read_bytes()
    start = content.index(b"CREATE TABLE block")
    for place in range(start, start + 260, 3):
        path.write_bytes(content[:place] + b"\xd3" + content[place + 1 :])
        try:
            with Store(path) as store:
                store.blocks("a study", 10_000)
                store.listed()
        except ReadError as error:
            assert "not a store of tellapart" in str(error)  # noqa: PT017  (some of these bytes are blanks)
        for beside in tmp_path.glob("a.db-*"):
            beside.unlink()


def test_a_changed_digit_is_refused(tmp_path: Path) -> None:
    """Which no check of the database itself finds."""
    path = tmp_path / "a.db"
    filled(path)
    content = path.read_bytes()
    assert b"[327, 5, 0" in content
    path.write_bytes(content.replace(b"[327, 5, 0", b"[327, 6, 0"))
    with Store(path) as store, pytest.raises(ReadError, match="its content is damaged"):
        store.blocks("a study", 10_000)


@pytest.mark.parametrize("length", [1, 99, 100, 4096, 5000])
def test_a_file_that_was_cut_off(tmp_path: Path, length: int) -> None:
    path = tmp_path / "a.db"
    filled(path)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ReadError, match="not a store of tellapart"):
        Store(path)
    assert path.stat().st_size == length


def test_a_file_of_somebody_else_stays_as_it_is(tmp_path: Path) -> None:
    """Text, a database of another program, or a store of another format."""
    text, database, later = (tmp_path / name for name in ("notes.txt", "other.db", "later.db"))
    text.write_text("item,score\n1,0.5\n")
    with sqlite3.connect(database) as other:
        other.execute("CREATE TABLE precious (x)")
    other.close()
    filled(later)
    with sqlite3.connect(later) as newer:
        newer.execute(f"PRAGMA user_version={FORMAT + 1}")
    newer.close()
    for path, why in (
        (text, "not a database"),
        (database, "of another program"),
        (later, f"format {FORMAT + 1}, and this version of tellapart knows format {FORMAT}"),
    ):
        before = path.read_bytes()
        with pytest.raises(ReadError, match=why):
            Store(path)
        assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["later.db", "notes.txt", "other.db"]


@pytest.mark.parametrize("name", [".", "missing/../.", ":memory:/x"])
def test_a_place_that_can_be_no_file(tmp_path: Path, name: str) -> None:
    (tmp_path / ":memory:").write_text("")
    with pytest.raises((ReadError, UsageError)):
        Store(tmp_path / name)


def test_the_header_says_whose_it_is_from_the_first_moment(tmp_path: Path) -> None:
    """While the log is still beside it: a process that is killed now leaves a store, not a stranger's file."""
    with Store(tmp_path / "a.db"):
        head = (tmp_path / "a.db").read_bytes()[:100]
    assert int.from_bytes(head[68:72], "big") == OURS


def test_where_nothing_more_can_be_written(tmp_path: Path) -> None:
    """One failure is kept, what was there before stays, and whoever computes goes on."""
    path = tmp_path / "a.db"
    values = filled(path)
    with Store(path) as store:
        assert store.blocks("a study", 20_000) == values
        pages = store._file.execute("PRAGMA page_count").fetchone()[0]
        store._file.execute(f"PRAGMA max_page_count={pages}")  # a disk without room, as SQLite sees it
        for number in range(40, 4000):
            store.keep("a study", (number, 327), [327, 1, 0, 0.5])
        store.commit()
        assert store.failure == "database or disk is full"
        store.keep("a study", (4001, 327), [327, 1, 0, 0.5])
    with Store(path) as store:
        assert store.blocks("a study", 20_000) == values


def test_on_a_network_one_process_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a rollback journal: the write-ahead log needs memory that machines do not share."""
    monkeypatch.setattr(file, "on_network", lambda _: True)
    monkeypatch.setattr(file, "PATIENCE", 0.01)
    path = tmp_path / "a.db"
    values = filled(path)
    with Store(path) as store:
        assert store._file.execute("PRAGMA journal_mode").fetchone()[0] == "delete"
        assert store.blocks("a study", 1) == values
        with pytest.raises(ReadError, match="another process holds it"):
            Store(path).blocks("a study", 1)


def test_forgetting(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    filled(path, 4000)
    before = path.stat().st_size
    with Store(path) as store:
        store.forget()
        assert store.listed() == []
    assert path.stat().st_size < before / 4


TOGETHER = """
import sys
from tellapart.compute.store import Store
for turn in range(20):
    with Store(f"{sys.argv[1]}.{turn}") as store:
        store.blocks("a study", 10)
        for number in range(10):
            store.keep("a study", (number, 1), [number])
"""


def test_two_processes_make_and_fill_one_file(tmp_path: Path) -> None:
    """At the same moment, twenty times."""
    line = [sys.executable, "-c", TOGETHER, str(tmp_path / "a.db")]
    both = [subprocess.Popen(line, stderr=subprocess.PIPE, text=True, cwd=ROOT) for _ in range(2)]
    for one in both:
        _, error = one.communicate()
        assert one.returncode == 0, error
    for turn in range(20):
        with Store(tmp_path / f"a.db.{turn}") as store:
            assert len(store.blocks("a study", 10)) == 10
