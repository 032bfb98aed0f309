import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tellapart.foundation.arrays import EXACT, FloatArray
from tellapart.foundation.errors import ReadError
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.storage.files import Folder
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import usual_role
from tellapart.readers.tables.table import BATCH_ROWS, Block, no_rows, refuse_repeated

MAGIC = b"PAR1"
PAGE = 1 << 16
"""Bytes of each column that are read at once."""


@FORMATS.add("parquet")
@dataclass(frozen=True)
class Parquet(Format):
    """Apache Parquet, read with pyarrow from the `parquet` extra."""

    label = "Parquet"
    unit = "row"

    def example(self) -> bytes:
        pyarrow, parquet = _pyarrow("the example")
        columns = {
            "system": ["old", "old", "new", "new"],
            "item": ["q1", "q2", "q1", "q2"],
            "score": [0.1, 0.4, 0.3, None],
        }
        parquet.write_table(pyarrow.table(columns), file := io.BytesIO())
        return file.getvalue()

    def claim(self, origin: Origin) -> Certainty:
        if origin.head.startswith(MAGIC):
            return Certainty.LIKELY
        return Certainty.CERTAIN if _parts(origin) else Certainty.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        parts = _parts(origin) or (origin,)
        names: tuple[str, ...] = ()
        row = 1
        for part in parts:
            with open_parquet(part) as file:
                found = _column_names(part.name, file)
                _refuse_unlike(part.name, found, parts[0].name, names or found)
                names = found
                for batch in file.iter_batches(BATCH_ROWS):
                    yield block(origin.name, names, row, batch)
                    row += batch.num_rows
        if row == 1:
            raise no_rows(origin.name)


def _parts(origin: Origin) -> Sequence[Origin]:
    """The files of a folder that is one table, as programs write it that work on many machines; none of any other folder.

    What these programs put beside them starts with a point or an underscore. Files of which each is a system have no place here.
    """
    if not isinstance(origin, Folder):
        return ()
    # A claim refuses nothing: whoever reads the folder is told what is wrong with it.
    with suppress(ReadError):
        files = [one for one in origin.children() if not Path(one.name).name.startswith((".", "_"))]
        alone = not any(isinstance(one, Folder) for one in files)
        if files and alone and all(one.head.startswith(MAGIC) for one in files) and _is_board(files[0]):
            return files
    return ()


def _is_board(part: Origin) -> bool:
    """Whether a column says the system, or several columns are one each."""
    try:
        with open_parquet(part) as file:
            roles = [usual_role(str(name)) for name in file.schema_arrow.names]
    except ReadError:
        return True  # told when it is read
    return "system" in roles or ("score" not in roles and roles.count(None) > 1)


def _refuse_unlike(name: str, found: tuple[str, ...], first: str, names: tuple[str, ...]) -> None:
    if found != names:
        other = sorted(set(found).symmetric_difference(names)) or ["their order"]
        raise ReadError(
            f"{name}: its columns are not those of {first} ({', '.join(map(repr, other[:3]))}); the files of a "
            "folder are one table. Give all the same columns, or pass files by name"
        )


@contextmanager
def open_parquet(origin: Origin) -> Iterator[Any]:
    """The file as pyarrow opens it, with whatever is wrong with it in words."""
    pyarrow, parquet = _pyarrow(origin.name)
    with origin.binary() as stream:
        try:
            # Columns are read page by page: of a table with thousands of them, written in one piece, all would be held else.
            file = parquet.ParquetFile(stream, pre_buffer=False, buffer_size=PAGE)
            origin.limits.refuse_many(origin.name, file.schema_arrow.names)
            yield file
        # A damaged length may ask for any amount of memory, and a damaged name of a column is no text.
        except (pyarrow.ArrowException, MemoryError, UnicodeDecodeError) as error:
            raise damaged(origin.name, error) from None


def damaged(source: str, error: Exception) -> ReadError:
    return ReadError(f"{source}: damaged Parquet ({error}). Fetch or write it again")


def _pyarrow(source: str) -> tuple[Any, Any]:
    """The library, imported by name because it is an extra and slow to import."""
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise ReadError(f"{source}: Parquet needs pyarrow. Run: pip install 'tellapart[parquet]'") from None


def _column_names(source: str, file: Any) -> tuple[str, ...]:
    names = tuple(map(str, file.schema_arrow.names))
    refuse_repeated(source, names)
    return names


def block(source: str, names: tuple[str, ...], row: int, batch: Any) -> Block:
    # Lines mean nothing in Parquet; rows are counted as a frame would show them, over all files of a folder.
    lines = range(row, row + batch.num_rows)

    def column(name: str) -> list[Any]:
        try:
            values: list[Any] = batch.column(names.index(name)).to_pylist()
        # A number of a word that is not in the dictionary, or a length beyond the memory.
        except (LookupError, MemoryError) as error:
            raise damaged(source, error) from None
        except (ValueError, OverflowError, TypeError, NotImplementedError) as error:
            raise ReadError(
                f"{source}, rows {lines[0]} to {lines[-1]}: column {name!r} cannot be decoded ({error}). Write it "
                "again as UTF-8 text or numbers"
            ) from None
        return values

    return Block(names, lines, column, numbers=lambda name: _as_doubles(batch.column(names.index(name))))


def _as_doubles(column: Any) -> FloatArray | None:
    """A column of whole numbers, floats or truth values as doubles; None where it holds more, or what is to be refused with its row."""
    types = import_module("pyarrow").types
    kind = column.type
    if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind)):
        return None
    values = np.asarray(column.to_numpy(zero_copy_only=False))
    if values.dtype == object:  # truth values with gaps
        return None
    numbers: FloatArray = values.astype(np.float64)
    # NaN is no gap: what is stored as one is refused with its row, as is what is too large.
    usual = np.count_nonzero(np.abs(numbers) <= EXACT) + column.null_count == len(numbers)
    return numbers if usual else None
