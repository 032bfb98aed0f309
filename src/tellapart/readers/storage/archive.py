"""Zip archives, read in memory and never unpacked to disk, and zstd streams."""

import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from typing import IO, Any, BinaryIO, Self, cast

import numpy as np

from tellapart.foundation.errors import ReadError
from tellapart.readers.storage.limits import Limits, limit_bytes
from tellapart.readers.storage.zip_list import ZipList, refuse_many_entries, zip_list

ZSTD_METHOD = 93
_LOCAL_HEADER = struct.Struct("<4sHHHHHIIIHH")
_ENCRYPTED = 0x1
"""Bit 0 of an entry's flags (APPNOTE 4.4.4)."""
_EMPTY = b"PK\x05\x06" + bytes(18)
"""An archive without members."""


@dataclass(frozen=True, eq=False)
class ArchiveIndex:
    """The list of an archive's members, looked through once: who opens many of them would read it as often as there are members."""

    places: dict[str, int]
    listed: ZipList

    @classmethod
    def of(cls, stream: BinaryIO, name: str, limits: Limits) -> "ArchiveIndex":
        refuse_many_entries(stream, name, limits)
        listed = zip_list(stream)
        files = [place for place, member in enumerate(listed.names) if not member.endswith("/")]
        if len(files) > limits.members:
            raise limits.refusal(name, f"an archive of {len(files):,} files", "members", len(files))
        places = {listed.names[place]: place for place in files}
        _refuse_strange(name, listed, files, places)
        return cls(places, listed)

    def entry(self, member: str) -> zipfile.ZipInfo:
        return self.listed.info(self.places[member])


class Archive:
    """A zip archive that is open: its members by name, each as a stream that is counted while it is read."""

    def __init__(self, name: str, stream: BinaryIO, limits: Limits, listed: "ArchiveIndex | None" = None) -> None:
        self.name, self.limits, self._stream = name, limits, stream
        self.listed = ArchiveIndex.of(stream, name, limits) if listed is None else listed

    @property
    def names(self) -> list[str]:
        return sorted(self.listed.places)

    def __contains__(self, member: str) -> bool:
        return member in self.listed.places

    @contextmanager
    def open(self, member: str) -> Iterator[BinaryIO]:
        """The bytes of a member, unpacked as they are read."""
        entry, place = self.listed.entry(member), f"{self.name}:{member}"
        # As many as the list says are unpacked at most.
        self.limits.refuse_bomb(place, entry.file_size, entry.compress_size)
        if entry.compress_type != ZSTD_METHOD:
            with self._open_member(entry) as file:
                yield limit_bytes(cast("BinaryIO", file), place, self.limits, lambda: entry.compress_size)
            return
        with open_zstd(io.BytesIO(self._packed(entry)), place) as stream:
            yield limit_bytes(
                cast("BinaryIO", _Checked(stream, entry.CRC, place)), place, self.limits, lambda: entry.compress_size
            )

    def _open_member(self, entry: zipfile.ZipInfo) -> IO[bytes]:
        try:
            return _of_known_members(self._stream).open(entry)
        except ValueError as error:  # the list of members says that one begins before the file does
            raise zipfile.BadZipFile(f"no file where {entry.filename!r} should be") from error

    def _packed(self, entry: zipfile.ZipInfo) -> bytes:
        """The bytes of a member as they are stored: Python before 3.14 does not know the method."""
        self._stream.seek(max(0, entry.header_offset))
        fields = self._stream.read(_LOCAL_HEADER.size)
        if len(fields) < _LOCAL_HEADER.size or not fields.startswith(b"PK\x03\x04"):
            raise zipfile.BadZipFile(f"no file where {entry.filename!r} should be")
        *_, name, extra = _LOCAL_HEADER.unpack(fields)
        self._stream.seek(name + extra, io.SEEK_CUR)
        packed = self._stream.read(entry.compress_size)
        if len(packed) < entry.compress_size:
            raise zipfile.BadZipFile(f"{entry.filename!r} is cut")
        return packed


def _of_known_members(stream: BinaryIO) -> zipfile.ZipFile:
    """An archive that is asked for members known already, so that its list is not read again."""
    found = zipfile.ZipFile(io.BytesIO(_EMPTY))
    found.fp = stream
    return found


def _refuse_strange(name: str, listed: ZipList, files: Sequence[int], places: Collection[str]) -> None:
    encrypted = next(iter(np.flatnonzero(listed.flags[files] & _ENCRYPTED).tolist()), None) if files else None
    if encrypted is not None:
        member = listed.names[files[encrypted]]
        raise ReadError(f"{name}: {member!r} in it is encrypted. Unpack it and pass the files")
    # Programs that pack a folder list it, and its folders stand before its files.
    if files and listed.offsets.min() > 0:
        raise ReadError(f"{name}: another file comes before the archive and would be ignored. Pass each file by itself")
    if len(places) < len(files):
        ((member, times),) = Counter(listed.names[place] for place in files).most_common(1)
        raise ReadError(
            f"{name}: the archive holds {member!r} {times} times, so it is unclear which one counts. Pack it again"
        )


class _Checked:
    """The bytes of a member, whose checksum is looked at where they end."""

    def __init__(self, stream: BinaryIO, checksum: int, place: str) -> None:
        self._stream, self._expected, self._place = stream, checksum, place
        self._checksum = 0

    def readinto(self, buffer: memoryview) -> int:
        found = self._stream.read(len(buffer))
        buffer[: len(found)] = found
        self._checksum = zlib.crc32(found, self._checksum)
        if not found and self._checksum != self._expected:
            raise ReadError(f"{self._place}: damaged (its checksum is wrong). Fetch or write the file again")
        return len(found)

    def tell(self) -> int:
        return self._stream.tell()

    def seekable(self) -> bool:
        return False


def open_zstd(stream: BinaryIO, source: str) -> BinaryIO:
    """The bytes that a stream of zstd holds, as a stream."""
    opened = _opener()
    if opened is None:
        raise ReadError(
            f"{source}: packed with zstd, which Python reads from 3.14 on. Run: pip install 'tellapart[inspect]'"
        )
    return cast("BinaryIO", _Unpacked(opened(stream), source))


@cache
def _opener() -> Callable[[BinaryIO], Any] | None:
    """How zstd is opened here; looked for once, for to find a package missing takes as long as to unpack a member."""
    for name, opened in _OPENERS:
        try:
            return partial(opened, import_module(name))
        except ImportError:
            continue
    return None


class _Unpacked:
    """A stream of any of the packages, with what Python's streams have in common and failures in words."""

    def __init__(self, stream: Any, source: str) -> None:
        self._stream, self._source, self._at = stream, source, 0

    def read(self, size: int = -1) -> bytes:
        try:
            found = bytes(self._stream.read() if size < 0 else self._stream.read(size))
        except Exception as error:  # noqa: BLE001  (see below)
            # Each package has an error of its own, and none may be there to be named.
            raise ReadError(f"{self._source}: damaged zstd ({error}). Fetch or write the file again") from None
        self._at += len(found)
        return found

    def readinto(self, buffer: Any) -> int:
        found = self.read(len(buffer))
        buffer[: len(found)] = found
        return len(found)

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()


_OPENERS: tuple[tuple[str, Callable[[Any, BinaryIO], Any]], ...] = (
    ("compression.zstd", lambda module, stream: module.open(stream)),
    ("backports.zstd", lambda module, stream: module.open(stream)),
    (
        "zstandard",
        lambda module, stream: module.ZstdDecompressor().stream_reader(stream, read_across_frames=True, closefd=False),
    ),
    ("pyarrow", lambda module, stream: module.CompressedInputStream(stream, "zstd")),
)
"""Where zstd may come from, and how each opens a stream."""
