"""The most memory that a command holds on tables with a column per system, beside what it may."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._memory import peak_of

ROWS, GROUP = 20_000_000, 1_000_000
"""Items of two systems, and of them that are written at once."""
SYSTEMS, ITEMS = 300, 200_000
"""A board of continuous scores: half a gigabyte as doubles, of which no second one is held."""

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        pairs, board = Path(folder, "pairs.parquet"), Path(folder, "board.parquet")
        _write(pairs, _pairs())
        _write(board, _board())
        compared = peak_of("compare", str(pairs))
        ranked = peak_of("rank", str(board), "--resamples", "999")
    return [
        (
            f"compare on {ROWS:,} rows, a column per system: bytes beside 2 GB",
            compared,
            2e9,
            "at least 1",
        ),
        (
            f"rank {SYSTEMS} systems, {ITEMS:,} items, continuous: bytes beside 2 GB",
            ranked,
            2e9,
            "at least 1",
        ),
    ]


def _pairs() -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(0)
    for first in range(0, ROWS, GROUP):
        a = np.round(rng.random(GROUP), 4)
        names = np.char.mod("q%09d", np.arange(first, first + GROUP))
        yield {"item": names, "a": a, "b": np.round(a + rng.normal(0.0002, 0.1, GROUP), 4)}


def _board() -> Iterator[dict[str, Any]]:
    rng = np.random.default_rng(1)
    hard = rng.normal(size=ITEMS)
    scores = {f"s{i:03d}": hard + 0.1 * i / SYSTEMS + rng.normal(size=ITEMS) for i in range(SYSTEMS)}
    yield {"item": np.arange(ITEMS), **scores}


def _write(path: Path, pieces: Iterator[dict[str, Any]]) -> None:
    import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  (an extra)
    from pyarrow import parquet  # noqa: PLC0415

    tables = (pa.table(piece) for piece in pieces)
    first = next(tables)
    with parquet.ParquetWriter(path, first.schema) as file:
        file.write_table(first)
        for table in tables:
            file.write_table(table)
