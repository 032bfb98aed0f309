"""Rows of a table of reported numbers, each made into what it is about; those that cannot be are told by their line."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from tellapart.errors import TellapartError
from tellapart.results.bad_row import BadRow
from tellapart.results.note import Note

if TYPE_CHECKING:
    from tellapart.readers.reported import ReportedRow, ReportedTable

T = TypeVar("T")


def usable_rows(
    table: "ReportedTable", make: "Callable[[ReportedRow], T]"
) -> tuple[tuple[T, ...], tuple[BadRow, ...]]:
    """What can be made of the rows, and the rows of which nothing can; a bad row stops none of the others."""
    made, bad = [], [BadRow(line, problem) for line, problem in table.ragged]
    for row in table.rows:
        try:
            made.append(make(row))
        except TellapartError as error:
            bad.append(BadRow(row.line, error.message))
    return tuple(made), in_order(bad)


def in_order(bad: list[BadRow]) -> tuple[BadRow, ...]:
    return tuple(sorted(bad, key=lambda row: row.line))


def unused_columns(columns: tuple[str, ...]) -> tuple[Note, ...]:
    return (Note("columns_not_used", {"columns": list(columns)}),) if columns else ()
