"""Tables in a single JSON object: records under a key, or scores nested by item and system names."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from tellapart.foundation.errors import ReadError
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import verb
from tellapart.readers.format import FORMATS, Certainty, Facts, Format
from tellapart.readers.storage.json_objects import Object, block_of, object_at, refuse_nested
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import folded, usual_role
from tellapart.readers.tables.table import BLOCK_ROWS, Block, Table, refuse_repeated

RECORDS = (
    *("results", "data", "items", "records", "rows", "samples", "examples", "scores", "predictions"),
    *("outputs", "evaluations", "details", "questions", "answers", "responses", "cases", "tests"),
)
"""Keys under which programs put one record per item, beside what they say of all of them."""
SETTINGS = ("config", "metadata", "meta", "args", "settings", "info")
"""Keys under which the model and the dataset are found where they do not stand beside the records."""
MEASURES = re.compile(
    r"(^|[\W_])(acc|accuracy|f1|precision|recall|em|exact_match|bleu|chrf|rouge\w*|ndcg|map|mrr|auc|loss|perplexity|ppl|latency\w*|cost|wer|cer"
    r"|correct|passed|success|score|mean|average|avg|std|count|total|tokens|duration)([\W_]|\d|$)",
    re.IGNORECASE,
)
"""Names of measures: what is called so is neither an item nor a system."""

WANTED = 'Wanted records, {"results": [{"id": "q1", "score": 0.5}, …]}, or scores by name, {"base": {"q1": 0.5, …}, "new": …}'


class Found(NamedTuple):
    """Rows of named columns, and what is said of all of them."""

    rows: list[Object]
    facts: Facts = Facts()


@FORMATS.add("json_object")
@dataclass(frozen=True)
class JsonObject(Format):
    """One JSON object: records under a key such as `results` or by the names of items, scores by item, by system and item, or by item and system.

    What `to_json` of pandas writes with any `orient` is such an object, but for lists without names.
    """

    label = "JSON"
    unit = "row"

    def example(self) -> bytes:
        return b'{"old": {"q1": 0.1, "q2": 0.4, "q3": 0.2}, "new": {"q1": 0.3, "q2": null, "q3": 0.5}}'

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.LIKELY if holds_table(origin) else Certainty.NONE

    def table(self, origin: Origin) -> Table:
        found = _table_in(origin)
        return Table(
            origin.name,
            origin.label,
            _in_blocks(origin, found.rows),
            found.facts,
            self.unit,
            self.name,
            encoding=origin.encoding,
        )

    def blocks(self, origin: Origin) -> Iterator[Block]:
        yield from _in_blocks(origin, _table_in(origin).rows)


def holds_table(origin: Origin) -> bool:
    """Whether one object, as far as the head shows it, is more than one row: nested, or scores by name."""
    first = origin.preview.first
    if origin.preview.kind == "records":
        return _goes_over_lines(origin.opening)
    if origin.preview.kind != "object" or not isinstance(first, dict) or not first:
        return False
    if any(isinstance(value, list | dict) and value for value in first.values()):
        return not _is_row(first)
    return len(first) > 1 and not any(map(usual_role, first))


def _goes_over_lines(opening: str) -> bool:
    """Whether the first of several objects goes on in the next line, as indented JSON does."""
    first = opening.lstrip("\ufeff \t\r\n").partition("\n")[0].rstrip()
    return not first.endswith("}")


def _is_row(found: Object) -> bool:
    """Whether an object is a single line of a table, with something nested beside its names and scores."""
    roles = {usual_role(name) for name, value in found.items() if not isinstance(value, list | dict)}
    return "item" in roles and _records_key(found) is None


def _in_blocks(origin: Origin, rows: Sequence[Object]) -> Iterator[Block]:
    numbered = iter(enumerate(rows, 1))
    while some := list(islice(numbered, BLOCK_ROWS)):
        yield block_of(origin, [row for _, row in some], [number for number, _ in some])


def _table_in(origin: Origin) -> Found:
    with origin.characters() as characters:
        text = characters.rest().strip()
    if len(text) > origin.limits.record:
        raise origin.limits.refusal(
            origin.name, f"an object of more than {origin.limits.record:,} characters", "record"
        )
    refuse_nested(origin, 1, text)
    found, end = object_at(origin.name, text, 0, WANTED)
    if text[end:].lstrip().startswith("{"):
        return Found(list(_objects_one_by_one(origin.name, text)))
    if end < len(text):
        raise ReadError(f"{origin.name}: found {text[end : end + 20]!r} after the object. {WANTED}")
    read = table_of(origin.name, found)
    if not read.rows:
        raise ReadError(f"{origin.name}: found no rows. {WANTED}")
    for row in read.rows:
        _refuse_repeated_keys(origin.name, row)
    return read


def _objects_one_by_one(name: str, text: str) -> Iterator[Object]:
    """Objects one after the other, each over several lines."""
    place = 0
    while place < len(text):
        line = 1 + text.count("\n", 0, place)
        found, place = object_at(f"{name}, line {line}", text, place, WANTED)
        blank = re.compile(r"[ \t\r\n]*").match(text, place)
        place = blank.end() if blank else place
        yield found


def _refuse_repeated_keys(name: str, found: Any) -> None:
    """An object that named a key twice is of another class than those that did not."""
    if isinstance(found, dict) and type(found) is not dict:
        raise ReadError(f"{name}: a key occurs twice in one object. Keep one of them")


def table_of(name: str, found: Object) -> Found:
    """The rows that an object holds, whichever way it is nested."""
    if {"columns", "index", "data"} == found.keys():
        return Found(_named_by_index(found["index"], rows_of_split(name, found)))
    nested = {key: value for key, value in found.items() if isinstance(value, list | dict) and value}
    for value in nested.values():
        _refuse_repeated_keys(name, value)
    key = _records_key(found)
    if key is not None:
        inner = found[key]
        rows = list(map(_row_of(name), inner)) if isinstance(inner, list) else table_of(name, inner).rows
        return Found(rows, _facts(found))
    lists = {key: value for key, value in nested.items() if isinstance(value, list)}
    if lists and all(isinstance(one, dict) for value in lists.values() for one in value):
        return Found([{"system": key, **row} for key, rows in lists.items() for row in map(_row_of(name), rows)])
    if lists and len(lists) == len(nested):
        return Found(_columns_of_lists(name, lists), _facts(found))
    if nested:
        tables = {key: value for key, value in nested.items() if isinstance(value, dict)}
        return Found(_by_name(name, tables), _facts({k: v for k, v in found.items() if k not in tables}))
    _refuse_means(name, found)
    return Found([{"item": item, "score": score} for item, score in found.items()])


def rows_of_split(name: str, found: Object) -> list[Object]:
    """Rows as pandas writes them apart from the names of columns and rows."""
    columns, index, data = (found.get(key, ()) for key in ("columns", "index", "data"))
    lists = all(isinstance(part, list) for part in (columns, index, data, *(data if isinstance(data, list) else ())))
    if not lists or len(index) != len(data) or any(len(row) != len(columns) for row in data):
        raise ReadError(f"{name}: its columns, index and data do not fit together. Is the file whole?")
    names = list(map(str, columns))
    refuse_repeated(name, names)
    return [dict(zip(names, row, strict=True)) for row in data]


def _named_by_index(index: list[Any], rows: list[Object]) -> list[Object]:
    """The names of rows are items where no column has them."""
    if any(usual_role(column) == "item" for row in rows[:1] for column in row):
        return rows
    return [{"item": place, **row} for place, row in zip(index, rows, strict=True)]


def _row_of(name: str) -> Any:
    def row(found: Any) -> Object:
        if not isinstance(found, dict):
            raise ReadError(f"{name}: found a {type(found).__name__} among the records; wanted objects only. {WANTED}")
        return found

    return row


def _records_key(found: Object) -> str | None:
    """The key that holds the records: of a usual name, else the only list of objects beside plain values."""
    lists = [
        key
        for key, value in found.items()
        if isinstance(value, list) and value and all(isinstance(one, dict) for one in value)
    ]
    usual = [key for key in lists if folded(key) in RECORDS]
    if usual:
        return min(usual, key=lambda key: RECORDS.index(folded(key)))
    if len(lists) == 1:
        return lists[0]
    tables = [key for key, value in found.items() if folded(key) in RECORDS and isinstance(value, dict) and value]
    return tables[0] if not lists and len(tables) == 1 else None


def _facts(found: Object) -> Facts:
    """The system and the dataset that stand beside the records."""
    places = [found, *(found[key] for key in found if folded(key) in SETTINGS and isinstance(found[key], dict))]
    return Facts(system=_said_of_all(places, "system"), dataset=_said_of_all(places, "dataset"))


def _said_of_all(places: Sequence[Object], role: str) -> str | None:
    for place in places:
        for key, value in place.items():
            if usual_role(key) == role:
                name = value.get("name") or value.get("id") if isinstance(value, dict) else value
                if isinstance(name, str) and name:
                    return name
    return None


def _columns_of_lists(name: str, lists: Mapping[str, list[Any]]) -> list[Object]:
    """Columns as lists, one of which names the items; without one, places in lists are no names."""
    lengths = {key: len(value) for key, value in lists.items()}
    if "item" in map(usual_role, lists) and len(set(lengths.values())) == 1:
        return [dict(zip(lists, cells, strict=True)) for cells in zip(*lists.values(), strict=True)]
    sizes = ", ".join(f"{key!r} with {count}" for key, count in list(lengths.items())[:3])
    raise ReadError(
        f"{name}: found lists without item names ({sizes}). Scores are paired by name, never by place, which another order or "
        'a gap would silently break: write {"base": {"q1": 0.5, …}, "new": …}, or add a list of ids, "id": ["q1", …]'
    )


def _by_name(name: str, tables: Mapping[str, Object]) -> list[Object]:
    """Objects by name: rows by the names of items, or columns, which name systems or measures."""
    if all(isinstance(value, dict) for table in tables.values() for value in table.values()):
        return _systems_of_records(name, tables)
    by_columns = outer_are_columns(name, tables)
    if not by_columns:
        named = any(usual_role(key) == "item" for row in tables.values() for key in row)
        return [dict(row) if named else {"item": key, **row} for key, row in tables.items()]
    index = dict.fromkeys(key for column in tables.values() for key in column)
    named = any(usual_role(key) == "item" for key in tables)
    cells = [{key: column.get(place) for key, column in tables.items()} for place in index]
    return cells if named else [{"item": place, **row} for place, row in zip(index, cells, strict=True)]


def _systems_of_records(name: str, tables: Mapping[str, Object]) -> list[Object]:
    """`{system: {item: record}}`."""
    if len(tables) >= max(map(len, tables.values())):
        raise ReadError(
            f"{name}: found nested objects ({first_of(list(tables), 3)}), and it is unclear which level names the systems. {WANTED}"
        )
    return [
        {"system": system, "item": item, **record}
        for system, records in tables.items()
        for item, record in records.items()
    ]


def outer_are_columns(name: str, tables: Mapping[str, Object]) -> bool:
    """Whether the outer names are those of columns: systems, measures, an id; else they are those of items."""
    outer, inner = list(tables), list(dict.fromkeys(key for table in tables.values() for key in table))
    for names, answer in ((outer, True), (inner, False)):
        if any(map(usual_role, names)):
            return answer
    for names, answer in ((inner, False), (outer, True)):
        if 2 * sum(MEASURES.search(key) is not None for key in names) >= len(names):
            return answer
    if len(outer) != len(inner):
        return len(outer) < len(inner)
    numbered = [all(key[-1:].isdigit() for key in names) for names in (outer, inner)]
    if numbered[0] != numbered[1]:
        return numbered[1]
    raise ReadError(
        f"{name}: found as many names outside ({first_of(outer, 3)}) as inside ({first_of(inner, 3)}): which are the systems? Write records, "
        '[{"id": "q1", "base": 0.5, "new": 1}, …]'
    )


def _refuse_means(name: str, found: Object) -> None:
    """A file of means is no file of items: as items, measures would be compared with each other."""
    means = [key for key in found if MEASURES.search(key)]
    if 2 * len(means) >= len(found):
        raise ReadError(
            f"{name}: holds no items: means, such as {means[0]!r}; pass the file with a score per item, or check reported numbers with {verb('audit')}"
        )
