"""Tables of reported numbers, such as published means; cells stay text to keep their printed precision."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tellapart.foundation.errors import ReadError, SpellingError, nearest
from tellapart.foundation.formatting import unguarded
from tellapart.foundation.surfaces import option
from tellapart.readers.storage.csv_rows import Row, csv_rows, guess_delimiter
from tellapart.readers.storage.files import locate
from tellapart.readers.storage.limits import Limits
from tellapart.readers.tables.columns import find, known_as, usual_role
from tellapart.readers.tables.table import refuse_repeated


@dataclass(frozen=True)
class ReportedRow:
    """The cells of a row that are not blank, by role, and the line they are on."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True)
class ReportedTable:
    """The rows of a file, the rows that could not be split into cells, and unused columns."""

    name: str
    rows: tuple[ReportedRow, ...]
    ragged: tuple[tuple[int, str], ...]
    unused: tuple[str, ...]


def read_reported(
    path: str,
    roles: Mapping[str, tuple[str, ...]],
    columns: Mapping[str, str] = MappingProxyType({}),
    limits: Mapping[str, Any] = MappingProxyType({}),
) -> ReportedTable:
    """A delimited table (`-`: standard input) whose columns are found by role, each with the names it is known by.

    `columns` says which column plays a role where its name does not; `limits` allows larger tables than usual.
    """
    for role in columns:
        if role not in roles:
            raise SpellingError(f"no column role is called {role!r}; {nearest(role, roles)}")
    origin = locate(path, path, Limits.of(limits))
    if origin.opening.lstrip()[:1] in {"{", "["}:
        raise ReadError(
            f"{origin.name}: found JSON; wanted CSV or TSV, where 0.70 keeps its last digit and so shows how it was rounded"
        )
    rows = [
        numbered
        for lines, block in csv_rows(origin, guess_delimiter(origin.opening))
        for numbered in zip(lines, block, strict=True)
    ]
    if not rows:
        raise ReadError(f"{origin.name}: the file is empty; wanted a header line and one row per result")
    (first, header), body = rows[0], rows[1:]
    origin.limits.refuse_many(f"{origin.name}, line {first}", header)
    places = _places(f"{origin.name}, line {first}", header, roles, columns)
    if not body:
        raise ReadError(f"{origin.name}: found column names but no rows; wanted one row per result")
    return _reported_table(origin.name, header, places, body)


def holds_scores(path: str, limits: Mapping[str, Any] = MappingProxyType({})) -> bool:
    """Whether a file holds scores item by item rather than reported numbers: no delimited table, or one with a column of items."""
    if path == "-":
        return False
    if os.path.isdir(path):  # noqa: PTH112  (False for what can be no path)
        return True
    origin = locate(path, path, Limits.of(limits))
    if origin.opening.lstrip()[:1] in {"{", "["}:
        return True
    header = next((row for _, block in csv_rows(origin, guess_delimiter(origin.opening)) for row in block), ())
    return any(usual_role(column) == "item" for column in header)


def _reported_table(name: str, header: Row, places: dict[str, int], body: list[tuple[int, Row]]) -> ReportedTable:
    whole = [(line, row) for line, row in body if len(row) == len(header)]
    ragged = [
        (line, f"found {len(row)} fields; wanted {len(header)}, as in the header. Quote a field that holds a separator")
        for line, row in body
        if len(row) != len(header)
    ]  # fmt: skip
    rows = tuple(
        ReportedRow(line, {role: unguarded(row[at].strip()) for role, at in places.items() if row[at].strip()})
        for line, row in whole
    )
    used = set(places.values())
    unused = tuple(column.strip() for at, column in enumerate(header) if at not in used and column.strip())
    return ReportedTable(name, rows, tuple(ragged), unused)


def _places(source: str, header: Row, roles: Mapping[str, tuple[str, ...]], given: Mapping[str, str]) -> dict[str, int]:
    """Where each role is: where the caller says, else the first of its names that is a column."""
    known = {name for role, names in roles.items() for name in (role, *names)}
    columns = [known_as(name, known) for name in header]
    refuse_repeated(source, [c for c in columns if c])
    said = {role: list(header).index(find(source, header, column)) for role, column in given.items()}
    free = [None if at in said.values() else column for at, column in enumerate(columns)]
    found: dict[str, Any] = {
        role: next((free.index(n) for n in (role, *names) if n in free), None) for role, names in roles.items()
    }
    places = {role: at for role, at in found.items() if at is not None} | said
    if not places:
        raise ReadError(
            f"{source}: no column has a known name; {nearest(columns[0], roles)}. Say which is which: {option('column', 'role=name')}"
        )
    return places
