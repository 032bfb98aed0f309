"""Strict parsing of JSON objects as rows: no repeated keys, and errors that give the line and the remedy."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from tellapart.foundation.errors import ReadError
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Block

# JSON files that are read as a whole: they only describe another one, or hold little beside scores.

MOST_BYTES = 64 << 20
"""A larger file is no description of a run, and is not read to find that out."""


def small_json(origin: Origin | None) -> Any:
    """The content of a small JSON file that describes another; None if it is no JSON or too large."""
    if origin is None:
        return None
    try:
        with origin.binary() as file:
            content = file.read(MOST_BYTES + 1)
        return json.loads(content) if len(content) <= MOST_BYTES else None
    except (ReadError, ValueError, RecursionError):
        return None


def read_object(origin: Origin) -> dict[str, Any]:
    """The one object that a file holds, or a refusal with the place of the fault."""
    with walk_json(origin) as walk:
        found = walk.value()
        walk.finish()
    if not isinstance(found, dict):
        raise ReadError(f"{origin.name}: found no JSON object; wanted one")
    return found


def records_by_line(origin: Origin) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON text, one after the other or in one array, each with its line."""
    with walk_json(origin) as walk:
        for line, record in walk.values():
            if isinstance(record, dict):
                yield line, record


def numbered_records(origin: Origin) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a JSON text, each with its place among all values."""
    with walk_json(origin) as walk:
        for number, (_, record) in enumerate(walk.values(), 1):
            if isinstance(record, dict):
                yield number, record


def objects_in(found: Any) -> list[dict[str, Any]]:
    """The objects of an array, or none where it is none."""
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def nested_value(found: Any, *path: str) -> Any:
    """The value under a path of keys, or None."""
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found


Object = dict[str, Any]


class _Repeating(Object):
    """An object that named a key twice."""


class _NotJson(ValueError):
    pass


# Python reads NaN and Infinity although JSON has neither; here they are scores gone wrong, and nobody knows which.
def _constant(word: str) -> None:
    raise _NotJson(word)


# Python keeps the last of two equal keys and says nothing.
def _object(pairs: list[tuple[str, Any]]) -> Object:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Repeating(found)


DECODER = json.JSONDecoder(parse_constant=_constant, object_pairs_hook=_object)

_KINDS = {list: "array", str: "string", int: "number", float: "number", bool: "true or false", type(None): "null"}
EXAMPLE = '{"system": "a", "item": "q1", "score": 0.5}'


def refuse_nested(origin: Origin, line: int, text: str) -> None:
    """Refuse brackets nested too deep; most rows hold fewer brackets than the limit."""
    most = origin.limits.nesting
    if text.count("[") + text.count("{") <= most:
        return
    depth = deepest = 0
    for mark in _BRACKET.finditer(_STRING.sub("", text)):
        depth += 1 if mark[0] in "[{" else -1
        deepest = max(deepest, depth)
    # What is deeper than Python can follow is refused by the decoder, and no limit helps.
    if most < deepest < sys.getrecursionlimit() // 2:
        place = f"{origin.name}, line {line}"
        raise origin.limits.refusal(place, f"brackets nested {deepest:,} deep", "nesting", deepest)


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')
_BRACKET = re.compile(r"[\[\]{}]")


def block_of(origin: Origin, objects: Sequence[Object], lines: list[int]) -> Block:
    """Rows from objects; a key that one of them lacks is blank there. Keys of nested objects are columns by their path."""
    names, paths = _keys(objects), _paths(objects)
    origin.limits.refuse_many(f"{origin.name}, line {lines[0]}", [*names, *paths])

    def column(name: str) -> list[Any]:
        if name in paths:
            return [nested_value(entry, *paths[name]) for entry in objects]
        return [entry.get(name) for entry in objects]

    return Block((*names, *(name for name in paths if name not in names)), lines, column)


def _keys(objects: Sequence[Object]) -> list[str]:
    # Rows share few sets of keys: distinct sets are walked, not all rows.
    return list(dict.fromkeys(key for keys in dict.fromkeys(map(tuple, objects)) for key in keys))


def _paths(objects: Sequence[Object], above: tuple[str, ...] = ()) -> dict[str, tuple[str, ...]]:
    """The path to every value inside nested objects, by its spelling with points."""
    found: dict[str, tuple[str, ...]] = {}
    for key in _keys(objects):
        # Keys whose first value is no object are not looked at further.
        if isinstance(next((one[key] for one in objects if one.get(key) is not None), None), dict):
            inner = [one[key] for one in objects if isinstance(one.get(key), dict)]
            found |= _paths(inner, (*above, key))
        elif above:
            found[".".join((*above, key))] = (*above, key)
    return found


def object_at(place: str, text: str, start: int, wanted: str) -> tuple[Object, int]:
    """The object that begins here and where it ends, or an error that says what is there instead."""
    try:
        found, end = DECODER.raw_decode(text, start)
    except _NotJson as error:
        raise ReadError(
            f"{place}: found {error}, which is not a JSON number; wanted a finite one, or null for a missing score"
        ) from None
    except json.JSONDecodeError as error:
        reason = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos - start + 1}"
        raise ReadError(f"{place}: not a whole JSON object ({reason}). {wanted}") from None
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{place}: JSON that cannot be read ({error}). {wanted}") from None
    if isinstance(found, _Repeating):
        raise ReadError(f"{place}: a key occurs twice in one object. Keep one of them")
    if not isinstance(found, dict):
        raise ReadError(f"{place}: found a JSON {_KINDS.get(type(found), 'value')}. {wanted}")
    return found, end
