"""Where bytes come from: a file or standard input, gunzipped where gzipped, with every failure put in words."""

import gzip
import io
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from tellapart.errors import ReadError

HEAD_BYTES = 1 << 16
GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class Origin:
    """Bytes that can be opened any number of times: what errors call them, and the system they stand for."""

    name: str
    label: str
    content: Path | bytes

    @classmethod
    def at(cls, path: str, label: str) -> "Origin":
        """The bytes at a path, or standard input for `-`; what cannot be rewound, such as a pipe, is kept in memory."""
        if path == "-":
            return cls("standard input", label, sys.stdin.buffer.read())
        file = Path(path)
        with _in_words(path):
            mode = file.stat().st_mode
            if stat.S_ISDIR(mode):
                raise IsADirectoryError
            return cls(path, label, file if stat.S_ISREG(mode) else file.read_bytes())

    @cached_property
    def head(self) -> bytes:
        """The first bytes, by which a format is recognised."""
        with self.binary() as file:
            return file.read(HEAD_BYTES)

    @cached_property
    def opening(self) -> str:
        """The first bytes as text, whatever they are."""
        return self.head.decode("utf-8-sig", errors="replace")

    @contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """The bytes, gunzipped; a failure at any time while they are read becomes a `ReadError`."""
        with _in_words(self.name), self._raw() as raw:
            gzipped = raw.read(2) == GZIP
            raw.seek(0)
            if not gzipped and self.name.lower().endswith(".gz"):
                raise ReadError(
                    f"{self.name}: the name says gzip, the content is not. Rename it without .gz, or fetch it again"
                )
            with cast("BinaryIO", gzip.open(raw)) if gzipped else raw as file:
                yield file

    @contextmanager
    def text(self) -> Iterator[TextIO]:
        """The text, with line ends as they are."""
        try:
            with self.binary() as file, io.TextIOWrapper(file, "utf-8-sig", newline="") as text:
                yield text
        except UnicodeDecodeError as error:
            found = f"byte 0x{error.object[error.start]:02x}"
            raise ReadError(
                f"{self.name}, line {self._undecodable_line()}: found {found}, which is not UTF-8 text. Save it as UTF-8"
            ) from None

    def _raw(self) -> BinaryIO:
        return io.BytesIO(self.content) if isinstance(self.content, bytes) else self.content.open("rb")

    def _undecodable_line(self) -> int:
        with self.binary() as file:
            for number, line in enumerate(file, 1):
                try:
                    line.decode()
                except UnicodeDecodeError:
                    return number
        raise AssertionError("the bytes decode line by line")


@contextmanager
def _in_words(name: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        system = "" if Path(name).suffix or "/" in name else "; if it is a system, name it with --a or --b"
        raise ReadError(f"{name}: there is no such file. Check the path{system}") from None
    except IsADirectoryError:
        raise ReadError(f"{name}: this is a directory; wanted a file. Pass the files in it by name") from None
    except PermissionError:
        raise ReadError(f"{name}: permission to read it is denied. Check its owner and mode") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ReadError(f"{name}: damaged gzip ({error}). Fetch or write the file again") from None
    except OSError as error:
        raise ReadError(f"{name}: cannot be read ({error.strerror or error})") from None
