"""SQLite file of finished blocks, one row each, written once per second; several processes may share it."""

import contextlib
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, Self

from tellapart.compute.store.rows import (
    FORMAT,
    OURS,
    Place,
    StoredBlock,
    checksum,
    on_network,
    refuse_foreign,
    unpacked,
    unusable,
)
from tellapart.foundation.files import refuse_unwritable

COMMITTED = 1.0
"""Seconds of finished blocks that a process which is killed may lose."""
PATIENCE = 30.0
"""Seconds that another process may hold the file."""
AGAIN = 0.02
"""Seconds between two tries where SQLite itself does not wait."""

BROKEN = (sqlite3.Error, UnicodeDecodeError)
"""Errors that SQLite raises on a damaged file; its message may quote a damaged name, which is no text."""

STUDY = """
CREATE TABLE study (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, wanted INTEGER NOT NULL, touched REAL NOT NULL, checksum TEXT NOT NULL
)
"""
BLOCK = """
CREATE TABLE block (
  study INTEGER NOT NULL REFERENCES study, number INTEGER NOT NULL, size INTEGER NOT NULL, value BLOB NOT NULL, checksum TEXT NOT NULL,
  PRIMARY KEY (study, number, size)
) WITHOUT ROWID
"""


class StoredStudy(NamedTuple):
    """The stored part of a study: replicates wanted, replicates stored, and in how many blocks."""

    name: str
    wanted: int
    replicates: int
    blocks: int
    touched: float


class Store:
    """Blocks of studies, each study by its name, which says all that its bits depend on.

    Where the file cannot be written any more, nothing more is kept and `failure` says why: the answer does not depend on it.
    """

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self.path = Path(path).absolute()
        self.failure: str | None = None
        self._ids: dict[str, int] = {}
        self._pending: deque[tuple[int, StoredBlock]] = deque()
        self._busy, self._ended = threading.Lock(), threading.Event()
        self._wanted: dict[str, int] = {}
        """Replicates of each study that were wanted before it was asked for here."""
        self._writer: threading.Thread | None = None
        fresh = create and not self._has_content()
        if fresh:
            refuse_unwritable(self.path)
        else:
            refuse_foreign(self.path)
        with self._reading():
            self._file = self._opened(fresh=fresh)

    def _has_content(self) -> bool:
        try:
            return self.path.exists() and self.path.stat().st_size > 0
        except OSError as error:  # a name that no file can have
            raise unusable(self.path, error.strerror or str(error)) from None

    def _opened(self, *, fresh: bool) -> sqlite3.Connection:
        # The writer is another thread: `_busy` lets one of them at the file, and transactions are begun and ended by hand.
        file = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            self._prepare(file, fresh=fresh)
        except BaseException:
            file.close()
            if fresh and not self._has_content():  # a full disk: no empty file is left behind
                self.path.unlink(missing_ok=True)
            raise
        return file

    def _prepare(self, file: sqlite3.Connection, *, fresh: bool) -> None:
        networked = on_network(self.path)
        if networked:
            # The write-ahead log needs memory that processes share, which machines do not.
            file.execute("PRAGMA locking_mode=EXCLUSIVE")
        if fresh:
            _make(file)
        elif file.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
            raise unusable(self.path, "its content is damaged")
        _set_journal_mode(file, "DELETE" if networked else "WAL")
        file.execute("PRAGMA synchronous=NORMAL")

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            busy = "another process holds it" if "locked" in str(error) else str(error)
            raise unusable(self.path, busy) from error
        except UnicodeDecodeError as error:
            raise unusable(self.path, "its content is damaged") from error

    def blocks(self, name: str, wanted: int) -> dict[Place, Any]:
        """The stored blocks of a study, of which this many replicates are wanted now, with those just written."""
        self.commit()
        with self._busy, self._reading():
            asked = "SELECT id, name, wanted, touched, checksum FROM study WHERE name = ?"
            found = self._file.execute(asked, (name,)).fetchone()
            rows = self._rows(*found) if found else []
            self._touch(name, wanted)
        return {(block.number, block.size): unpacked(block.value) for block in rows}

    def _rows(self, study: int, name: str, wanted: int, touched: float, check: str) -> list[StoredBlock]:
        """The blocks of a study; a byte of it that was changed is found before anything is made of it."""
        asked = "SELECT number, size, value, checksum FROM block WHERE study = ?"
        rows = [StoredBlock(*row) for row in self._file.execute(asked, (study,))]
        if check != checksum(name, wanted, touched) or not all(block.sound(name) for block in rows):
            raise unusable(self.path, "its content is damaged")
        return rows

    def _touch(self, name: str, wanted: int) -> None:
        """Note that a study is asked for; where that cannot be written, nothing of it can."""
        with self._writing():
            self._file.execute("BEGIN IMMEDIATE")
            before = self._file.execute("SELECT wanted FROM study WHERE name = ?", (name,)).fetchone()
            self._wanted.setdefault(name, before[0] if before else 0)
            row = name, max(wanted, self._wanted[name]), time.time()
            (self._ids[name],) = self._file.execute(
                "INSERT INTO study (name, wanted, touched, checksum) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET "
                "wanted = excluded.wanted, touched = excluded.touched, checksum = excluded.checksum RETURNING id",
                (*row, checksum(*row)),
            ).fetchone()
            self._file.execute("COMMIT")

    def enough(self, name: str, wanted: int) -> None:
        """Record that a study which stops once it is precise enough needed this many replicates, unless more were wanted before."""
        with self._busy:
            self._touch(name, wanted)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except BROKEN as error:
            if self._file.in_transaction:
                with contextlib.suppress(*BROKEN):
                    self._file.execute("ROLLBACK")
            self.failure = self.failure or str(error)
            self._pending.clear()

    def keep(self, name: str, place: Place, value: Any) -> None:
        """A finished block, which is in the file within a second."""
        if self.failure is None and name in self._ids:
            # Without the lock: a deque takes one more while another thread takes one out, and no block waits for the disk.
            self._pending.append((self._ids[name], StoredBlock.of(name, place, value)))
            if self._writer is None:
                self._writer = threading.Thread(target=self._write, name="tellapart-store", daemon=True)
                self._writer.start()

    def _write(self) -> None:
        while not self._ended.wait(COMMITTED):
            self.commit()

    def commit(self) -> None:
        with self._busy:
            rows = []
            while self._pending:
                study, block = self._pending.popleft()
                rows.append((study, *block))
            if rows and self.failure is None:
                with self._writing():
                    self._file.execute("BEGIN IMMEDIATE")
                    # Another process may have kept the same block: its bits are the same, so either may stay.
                    self._file.executemany("INSERT OR REPLACE INTO block VALUES (?, ?, ?, ?, ?)", rows)
                    self._file.execute("COMMIT")

    def listed(self) -> list[StoredStudy]:
        """Every study that it holds, in the order in which they were first asked for."""
        with self._busy, self._reading():
            asked = "SELECT id, name, wanted, touched, checksum FROM study ORDER BY id"
            return [self._listed(*row) for row in self._file.execute(asked).fetchall()]

    def _listed(self, study: int, name: str, wanted: int, touched: float, check: str) -> StoredStudy:
        rows = self._rows(study, name, wanted, touched, check)
        # A short last block and the whole one that took its place are of the same replicates.
        longest: dict[int, int] = {}
        for block in rows:
            longest[block.number] = max(block.size, longest.get(block.number, 0))
        return StoredStudy(name, wanted, sum(longest.values()), len(rows), touched)

    def forget(self) -> None:
        """All that it holds, and the room that this takes."""
        with self._busy, self._reading():
            self._file.execute("BEGIN IMMEDIATE")
            for table in ("block", "study"):
                self._file.execute(f"DELETE FROM {table}")  # noqa: S608  (two words of ours)
            self._file.execute("COMMIT")
            self._file.execute("VACUUM")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._ended.set()
        self.commit()
        # The writer may still be on its way to a commit: it finds nothing pending, and leaves the file alone.
        with contextlib.suppress(sqlite3.Error):
            self._file.close()


def _make(file: sqlite3.Connection) -> None:
    """Tables and header in one step, before the write-ahead log is turned on: no other process sees half a store."""
    file.execute("BEGIN IMMEDIATE")
    # Another process may have been first while this one waited.
    if file.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        for statement in (STUDY, BLOCK):
            file.execute(statement)
        file.execute(f"PRAGMA application_id={OURS}")
        file.execute(f"PRAGMA user_version={FORMAT}")
    file.execute("COMMIT")


def _set_journal_mode(file: sqlite3.Connection, mode: str) -> None:
    """Turn to the write-ahead log, waiting for another process that does the same, as SQLite itself does not."""
    limit = time.monotonic() + PATIENCE
    while True:
        try:
            file.execute(f"PRAGMA journal_mode={mode}")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() >= limit:
                raise
            time.sleep(AGAIN)
        else:
            return
