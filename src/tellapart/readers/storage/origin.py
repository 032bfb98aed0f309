"""Sources of the bytes that readers open, such as files and pipes, with I/O failures as error messages."""

import codecs
import gzip
import io
import re
import struct
import zipfile
import zlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import PurePosixPath
from typing import BinaryIO, TextIO, cast

from tellapart.foundation.errors import NoSuchFile, ReadError
from tellapart.readers import storage
from tellapart.readers.storage.limits import CHUNK, Limits, limit_bytes, limit_lines
from tellapart.readers.storage.preview import Preview, preview_bytes, preview_text

# Text that is read in large pieces: what Python's own does in small ones takes half as long as to decode
# their JSON.

_PIECE = 1 << 20


class Characters:
    """The characters of a stream of bytes in UTF-8, with or without a mark at its beginning, line ends as they are."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()

    def read(self, size: int) -> str:
        """About this many characters; an empty text only at the end."""
        while True:
            piece = self._stream.read(size)
            text = self._decoder.decode(piece, final=not piece)
            if text or not piece:
                return text

    def rest(self) -> str:
        """All that is left."""
        return "".join(iter(lambda: self.read(_PIECE), ""))


# Failures of the machine, of a file or of an archive, as refusals that say what to do.


@contextmanager
def explain_io_errors(name: str) -> Iterator[None]:
    """Failures of the machine as refusals that say what to do."""
    try:
        yield
    except FileNotFoundError:
        if re.match(r"[a-z][a-z0-9+.-]+://", name):
            raise ReadError(f"{name}: URLs are not fetched. Download the file and pass its path") from None
        raise NoSuchFile(f"{name}: there is no such file. Check the path", name) from None
    except PermissionError:
        raise ReadError(f"{name}: permission denied. Check its owner and mode") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ReadError(f"{name}: damaged gzip ({error}). Fetch or write the file again") from None
    except RecursionError:
        raise  # a RuntimeError too, but of whoever reads the content
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        way = (
            "Is it whole? Fetch or write it again"
            if isinstance(error, zipfile.BadZipFile)
            else "Unpack it and pass the files"
        )
        raise ReadError(f"{name}: a zip archive that cannot be read ({error}). {way}") from None
    except OSError as error:
        raise ReadError(f"{name}: cannot be read ({error.strerror or error})") from None


# Enough for the header and the first rows of all but the widest tables.
HEAD_BYTES = 1 << 16
LONG_HEAD_BYTES = 1 << 20
"""For records that are longer than the head."""
GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
USUAL = Limits()


@dataclass(frozen=True)
class Origin(ABC):
    """A file as formats see it: its label in errors, its content, and its default system name.

    A file or a member of an archive has bytes; a folder, several files or an archive has children, each an origin.
    """

    name: str
    label: str
    limits: Limits = field(default=USUAL, kw_only=True)
    """How much of it is taken."""

    @property
    @abstractmethod
    def head(self) -> bytes:
        """The first bytes, gunzipped, by which a format is recognised."""

    @abstractmethod
    def binary(self) -> AbstractContextManager[BinaryIO]:
        """The bytes, gunzipped; a failure at any time while they are read becomes a `ReadError`."""

    def children(self) -> Sequence["Origin"]:
        """Its entries, in the order of names."""
        return ()

    def neighbours(self) -> Sequence["Origin"]:
        """Files beside it, in the order of names."""
        return ()

    def neighbour(self, *names: str) -> "Origin | None":
        """The first of these files that lies beside it, gzipped or not."""
        wanted = {name + end for name in names for end in ("", ".gz", ".zst")}
        return next((other for other in self.neighbours() if PurePosixPath(other.name).name in wanted), None)

    @property
    def encoding(self) -> str | None:
        """The encoding of a text that is not UTF-8."""
        return None

    @property
    def part(self) -> str | None:
        """The sheet of a workbook that is meant, where its path says so."""
        return None

    @cached_property
    def tail(self) -> bytes:
        """The last bytes, where Parquet says what it holds; nothing where they cannot be had."""
        try:
            with self.binary() as file:
                end = file.seek(0, io.SEEK_END)
                file.seek(max(0, end - LONG_HEAD_BYTES))
                return file.read(LONG_HEAD_BYTES)
        except (ReadError, OSError, ValueError):
            return b""

    @property
    def path(self) -> str:
        """Where it lies, within its archive if it is in one: what names are taken from."""
        return self.name

    @property
    def folders(self) -> tuple[str, ...]:
        """The names of the folders that it lies in, the outermost first."""
        return ()

    @property
    def contents(self) -> Collection[str]:
        """The names of what an archive holds, for claims: none where it cannot be read."""
        return () if self.listed is None else self.listed.places

    @contextmanager
    def archive(self) -> Iterator["storage.Archive"]:
        """The archive that it is, open; its list is read once, however often it is opened."""
        with explain_io_errors(self.name), self.binary() as stream:
            yield storage.Archive(self.name, stream, self.limits, self.listed)

    @cached_property
    def listed(self) -> "storage.ArchiveIndex | None":
        """The entries of an archive; none if it cannot be read, so that opening it gives the error."""
        try:
            with self.binary() as stream:
                return storage.Archive(self.name, stream, self.limits).listed
        except (ReadError, zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError, struct.error):
            return None

    @cached_property
    def opening(self) -> str:
        """The first bytes as text, whatever they are."""
        # To look for letters in what has none takes longer than to list an archive.
        return self.head.decode("utf-8-sig" if preview_bytes(self.head) is None else "latin-1", errors="replace")

    @property
    def long_head(self) -> bytes:
        """More of the first bytes, for records that the head does not hold."""
        return self.head

    @cached_property
    def preview(self) -> Preview:
        """A preview of its content from the head, computed once for all formats."""
        seen = preview_bytes(self.head) or preview_text(self.opening)
        if seen.whole or len(self.head) < HEAD_BYTES:
            return seen
        return preview_text(self.long_head.decode("utf-8-sig", errors="replace"))

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """The lines of the text, with line ends as they are."""
        with self._decoding(), self.binary() as file:
            lines = limit_lines(file, self.name, self.limits)
            # Excel marks UTF-8 with a BOM; line ends inside quotes belong to the field, so none is translated.
            with io.TextIOWrapper(lines, "utf-8-sig", newline="") as text:
                yield text

    @contextmanager
    def characters(self) -> Iterator[Characters]:
        """A text that need not have lines."""
        with self._decoding(), self.binary() as file:
            yield Characters(file)

    @contextmanager
    def _decoding(self) -> Iterator[None]:
        try:
            yield
        except UnicodeDecodeError as error:
            found = f"byte 0x{error.object[error.start]:02x}"
            raise ReadError(
                f"{self.name}, line {self._undecodable_line()}: found {found}, which is not UTF-8 text. Save it as UTF-8"
            ) from None

    def _undecodable_line(self) -> int:
        with self.binary() as file:
            for number, line in enumerate(file, 1):
                try:
                    line.decode()
                except UnicodeDecodeError:
                    return number
        raise AssertionError("the bytes decode line by line")


@dataclass(frozen=True)
class Bytes(Origin):
    """An origin that has bytes of its own; `raw` opens them as they are stored."""

    @abstractmethod
    def raw(self) -> AbstractContextManager[BinaryIO]:
        """The bytes, gzipped or not, at their start."""

    @cached_property
    def head(self) -> bytes:
        if self.encoding is None:
            return self._stored_head
        with self.binary() as file:
            return file.read(HEAD_BYTES)

    @cached_property
    def _stored_head(self) -> bytes:
        with self._unpacked() as file:
            return file.read(HEAD_BYTES)

    @cached_property
    def encoding(self) -> str | None:
        return other_encoding(self._stored_head)

    @property
    def long_head(self) -> bytes:
        with self.binary() as file:
            return file.read(LONG_HEAD_BYTES)

    @contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        encoding = self.encoding
        with self._unpacked() as file:
            if encoding is None:
                yield file
                return
            try:
                text = file.read().decode(encoding)
            except UnicodeDecodeError as error:
                raise ReadError(f"{self.name}: damaged text in {encoding} ({error.reason}). Save it as UTF-8") from None
            yield io.BytesIO(text.encode(errors="replace"))

    @contextmanager
    def _unpacked(self) -> Iterator[BinaryIO]:
        with explain_io_errors(self.name), self.raw() as raw:
            # By content: downloads lose their .gz, and standard input has no name.
            mark = raw.read(4)
            raw.seek(0)
            gzipped = mark.startswith(GZIP)
            if not gzipped and self.name.lower().endswith(".gz"):
                raise ReadError(
                    f"{self.name}: the name says gzip, but the content is not gzip. Rename it without .gz, or fetch it again"
                )
            if not gzipped and mark != ZSTD:
                yield limit_bytes(raw, self.name, self.limits)
                return
            if gzipped and self._announced_bomb is not None:
                raise self._announced_bomb
            with cast("BinaryIO", gzip.open(raw)) if gzipped else _of_zstd(raw, self.name) as file:
                # By what was unpacked so far: a bomb is refused at its beginning, not when all that may be is unpacked.
                yield limit_bytes(file, self.name, self.limits, raw.tell)

    @cached_property
    def _announced_bomb(self) -> ReadError | None:
        """The last four bytes of a gzip file give its unpacked size: where that is too large, unpack up to the limit, once, and parse nothing."""
        with self.raw() as raw:
            stored = raw.seek(0, io.SEEK_END)
            raw.seek(max(0, stored - 4))
            announced = int.from_bytes(raw.read(4), "little")
            raw.seek(0)
            if not self.limits.is_bomb(announced, stored):
                return None
            try:
                with gzip.open(raw) as file:
                    while file.read(CHUNK):
                        self.limits.refuse_bomb(self.name, file.tell(), stored)
            except ReadError as refusal:
                return refusal
        return None


_MARKS_OF_UTF_16 = b"\xff\xfe", b"\xfe\xff"
_LETTERS = bytes({*range(0x20, 0x7F), *b"\t\r\n", *range(0xA0, 0x100)})
MOST_FOREIGN = 0.3
"""Share of bytes beyond ASCII up to which a text is one of a language that Latin-1 was made for."""


def other_encoding(head: bytes) -> str | None:
    """UTF-16 that is marked as such, or Latin-1 where the bytes are nothing else; None for UTF-8 and for what is no text.

    >>> other_encoding("Größe A".encode("utf-16")), other_encoding("Größe A".encode("latin-1")), other_encoding("Größe A".encode())
    ('utf-16', 'latin-1', None)
    """
    if head.startswith(_MARKS_OF_UTF_16):
        return "utf-16" if len(head) > 2 and head[2:4] != b"\0\0" else None
    if head.isascii() or head.translate(None, _LETTERS):
        return None
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        return "latin-1" if sum(byte >= 0xA0 for byte in head) < MOST_FOREIGN * len(head) else None
    return None


@dataclass(frozen=True)
class Memory(Bytes):
    """Bytes that cannot be fetched twice, such as those of a pipe."""

    content: bytes

    def raw(self) -> AbstractContextManager[BinaryIO]:
        return io.BytesIO(self.content)


def _of_zstd(raw: BinaryIO, name: str) -> BinaryIO:
    return storage.open_zstd(raw, name)
