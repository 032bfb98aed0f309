"""Sources on disk: files, folders, lists of them, and members of archives."""

import glob
import io
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO

from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.files import UPLOADED_FILES, UploadedFiles
from tellapart.foundation.progress import open_with_progress
from tellapart.readers.naming import name_systems, stem
from tellapart.readers.storage.limits import Limits, whole
from tellapart.readers.storage.origin import USUAL, Bytes, Memory, Origin, explain_io_errors

LARGE = 1 << 24
"""Bytes from which on it is told how far a file has been read."""
ZIP = b"PK\x03\x04"


_PIPED: ContextVar[dict[str, Memory] | None] = ContextVar("piped", default=None)


@contextmanager
def keep_pipes() -> Iterator[None]:
    """Within, standard input and pipes, which give their bytes once, can be read again."""
    before = _PIPED.set({})
    try:
        yield
    finally:
        _PIPED.reset(before)


def locate(path: str, label: str, limits: Limits = USUAL) -> Origin:
    """The file at a path, or standard input for `-`; a pipe is kept in memory, as it cannot be rewound."""
    refuse_unfit(path)
    if (uploads := UPLOADED_FILES.get()) is not None:
        return _on(uploads, path, label, limits)
    piped = {} if (kept := _PIPED.get()) is None else kept
    if path in piped:
        return replace(piped[path], label=label, limits=limits)
    found = _located(path, label, limits)
    if isinstance(found, Memory):
        piped[path] = found
    return found


def _located(path: str, label: str, limits: Limits) -> Origin:
    if path == "-":
        if sys.stdin is None:
            raise ReadError(
                "standard input is closed; wanted scores there. Redirect a file or a pipe to it, or name a file"
            )
        name = "standard input"
        return Memory(name, label, whole(sys.stdin.buffer, name, limits), limits=limits)
    place = Path(path)
    workbook, mark, _ = path.rpartition("#")
    if mark and not place.exists() and Path(workbook).is_file():
        return Sheet(path, label, limits=limits)
    with explain_io_errors(path):
        mode = place.stat().st_mode
        # A pipe can be read once, and formats look at the head before they read: it is kept whole.
        if stat.S_ISDIR(mode):
            return Folder(path, label, limits=limits)
        if stat.S_ISREG(mode):
            return File(path, label, limits=limits)
        with place.open("rb") as stream:
            _refuse_device(path, mode, stream.fileno())
            return Memory(path, label, whole(stream, path, limits), limits=limits)


def _on(uploads: UploadedFiles, path: str, label: str, limits: Limits) -> Origin:
    """The uploaded file or folder with this label."""
    if path not in uploads.content:
        raise ReadError(f"{path}: no such file was given. Give it with the others")
    most = replace(limits, bytes=min(limits.bytes, uploads.most_bytes))
    return Upload(path, label, uploads.content[path], limits=most)


def _refuse_device(path: str, mode: int, number: int) -> None:
    """A disk, or what gives bytes for ever; a terminal ends when its user says so."""
    if not (stat.S_ISBLK(mode) or stat.S_ISCHR(mode)) or os.isatty(number):
        return
    if not Path(path).samefile(os.devnull):
        raise ReadError(f"{path}: this is a device; wanted a file or a pipe")


def refuse_unfit(path: str) -> None:
    """No file has such a path, or no answer could name it."""
    if "\0" in path or path.encode(errors="ignore").decode() != path:
        raise ReadError(
            f"{path!r}: the path is not UTF-8 text, or contains NUL. Rename the file, or pass it as standard input (-)"
        )


@dataclass(frozen=True)
class Stored(Bytes):
    """Bytes that may be an archive, which has its members as children."""

    def children(self) -> Sequence[Origin]:
        return tuple(self.members.values()) if self.head.startswith(ZIP) else ()

    @cached_property
    def members(self) -> "dict[str, Member]":
        """The files of the archive by name."""
        with self.archive() as archive:
            names = archive.names
        return {name: Member(f"{self.name}:{name}", stem(name), self, name, limits=self.limits) for name in names}


@dataclass(frozen=True)
class Upload(Stored):
    """Bytes from a uploads: a label, and nothing that lies beside them."""

    content: bytes

    def raw(self) -> AbstractContextManager[BinaryIO]:
        return io.BytesIO(self.content)


@dataclass(frozen=True)
class File(Stored):
    """A file, named by its path."""

    @property
    def place(self) -> str:
        """Where it lies on disk."""
        return self.name

    def raw(self) -> AbstractContextManager[BinaryIO]:
        path = Path(self.place)
        if path.stat().st_size < LARGE:
            return path.open("rb")
        return open_with_progress(path)

    def neighbours(self) -> Sequence[Origin]:
        if self.name.startswith(("/dev/", "/proc/")):  # standard input by another name: what lies there is no neighbour
            return ()
        beside = _files(os.path.dirname(self.name) or ".", self.limits)  # noqa: PTH120  (keeps the spelling of the path)
        return [file for file in beside if Path(file.name).name != Path(self.name).name]

    @property
    def folders(self) -> tuple[str, ...]:
        return Path(self.name).absolute().parent.parts[1:]

    def neighbour(self, *names: str) -> Origin | None:
        """Asked by name: the folder may hold many thousands of files."""
        if self.name.startswith(("/dev/", "/proc/")):
            return None
        folder = os.path.dirname(self.name)  # noqa: PTH120  (as above)
        for path in (os.path.join(folder, name + end) for name in names for end in ("", ".gz", ".zst")):  # noqa: PTH118
            if Path(path).is_file() and path != self.name:
                return File(path, stem(path), limits=self.limits)
        return None


@dataclass(frozen=True)
class Sheet(File):
    """A sheet of a workbook: `file.xlsx#Sheet`."""

    @property
    def part(self) -> str | None:
        return self.name.rpartition("#")[2]

    @property
    def place(self) -> str:
        return self.name.rpartition("#")[0]


@dataclass(frozen=True)
class Member(Bytes):
    """A file inside a zip archive, which is never unpacked to disk."""

    holder: Stored
    member: str

    @property
    def path(self) -> str:
        return self.member

    @property
    def folders(self) -> tuple[str, ...]:
        return PurePosixPath(self.member).parent.parts

    @contextmanager
    def raw(self) -> Iterator[BinaryIO]:
        with self.holder.archive() as archive, explain_io_errors(self.name), archive.open(self.member) as file:
            # Packed or not is asked of the first bytes, and those of a member cannot be read again.
            yield io.BytesIO(whole(file, self.name, self.limits))

    def neighbours(self) -> Sequence[Origin]:
        folder = PurePosixPath(self.member).parent
        return [
            other
            for name, other in self.holder.members.items()
            if name != self.member and PurePosixPath(name).parent == folder
        ]

    def neighbour(self, *names: str) -> Origin | None:
        """Asked by name: the archive may hold many thousands of files."""
        folder = PurePosixPath(self.member).parent
        paths = (str(folder / (name + end)) for name in names for end in ("", ".gz", ".zst"))
        return next((self.holder.members[path] for path in paths if path in self.holder.members), None)


@dataclass(frozen=True)
class Folder(Origin):
    """A folder: no bytes, but the files and folders in it."""

    @property
    def head(self) -> bytes:
        return b""

    def binary(self) -> AbstractContextManager[BinaryIO]:
        raise ReadError(f"{self.name}: this is a directory; wanted a file. Pass the files in it by name")

    def children(self) -> Sequence[Origin]:
        return _files(self.name, self.limits)


@dataclass(frozen=True)
class FileList(Origin):
    """Files and folders that were named together."""

    members: tuple[Origin, ...]

    @property
    def head(self) -> bytes:
        return b""

    def binary(self) -> AbstractContextManager[BinaryIO]:
        raise ReadError(f"{self.name}: these are several files, not one")

    def children(self) -> Sequence[Origin]:
        return self.members


def _files(folder: str, limits: Limits) -> list[Origin]:
    """The files and folders in a folder; pipes and devices, which may never end, are left alone."""
    with explain_io_errors(folder):
        entries = sorted(Path(folder).iterdir())
    return [
        Folder(str(entry), entry.name, limits=limits)
        if entry.is_dir()
        else File(str(entry), stem(entry.name), limits=limits)
        for entry in entries
        if entry.is_dir() or entry.is_file()
    ]


# Paths as callers give them: one, or a list of different ones, each the origin of what it holds.


def origins_at(paths: Sequence[str], limits: Limits) -> list[Origin]:
    """The files at these paths, each labelled with the system name to use if nothing inside gives one."""
    return [locate(path, label, limits) for path, label in zip(paths, name_systems(paths), strict=True)]


def paths_of(source: Any) -> list[str] | None:
    """The paths that are meant, or None when the source is no path and no list of them."""
    if isinstance(source, str | os.PathLike):
        return _matching(os.fsdecode(source))
    if not isinstance(source, Sequence | Iterator) or isinstance(source, bytes):
        return None
    entries = list(source)
    strange = [entry for entry in entries if not isinstance(entry, str | os.PathLike)]
    if strange or not entries:
        found = f"a {type(strange[0]).__name__}" if strange else "none"
        raise UsageError(
            f"wanted a list of paths, found {found} in it. Pass paths, or one frame, or use Scores.from_arrays"
        )
    paths = [path for entry in entries for path in _matching(os.fsdecode(entry))]
    refuse_repeated(paths)
    return paths


def _matching(path: str) -> list[str]:
    """The path, or where a pattern stands in its place, all that it matches, in the order of names."""
    if UPLOADED_FILES.get() is not None:
        return [path]
    if not any(mark in path for mark in "*?[") or "\0" in path or os.path.lexists(path):
        return [path]
    return sorted(glob.glob(path, recursive=True)) or [path]  # noqa: PTH207  (as the shell would)


def refuse_repeated(paths: Iterable[str]) -> None:
    """Each file is given once."""
    seen: set[str] = set()
    for path in paths:
        refuse_unfit(path)
        # A link or ../ does not make it another file.
        place = path if path == "-" or UPLOADED_FILES.get() is not None else os.path.realpath(path)
        if place in seen:
            raise ReadError(f"{path}: this file is given twice. Pass each file once")
        seen.add(place)
