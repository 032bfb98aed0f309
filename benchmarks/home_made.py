"""Tables that people keep: a workbook, one JSON object, a folder of files; beside what any reader of them has to do."""

import csv
import json
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np

from tellapart.readers import read
from tellapart.readers.formats.excel import workbook_of

SHEET_ROWS = 50_000
OBJECT_ITEMS = 200_000
FILES, FILE_ROWS = 500, 200

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        place, rng = Path(folder), np.random.default_rng(0)
        return [_workbook(place, rng), _object(place, rng), _folder(place, rng)]


def _spent(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _workbook(place: Path, rng: np.random.Generator) -> Row:
    path = place / "scores.xlsx"
    scores = rng.random((SHEET_ROWS, 2)).tolist()
    path.write_bytes(workbook_of([("item", "old", "new"), *((f"q{i}", a, b) for i, (a, b) in enumerate(scores))]))

    def cells() -> None:
        book = import_module("openpyxl").load_workbook(path, read_only=True)
        for _ in book.worksheets[0].iter_rows(values_only=True):
            pass

    what = f"read a workbook of {SHEET_ROWS:,} rows / openpyxl alone"
    return (what, _spent(lambda: read(path)), _spent(cells), "at most 1.5 times as long")


def _object(place: Path, rng: np.random.Generator) -> Row:
    path = place / "scores.json"
    found = {
        system: {f"q{i}": score for i, score in enumerate(rng.random(OBJECT_ITEMS).tolist())}
        for system in ("old", "new")
    }
    path.write_text(json.dumps(found))
    what = f"read {{system: {{item: score}}}} of {OBJECT_ITEMS:,} items / json.loads alone"
    return (
        what,
        _spent(lambda: read(path)),
        _spent(lambda: json.loads(path.read_text())),
        "at most 12 times as long",
    )


def _folder(place: Path, rng: np.random.Generator) -> Row:
    folder = place / "systems"
    folder.mkdir()
    for number in range(FILES):
        lines = (f"q{i},{score:.6f}\n" for i, score in enumerate(rng.random(FILE_ROWS).tolist()))
        (folder / f"system-{number}.csv").write_text("item,accuracy\n" + "".join(lines))

    def plain() -> None:
        for path in sorted(folder.iterdir()):
            with path.open(newline="") as file:
                for _ in csv.reader(file):
                    pass

    what = f"read a folder of {FILES:,} tables of {FILE_ROWS} rows / csv.reader alone"
    return (what, _spent(lambda: read(folder)), _spent(plain), "under 5 s")
