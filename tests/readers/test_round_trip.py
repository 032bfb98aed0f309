"""Whatever is written, in whatever form, is what is read."""

import csv
import gzip
import io
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tellapart.data.roles import TIMES
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FINEST, LARGEST
from tellapart.foundation.formatting import unguarded
from tellapart.readers import read
from tellapart.readers.tables.columns import snake_case, usual_role
from tellapart.readers.tables.score_columns import kind_of
from tellapart.readers.tables.values import is_number

Grid = dict[str, dict[str, float | None]]

alphabet = st.characters(codec="utf-8", exclude_characters="\0")
# An apostrophe before what a spreadsheet would run is taken off: only our own CSV puts it there.
names = (
    st.text(alphabet, min_size=1, max_size=8).map(str.strip).filter(lambda name: bool(name) and unguarded(name) == name)
)


def may_be_a_system(name: str) -> bool:
    """No role, number, time, cost or fact, as which a column of this name would be read."""
    taken = usual_role(name) is not None or is_number(name) or snake_case(name) in TIMES
    return not taken and kind_of(name) == "unknown"


system_names = names.filter(may_be_a_system)
sizes = st.floats(FINEST, LARGEST)
values = st.none() | sizes | sizes.map(lambda size: -size) | st.integers(0, 1).map(float)


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    systems = draw(st.lists(system_names, min_size=2, max_size=4, unique=True))
    items = draw(st.lists(names, min_size=1, max_size=6, unique=True))
    return {system: {item: draw(values) for item in items} for system in systems}


def expected(grid: Grid) -> Scores:
    arrays = {system: [np.nan if v is None else v for v in row.values()] for system, row in grid.items()}
    return Scores.from_arrays(arrays, items=list(next(iter(grid.values()))))


def long_rows(grid: Grid) -> list[dict[str, object]]:
    return [
        {"system": system, "item": item, "score": score} for system, row in grid.items() for item, score in row.items()
    ]


def wide_rows(grid: Grid) -> list[dict[str, object]]:
    items = next(iter(grid.values()))
    return [{"item": item, **{system: grid[system][item] for system in grid}} for item in items]


def delimited(rows: list[dict[str, object]], delimiter: str) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, quoting=csv.QUOTE_NONNUMERIC)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def json_lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


WRITERS: dict[str, Callable[[list[dict[str, object]]], str]] = {
    "comma.csv": lambda rows: delimited(rows, ","),
    "semicolon.csv": lambda rows: delimited(rows, ";"),
    "tab.tsv": lambda rows: delimited(rows, "\t"),
    "lines.jsonl": json_lines,
}


@settings(deadline=None, max_examples=60)
@given(
    grid=grids(),
    name=st.sampled_from(sorted(WRITERS)),
    wide=st.booleans(),
    packed=st.booleans(),
    chance=st.randoms(use_true_random=False),
)
def test_round_trip(grid: Grid, name: str, wide: bool, packed: bool, chance: Random) -> None:
    """Any table, wide or long, in any dialect, gzipped or not, its rows in any order, is read as it was."""
    rows = wide_rows(grid) if wide else long_rows(grid)
    if wide:
        chance.shuffle(rows)
    content = WRITERS[name](rows).encode()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / (f"{name}.gz" if packed else name)
        path.write_bytes(gzip.compress(content) if packed else content)
        found, wanted = read(path), expected(grid)
    assert (found.systems, found.items) == (wanted.systems, wanted.items)
    np.testing.assert_array_equal(found.values, wanted.values)


@settings(deadline=None, max_examples=40)
@given(grid=grids(), chance=st.randoms(use_true_random=False))
def test_row_order_is_irrelevant(grid: Grid, chance: Random) -> None:
    """Shuffled rows give the same scores of every system."""
    rows = long_rows(grid)
    chance.shuffle(rows)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "shuffled.csv"
        path.write_text(delimited(rows, ","), newline="", encoding="utf-8")
        found, wanted = read(path), expected(grid)
    assert found.items == wanted.items
    for system in grid:
        np.testing.assert_array_equal(found.values[found.system(system)], wanted.values[wanted.system(system)])
