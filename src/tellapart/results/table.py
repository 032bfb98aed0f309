"""The tables of an answer as rows of plain cells: what CSV and frames hold of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from tellapart.doors import option
from tellapart.errors import UsageError


def cells(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Columns and cells of a row; what is nested gets the path to it as its column."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from cells(value, f"{before}{key}.")
        else:
            yield before + key, value


def columns_of(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns: sentences and notes one after the other, tables within a row left out, for those are tables of their own."""
    flat = [{key: _cell(value) for key, value in cells(row) if not _is_table(value)} for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    return {name: [row.get(name) for row in flat] for name in names}


def chosen_table(said: dict[str, Any], usual: str, wanted: str | None) -> list[dict[str, Any]]:
    """The rows of the table that is asked for, else of the usual one; an answer that has no table is a row itself."""
    if wanted is None:
        rows = said.get(usual)
        return list(rows) if isinstance(rows, list) else [said]
    tables = [name for name, value in said.items() if _is_table(value)]
    if wanted not in tables:
        raise UsageError(f"{option('table', wanted)}: this answer has {', '.join(tables) or 'no tables'}")
    return list(said[wanted])


def _is_table(value: Any) -> bool:
    """A list of objects that are no notes, or of lists."""
    return isinstance(value, list) and any(isinstance(v, list) or (isinstance(v, dict) and "text" not in v) for v in value)  # fmt: skip


def _cell(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    texts = [v["text"] if isinstance(v, dict) else v for v in value]
    return "; ".join(texts) if all(isinstance(text, str) for text in texts) else texts
