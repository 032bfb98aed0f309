"""Excel workbooks: sheets as tables, by a writer of our own and by openpyxl."""

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tellapart.foundation.errors import ReadError
from tellapart.readers import read
from tellapart.readers.formats.excel import workbook_of

openpyxl: Any = pytest.importorskip("openpyxl")

Refusal = Callable[..., str]


def write(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """The file that the laws of readers are tried on."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    return workbook_of([names, *([row.get(name) for name in names] for row in rows)])


ROWS: list[tuple[Any, ...]] = [
    ("id", "base", "new"),
    *((f"q{place}", place % 2, place % 3 == 0) for place in range(40)),
]


def book(folder: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], name: str = "scores.xlsx") -> str:
    """A workbook as openpyxl writes it."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for title, rows in sheets.items():
        sheet = made.create_sheet(title)
        for row in rows:
            sheet.append(row)
    made.save(folder / name)
    return str(folder / name)


def means(source: Any, **options: Any) -> dict[str, float]:
    found = read(source, **options)
    return {name: float(found.values[place].mean()) for place, name in enumerate(found.systems)}


WANTED = {"base": 0.5, "new": 14 / 40}


def test_the_first_sheet(tmp_path: Path) -> None:
    assert means(book(tmp_path, {"All": ROWS, "Notes": [("nothing", "here")]})) == pytest.approx(WANTED)


def test_a_sheet_by_its_name(tmp_path: Path, refusal: Refusal) -> None:
    path = book(tmp_path, {"Notes": [("nothing", "here")], "All scores": ROWS})
    assert means(f"{path}#All scores") == pytest.approx(WANTED)
    assert "no sheet is called 'All score'; did you mean 'All scores'" in refusal(f"{path}#All score")


def test_a_sheet_per_system(tmp_path: Path, refusal: Refusal) -> None:
    """Two sheets of one workbook are two systems, called as the sheets are; without a name neither is read for both."""
    sheets = {name: [(row[0], row[place]) for row in ROWS] for place, name in ((1, "base"), (2, "new"))}
    for rows in sheets.values():
        rows[0] = ("id", "correct")
    path = book(tmp_path, sheets)
    assert means([f"{path}#base", f"{path}#new"]) == pytest.approx(WANTED)
    said = refusal(path)
    assert "found tables on the sheets base, new" in said
    assert f"{path}#base {path}#new" in said
    summary = [("system", "mean"), ("base", 0.5), ("new", 0.35)]
    assert "the sheets Summary, Scores" in refusal(book(tmp_path, {"Summary": summary, "Scores": ROWS}, "two.xlsx"))
    assert means(book(tmp_path, {"Notes": [("By hand",)], "Scores": ROWS}, "one.xlsx")) == pytest.approx(WANTED)


def test_titles_and_blank_rows(tmp_path: Path) -> None:
    rows = [("Results of May",), (), (None, None, "in points"), (), *ROWS[:20], (), *ROWS[20:]]
    assert means(book(tmp_path, {"S": rows})) == pytest.approx(WANTED)


def test_cells_as_people_write_them(tmp_path: Path) -> None:
    rows = [ROWS[0], *((name, "✓" if a else "✗", "100%" if b else "50%") for name, a, b in ROWS[1:])]
    assert means(book(tmp_path, {"S": rows})) == pytest.approx({"base": 0.5, "new": (14 + 13) / 40})


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("id", "base", None, "new"), ("q1", 1, 2, 0)], "column 3 has no name"),
        ([("id", "base", "base"), ("q1", 1, 0)], "found column 'base' 2 times"),
        ([("id", "base", "new")], "found column names but no rows"),
        (
            [("id", "base", "new"), ("q1", 1, 0), ("q2", 1, 0, "see note")],
            "found a cell right of the table, in column 4",
        ),
        ([("id", "base", "new"), ("q1", 1, 0), ("q2", 1, "#DIV/0!")], "found '#DIV/0!' in column 'new'"),
    ],
)
def test_refusals(rows: list[tuple[Any, ...]], said: str, tmp_path: Path, refusal: Refusal) -> None:
    assert said in refusal(book(tmp_path, {"S": rows}))


def test_damaged_workbooks(tmp_path: Path) -> None:
    """A part that is missing or no XML is refused as such, or not needed."""
    whole = workbook_of(ROWS)
    parts = {
        name: zipfile.ZipFile(io.BytesIO(whole)).read(name) for name in zipfile.ZipFile(io.BytesIO(whole)).namelist()
    }
    for part in parts:
        for content in (None, b"<", b""):
            made = tmp_path / "x.xlsx"
            with zipfile.ZipFile(made, "w") as archive:
                for name, text in parts.items():
                    kept = text if name != part else content
                    if kept is not None:
                        archive.writestr(name, kept)
            if part == "xl/workbook.xml" and content is None:
                continue  # no workbook then
            with suppress(ReadError):  # without a list of the types of its parts a workbook can be read
                assert means(str(made)) == pytest.approx(WANTED)


def test_parts_that_unpack_to_too_much(tmp_path: Path, refusal: Refusal) -> None:
    """Before the library unpacks them."""
    path = tmp_path / "bomb.xlsx"
    path.write_bytes(workbook_of([("id", "base", "new"), *((f"q{i}", 1, 0) for i in range(5000))]))
    assert "a part of more than 10,000 bytes" in refusal(str(path), limits={"record": 10_000})


def test_without_the_extra(tmp_path: Path, refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    path = book(tmp_path, {"S": ROWS})

    def absent(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr("tellapart.readers.formats.excel.import_module", absent)
    assert "pip install 'tellapart[excel]'" in refusal(path)
    assert import_module("openpyxl") is openpyxl
