"""Zstandard: from the standard library of Python 3.14 on, before that from whichever package there is."""

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any, BinaryIO, Self, cast

from tellapart.foundation.errors import ReadError


def unpacked(stream: BinaryIO, source: str) -> BinaryIO:
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
            raise ReadError(
                f"{self._source}: damaged zstd ({error}). Fetch or write the file again"
            ) from None
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
        lambda module, stream: module.ZstdDecompressor().stream_reader(
            stream, read_across_frames=True, closefd=False
        ),
    ),
    ("pyarrow", lambda module, stream: module.CompressedInputStream(stream, "zstd")),
)
"""Where zstd may come from, and how each opens a stream."""
