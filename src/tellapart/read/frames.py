"""Frames of pandas, polars, pyarrow and whatever else narwhals reads, as tables."""

from collections.abc import Iterator
from typing import Any

import narwhals as nw
from narwhals.exceptions import DuplicateError

from tellapart.errors import ReadError
from tellapart.read.table import BLOCK_ROWS, Block, Table, no_rows, refuse_repeated

NAME = "frame"

Frame = nw.DataFrame[Any]


def as_frame(source: Any) -> Frame | None:
    """The frame behind narwhals, or None when this is none."""
    try:
        frame = nw.from_native(source, pass_through=True)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
    except DuplicateError as error:
        raise ReadError(f"{NAME}: each column name may occur once ({error}). Rename or remove one") from None
    return frame if isinstance(frame, nw.DataFrame) else None


def table(frame: Frame) -> Table:
    """A frame as a table whose lines are its rows, counted from 1."""
    return Table(NAME, NAME, _blocks(frame), unit="row")


def _blocks(frame: Frame) -> Iterator[Block]:
    native = {str(name).strip(): name for name in frame.columns}
    refuse_repeated(NAME, [str(name).strip() for name in frame.columns])
    if len(frame) == 0:
        raise no_rows(NAME)
    for start in range(0, len(frame), BLOCK_ROWS):
        part = frame[start : start + BLOCK_ROWS]
        yield _block(native, start + 1, part)


def _block(native: dict[str, str], row: int, frame: Frame) -> Block:
    lines = range(row, row + len(frame))
    return Block(tuple(native), lines, lambda name: _values(frame, native[name]))


def _values(frame: Frame, name: str) -> list[Any]:
    """The column as Python values, None where the frame's own library sees a null."""
    series = frame[name]
    nulls = series.is_null()
    values = series.to_list()
    if not nulls.any():
        return values
    return [None if null else value for value, null in zip(values, nulls.to_list(), strict=True)]
