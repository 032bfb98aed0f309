"""Plain tables from text, JSON, Parquet or data frames: roles of columns, values of cells, names in rows."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.readers.tables.counting import Counting
    from tellapart.readers.tables.frames import as_frame, frame_table
    from tellapart.readers.tables.uncounted import advise_metric
    from tellapart.readers.tables.votes import read_votes, rows_where

__all__ = ["Counting", "advise_metric", "as_frame", "frame_table", "read_votes", "rows_where"]

__getattr__ = lazy_names(__name__)
