"""Data frames of pandas, polars, pyarrow and other libraries that narwhals supports, as tables."""

from collections.abc import Iterator
from typing import Any

import narwhals as nw
from narwhals.exceptions import DuplicateError

from tellapart.foundation.errors import ReadError
from tellapart.foundation.frames import note_library
from tellapart.readers.tables.columns import usual_role
from tellapart.readers.tables.table import BATCH_ROWS, Block, Table, no_rows, refuse_repeated

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
    if not isinstance(frame, nw.DataFrame):
        return None
    note_library(frame.implementation.value)
    return frame


def frame_table(frame: Frame) -> Table:
    """A frame as a table whose lines are its rows, counted from 1."""
    return Table(NAME, NAME, _frame_blocks(frame), unit="row", orders=_orders(frame))


def _orders(frame: Frame) -> dict[str, tuple[str, ...]]:
    """The order of ordered categories, by column."""
    return {
        str(name).strip(): tuple(str(category).strip() for category in dtype.categories)
        for name, dtype in frame.schema.items()
        if isinstance(dtype, nw.Enum)
    }


def _frame_blocks(frame: Frame) -> Iterator[Block]:
    columns = tuple(str(name).strip() for name in frame.columns)
    refuse_repeated(NAME, columns)
    if len(frame) == 0:
        raise no_rows(NAME)
    index = _index(frame, columns)
    for start in range(0, len(frame), BATCH_ROWS):
        yield _frame_block((*index, *columns), start + 1, frame[start : start + BATCH_ROWS], index)


def _frame_block(names: tuple[str, ...], row: int, frame: Frame, index: dict[str, int]) -> Block:
    def column(name: str) -> list[Any]:
        if name in index:
            levels: Any = nw.maybe_get_index(frame)
            return list(levels.get_level_values(index[name]))
        return _values(frame[:, names.index(name) - len(index)])

    return Block(names, range(row, row + len(frame)), column)


def _index(frame: Frame, columns: tuple[str, ...]) -> dict[str, int]:
    """The levels of a pandas index under the names they would have in a CSV: without one where its name says nothing."""
    found = nw.maybe_get_index(frame)
    if found is None or not columns:
        return {}
    levels = list(found.names)
    if len(levels) == 1 and (levels[0] is None or usual_role(str(levels[0])) is None):
        return {} if "" in columns else {"": 0}
    taken = {usual_role(name) for name in columns} | {None}
    return {
        str(name): level for level, name in enumerate(levels) if name is not None and usual_role(str(name)) not in taken
    }


def _values(series: nw.Series[Any]) -> list[Any]:
    """The column as Python values, None where the frame's own library sees a null."""
    # Each library has its own idea of missing: pandas says NaN, others have nulls, and only they know.
    nulls = series.is_null()
    values = series.to_list()
    if not nulls.any():
        return values
    return [None if null else value for value, null in zip(values, nulls.to_list(), strict=True)]
