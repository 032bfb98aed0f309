"""Limits on the size and nesting of input files and archives, to bound memory and reading time."""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, BinaryIO, cast

from tellapart.foundation.errors import ReadError, SpellingError, UsageError, nearest
from tellapart.foundation.files import UPLOADED_FILES
from tellapart.foundation.surfaces import option

SMALL = 64 << 20
"""Bytes that anything may unpack to."""
CHUNK = 1 << 16
"""Bytes that are looked at together."""


@dataclass(frozen=True)
class Limits:
    """Limits against accidents and attacks: an archive that would fill the disk, a quote that is never closed.

    `bytes` counts what is read once unpacked, `line` the bytes of a line or the characters of a field of a table, `record` the characters of a JSON record, `columns` the names of
    a table, `nesting` how deep the brackets of a JSON record go, `ratio` how many times its size an archive may unpack to (beyond
    64 MiB), `members` the files of an archive, `entries` those of a folder, and `depth` its folders in folders.
    """

    bytes: int = 8 << 30
    line: int = 1 << 26
    record: int = 1 << 28
    columns: int = 100_000
    nesting: int = 200
    ratio: int = 500
    members: int = 200_000
    entries: int = 100_000
    depth: int = 8

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Limits":
        """The usual limits, but for those that are given."""
        known = [f.name for f in fields(cls)]
        for name in given:
            if name not in known:
                raise SpellingError(f"no limit is called {name!r}; {nearest(name, known)}")
        return cls(**{name: _amount(name, value) for name, value in given.items()})

    def refusal(self, place: str, found: str, name: str, needed: int | None = None) -> ReadError:
        """The error: the amount found, and the limit that would allow it, ten times the present one if that amount is unknown."""
        most: int = getattr(self, name)
        if UPLOADED_FILES.get() is not None:
            return ReadError(
                f"{place}: found {found}; at most {most:,} are taken here. Is it the right file? If so, use the command line, where the limit can be raised"
            )
        return ReadError(
            f"{place}: found {found}; wanted at most {most:,}. Is it the right file? If so, raise the limit: "
            f"{option('limit', f'{name}={needed or 10 * most}')}"
        )

    def refuse_large(self, place: str, found: int, stored: int | None) -> None:
        """More bytes than there should be, alone or for what is stored of them."""
        if (uploads := UPLOADED_FILES.get()) is not None:
            uploads.refuse_unpacked(place, found)
        if found > self.bytes:
            raise self.refusal(place, f"more than {self.bytes:,} bytes", "bytes")
        if stored is not None:
            self.refuse_bomb(place, found, stored)

    def refuse_bomb(self, place: str, found: int, stored: int) -> None:
        """More bytes than an archive of this size can hold in earnest."""
        if self.is_bomb(found, stored):
            raise self.refusal(place, f"an archive that unpacks to more than {self.ratio:,} times its size", "ratio")

    def is_bomb(self, found: int, stored: int) -> bool:
        return found > max(SMALL, self.ratio * stored)

    def refuse_many(self, place: str, names: Sequence[str]) -> None:
        if len(names) > self.columns:
            raise self.refusal(place, f"{len(names):,} columns", "columns", len(names))


def _amount(name: str, value: Any) -> int:
    try:
        amount = float(value)
    except (TypeError, ValueError):
        amount = 0.0
    if not 1.0 <= amount < 2**63:
        raise UsageError(f"{option('limit', f'{name}={value}')}: wanted a number of at least 1, such as {name}=1e6")
    return int(amount)


class _Watched(io.RawIOBase):
    """Bytes that are counted as they are read."""

    def __init__(self, inner: BinaryIO, name: str, limits: Limits, stored: Callable[[], int] | None = None) -> None:
        super().__init__()
        self.inner, self.name_of_source, self.limits, self.stored = inner, name, limits, stored

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self.inner.seekable()

    def tell(self) -> int:
        return self.inner.tell()

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence == io.SEEK_END and self.stored is not None:
            # What is packed knows its end only once it is unpacked up to there.
            while self.inner.read(CHUNK):
                self._refuse_large()
        place = self.inner.seek(offset, whence)
        self._refuse_large()
        return place

    def _refuse_large(self) -> None:
        stored = None if self.stored is None else self.stored()
        self.limits.refuse_large(self.name_of_source, self.inner.tell(), stored)

    def readinto(self, buffer: Any) -> int:
        found = cast("io.RawIOBase", self.inner).readinto(buffer) or 0
        self._refuse_large()
        return found


class _WatchedLines(_Watched):
    """Bytes of text in lines: one that is too long is refused before it is held in memory."""

    def __init__(self, inner: BinaryIO, name: str, limits: Limits) -> None:
        super().__init__(inner, name, limits)
        self._line, self._length = 1, 0

    def readinto(self, buffer: Any) -> int:
        found = super().readinto(buffer)
        piece = bytes(memoryview(buffer)[:found])
        end = max(piece.rfind(b"\n"), piece.rfind(b"\r"))
        self._line += piece.count(b"\n")
        self._length = self._length + found if end < 0 else found - end - 1
        if self._length > self.limits.line:
            place = f"{self.name_of_source}, line {self._line}"
            raise self.limits.refusal(place, f"a line of more than {self.limits.line:,} bytes", "line")
        return found


def limit_bytes(inner: BinaryIO, name: str, limits: Limits, stored: Callable[[], int] | None = None) -> BinaryIO:
    """The bytes, refused where they are more than the limits allow, or unpacked from far fewer: `stored` tells how many so far."""
    return io.BufferedReader(_Watched(inner, name, limits, stored), CHUNK)


def limit_lines(inner: BinaryIO, name: str, limits: Limits) -> BinaryIO:
    """The bytes of a text, refused where a line is longer than the limits allow."""
    return io.BufferedReader(_WatchedLines(inner, name, limits), CHUNK)


def whole(stream: BinaryIO, name: str, limits: Limits) -> bytes:
    """All that a pipe gives, which may be endless."""
    content = bytearray()
    while piece := stream.read(1 << 20):
        content += piece
        if len(content) > limits.bytes:
            raise limits.refusal(name, f"more than {limits.bytes:,} bytes", "bytes")
    return bytes(content)
