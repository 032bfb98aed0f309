import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from tellapart.errors import ReadError
from tellapart.readers.format import FORMATS, Claim, Format
from tellapart.readers.origin import Origin
from tellapart.readers.table import BLOCK_ROWS, Block

SUFFIXES = (".jsonl", ".ndjson", ".json")

Object = dict[str, Any]
Line = tuple[int, str]


@FORMATS.add("json_lines")
@dataclass(frozen=True)
class JsonLines(Format):
    """One JSON object a line; a key that a line lacks, or that is null there, is blank."""

    def claim(self, origin: Origin) -> Claim:
        named = origin.name.lower().removesuffix(".gz").endswith(SUFFIXES)
        return Claim.LIKELY if named or origin.opening.lstrip()[:1] in {"{", "["} else Claim.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        with origin.text() as text:
            numbered = ((number, line) for number, line in enumerate(text, 1) if not line.isspace())
            while lines := list(islice(numbered, BLOCK_ROWS)):
                yield _block(_objects(origin.name, lines), [number for number, _ in lines])


class _Repeating(Object):
    """An object that named a key twice."""


def _block(objects: Sequence[Object], lines: list[int]) -> Block:
    names = dict.fromkeys(key for keys in dict.fromkeys(map(tuple, objects)) for key in keys)
    return Block(tuple(names), lines, lambda name: [entry.get(name) for entry in objects])


def _objects(source: str, lines: Sequence[Line]) -> list[Object]:
    try:
        objects = [_DECODER.decode(line) for _, line in lines]
        if set(map(type, objects)) == {dict}:
            return objects
    except (ValueError, RecursionError):
        pass
    for number, line in lines:
        _refuse(f"{source}, line {number}", line)
    raise AssertionError("every line is an object")


def _refuse(place: str, line: str) -> None:
    """Say what is wrong with this line, if anything is."""
    try:
        found = _DECODER.decode(line.strip())
    except _NotJson as error:
        raise ReadError(
            f"{place}: found {error}, which is no JSON number; wanted a finite one, or null for a missing score"
        ) from None
    except json.JSONDecodeError as error:
        reason = f"{error.msg[:1].lower()}{error.msg[1:]} at character {error.pos + 1}"
        raise ReadError(f"{place}: not a whole JSON object ({reason}). {_ONE_A_LINE}") from None
    except (ValueError, RecursionError) as error:
        raise ReadError(f"{place}: JSON that cannot be read ({error}). {_ONE_A_LINE}") from None
    if isinstance(found, _Repeating):
        raise ReadError(f"{place}: a key occurs twice in one object. Keep one of them")
    if not isinstance(found, dict):
        raise ReadError(f"{place}: found a JSON {_KINDS.get(type(found), 'value')}. {_ONE_A_LINE}")


class _NotJson(ValueError):
    pass


def _constant(word: str) -> None:
    raise _NotJson(word)


def _object(pairs: list[tuple[str, Any]]) -> Object:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Repeating(found)


_DECODER = json.JSONDecoder(parse_constant=_constant, object_pairs_hook=_object)
_KINDS = {
    list: "array",
    str: "string",
    int: "number",
    float: "number",
    bool: "true or false",
    type(None): "null",
}
_ONE_A_LINE = 'Wanted one object a line, such as {"system": "a", "item": "q1", "score": 0.5}; `jq -c \'.[]\'` makes these of an array'
