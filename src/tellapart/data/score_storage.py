"""Storage of large score tables: a temporary file read in blocks, or one byte per right-or-wrong score.

The file has no name and ends with the process, however that ends. An array in it is an array as any other; what was read of it is let go
by `rows_of` and `blocks_of`, so that passing over all of it takes no memory.
"""

import errno
import io
import mmap
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError

# Scores that are all right or wrong, one byte each: a board of a thousand systems and a million items is
# then one gigabyte, not eight.

ByteArray = npt.NDArray[np.uint8]

FROM = 1 << 24
"""Scores from which on a byte is kept for each; fewer fit as doubles, which is what everybody asks for."""

_ONE = np.float64(1.0).view(np.uint64)


class LikeDoubles(np.lib.mixins.NDArrayOperatorsMixin):
    """Compactly stored scores that convert to doubles on access, in parts where only parts are asked for."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.asarray(self.doubles(), dtype=dtype, copy=copy)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        doubles = (one.doubles() if isinstance(one, LikeDoubles) else one for one in inputs)
        return getattr(ufunc, method)(*doubles, **options)

    def doubles(self) -> FloatArray:
        """All of it."""
        raise NotImplementedError


class ByteScores(LikeDoubles):
    """Zeros and ones, `(system, item)`; whatever part of them is asked for comes as doubles `(system, item, run, part)`."""

    def __init__(self, held: ByteArray) -> None:
        self.held = held

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.held.shape, 1, 1)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(self.held.size)

    def __len__(self) -> int:
        return len(self.held)

    def __getitem__(self, key: Any) -> FloatArray:
        part = self.held[..., np.newaxis, np.newaxis][key]
        return np.asarray(part, dtype=np.float64)

    def doubles(self) -> FloatArray:
        return self[()]


def stored_bytes(values: object) -> ByteArray | None:
    """The bytes that are kept for scores, `(system, item)`, where these are bytes."""
    return values.held if isinstance(values, ByteScores) else None


def scores_of_bytes(held: ByteArray) -> FloatArray:
    """Zeros and ones `(system, item)` as the values of a table: many of them stay bytes."""
    marks = ByteScores(held)
    # It answers whatever a table is asked for as an array of doubles would.
    return cast("FloatArray", marks) if held.size >= FROM else marks[()]


def bytes_of_marks(values: FloatArray) -> ByteArray | None:
    """Scores that are all 0 or 1 as bytes, else None; a zero with a sign is no plain one."""
    bits = values.view(np.uint64)
    return values.astype(np.uint8) if bool(((bits == 0) | (bits == _ONE)).all()) else None


LARGE_FROM = 1 << 24
"""Numbers from which on a table is looked at in blocks."""

HELD = 3 << 24
"""Doubles of a table that are held while it is read: 400 MB; more of them are moved to a file."""

BYTES = 20
"""Bytes per score that all files of a ranking take together: the scores twice, and their ranks in between."""

BLOCK = 1 << 22
"""Numbers that are looked at together."""

_SPARE = 1 << 28
"""Bytes that are left for others."""


def scratch(needed: int) -> io.FileIO:
    """A temporary file without a name, where there is room for this many bytes."""
    place = tempfile.gettempdir()
    try:
        free = shutil.disk_usage(place).free
    except OSError:
        raise DataError(
            f"{place}: there is no such folder for temporary files. Name another with the environment variable TMPDIR"
        ) from None
    if free < needed + _SPARE:
        raise _full(place, needed + _SPARE, free)
    return tempfile.TemporaryFile(buffering=0)


def _full(place: str, needed: int, free: int) -> DataError:
    return DataError(
        f"these scores need at least {needed / 1e9:.1f} GB for temporary files, and {place} has {free / 1e9:.1f} GB left. Make room there, or name another folder with "
        "the environment variable TMPDIR"
    )


def written(file: io.FileIO, numbers: npt.NDArray[Any]) -> None:
    """Add these bytes; a disk that others have filled meanwhile is told."""
    left = np.ascontiguousarray(numbers).data.cast("B")
    try:
        while len(left):
            left = left[file.write(left) :]
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        place = tempfile.gettempdir()
        raise _full(place, file.tell() + len(left), shutil.disk_usage(place).free) from None


def array_on_disk(rows: Iterable[npt.NDArray[Any]], shape: tuple[int, int], dtype: npt.DTypeLike = np.float64) -> Any:
    """The rows as one array that lies in a file and can only be looked at."""
    kind = np.dtype(dtype)
    with scratch(shape[0] * shape[1] * kind.itemsize) as file:
        for row in rows:
            written(file, row.astype(kind, copy=False))
        held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return np.frombuffer(held, dtype=kind).reshape(shape)


def _map_of(values: object) -> mmap.mmap | None:
    """The file that an array is a view of."""
    while values is not None and not isinstance(values, mmap.mmap):
        values = values.obj if isinstance(values, memoryview) else getattr(values, "base", None)
    return values


def on_disk(values: object) -> bool:
    return _map_of(values) is not None


def release_pages(values: object) -> None:
    """Release the memory of pages already read; they are read again on access."""
    held = _map_of(values)
    if held is not None and hasattr(mmap, "MADV_DONTNEED"):
        held.madvise(mmap.MADV_DONTNEED)


def rows_of(values: Iterable[npt.NDArray[Any]]) -> Iterator[npt.NDArray[Any]]:
    """One row after the other; of those in a file, no more than one is held in memory."""
    return _released_rows(values) if on_disk(values) else iter(values)


def _released_rows(values: Iterable[npt.NDArray[Any]]) -> Iterator[npt.NDArray[Any]]:
    for row in values:
        yield row
        release_pages(values)


def is_large(values: FloatArray) -> bool:
    """Whether a table is looked at in blocks: no second one of its size is made."""
    return values.size >= LARGE_FROM


def blocks_of(values: FloatArray) -> Iterator[FloatArray]:
    """All rows of `(row, column)` on some columns at a time, from the first to the last; those of a small table at once.

    What is added up over blocks has bits of its own: so how a table is cut depends on its shape alone, and not on where it lies.
    """
    if not is_large(values):
        yield values
        return
    # A multiple of eight, so that the coins of a block, which are bits, start with a byte.
    step = max(8, BLOCK // len(values) // 8 * 8)
    for start in range(0, values.shape[1], step):
        yield np.ascontiguousarray(values[:, start : start + step])
        release_pages(values)


def products_of(values: FloatArray) -> FloatArray:
    """The sum over columns of the products of every two rows, `(row, row)`."""
    if not is_large(values):
        return np.asarray(values @ values.T)
    found = np.zeros((len(values), len(values)))
    for block in blocks_of(values):
        found += block @ block.T
    return found


def changed(values: FloatArray, change: Callable[[int, FloatArray], FloatArray], columns: int) -> FloatArray:
    """A table of what becomes of each row, which is given by its number; it lies where the first one does."""
    shape = (len(values), columns)
    rows = (change(place, row) for place, row in enumerate(rows_of(values)))
    if on_disk(values):
        laid: FloatArray = array_on_disk(rows, shape)
        return laid
    made = np.empty(shape)
    for row, found in zip(made, rows, strict=True):
        row[:] = found
    return made
