"""Tables of reported numbers: cells stay text, rows that cannot be used are kept apart."""

from collections.abc import Callable

import pytest

from tellapart.foundation.errors import ReadError
from tellapart.readers.tables.reported import ReportedRow, read_reported

File = Callable[..., str]

ROLES: dict[str, tuple[str, ...]] = {"baseline": ("accuracy_a", "a"), "items": ("n", "test_size")}


def test_cells_stay_text(file: File) -> None:
    """0.70 keeps its digits; blanks around and blank cells are gone; rows know their lines."""
    table = read_reported(file("baseline,items,note\n 0.70 ,1000,x\n\n0.5,,y\n"), ROLES)
    assert table.rows == (
        ReportedRow(2, {"baseline": "0.70", "items": "1000"}),
        ReportedRow(4, {"baseline": "0.5"}),
    )
    assert table.unused == ("note",)
    assert table.ragged == ()


def test_rows_that_are_too_long_or_short(file: File) -> None:
    """A row of another width is told with its line and does not hide the others."""
    table = read_reported(file("a;n\n0.5;10;3\n0.6;20\n0.7\n"), ROLES)
    assert [row.line for row in table.rows] == [3]
    assert [line for line, _ in table.ragged] == [2, 4]
    assert table.ragged[0][1].startswith("found 3 fields; wanted 2, as in the header")


def test_lines_after_quoted_line_ends(file: File) -> None:
    """A row that spans lines counts as the line it starts on, and those after it keep theirs."""
    table = read_reported(file('a,n,note\n0.5,10,"two\nlines"\n0.6,20,x\n'), ROLES)
    assert [row.line for row in table.rows] == [2, 4]


@pytest.mark.parametrize(
    ("header", "found"),
    [("A,Test Size", "0.1"), ("accuracyA,testSize", "0.1"), ("a,Baseline,test-size", "0.2")],
)
def test_columns_by_their_usual_names(header: str, found: str, file: File) -> None:
    """A role is known by several names in any case, and its own name wins."""
    cells = "0.1,5" if header.count(",") == 1 else "0.1,0.2,5"
    assert read_reported(file(f"{header}\n{cells}\n"), ROLES).rows[0].cells == {
        "baseline": found,
        "items": "5",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[{"a": 1}]', r"scores\.csv: found JSON; wanted CSV or TSV, where 0\.70 keeps its last digit"),
        ('{"a": 1}', "found JSON"),
        ("", r"scores\.csv: the file is empty; wanted a header line and one row per result"),
        ("\n\n", "the file is empty"),
        ("\na,n\n", r"scores\.csv: found column names but no rows; wanted one row per result"),
        ("\nx,y\n1,2\n", r"scores\.csv, line 2: no column has a known name; "),
        ("a,A,n\n1,2,3\n", r"scores\.csv, line 1: found column 'a' 2 times"),
        ('a,n\n1,2\n"1,2\n', r"scores\.csv, line 3: a quoted field is not closed"),
    ],
)
def test_what_is_no_such_table(text: str, said: str, file: File) -> None:
    """What cannot be a table of reported numbers is refused, saying why and where."""
    with pytest.raises(ReadError, match=said):
        read_reported(file(text), ROLES)


def test_long_notes(file: File) -> None:
    """A note longer than the limit that `csv` has for the whole process is no reason to stop."""
    table = read_reported(file(f"a,n,note\n0.5,10,{'x' * 200_000}\n"), ROLES)
    assert table.rows[0].cells == {"baseline": "0.5", "items": "10"}
