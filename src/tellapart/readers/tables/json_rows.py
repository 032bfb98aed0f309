import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.storage.json_objects import DECODER, EXAMPLE, Object, block_of, object_at, refuse_nested
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.json_object import holds_table
from tellapart.readers.tables.table import BLOCK_ROWS, Block

ARRAY = re.compile(r"\s*\[\s*(?=[{\]])")
"""How an array of objects begins, which is another format."""
SUFFIXES = (".jsonl", ".ndjson", ".json")

Line = tuple[int, str]


@FORMATS.add("json_lines")
@dataclass(frozen=True)
class JsonLines(Format):
    """One JSON object per line; a key that a line lacks, or that is null there, is blank."""

    label = "JSON"

    def example(self) -> bytes:
        return (
            b'{"system": "old", "item": "q1", "score": 0.1}\n{"system": "old", "item": "q2", "score": 0.4}\n'
            b'{"system": "new", "item": "q1", "score": 0.3}\n{"system": "new", "item": "q2", "score": null}\n'
        )

    def claim(self, origin: Origin) -> Certainty:
        text = origin.opening.lstrip()
        named = origin.name.lower().removesuffix(".gz").endswith(SUFFIXES)
        if not text or ARRAY.match(text) or holds_table(origin):
            return Certainty.NONE
        return Certainty.LIKELY if named or text[0] in "{[" else Certainty.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        with origin.text() as text:
            numbered = ((number, line) for number, line in enumerate(text, 1) if not line.isspace())
            while lines := list(islice(numbered, BLOCK_ROWS)):
                for number, line in lines:
                    if len(line) > origin.limits.nesting:
                        refuse_nested(origin, number, line)
                yield block_of(origin, _objects(origin.name, lines), [number for number, _ in lines])


def _objects(source: str, lines: Sequence[Line]) -> list[Object]:
    # All at once is the fast way; which line is at fault is found by the slow one.
    try:
        objects = [DECODER.decode(line) for _, line in lines]
        if set(map(type, objects)) == {dict}:
            return objects
    except (ValueError, RecursionError):
        pass
    return [_only_object(f"{source}, line {number}", line.strip()) for number, line in lines]


def _only_object(place: str, line: str) -> Object:
    found, end = object_at(place, line, 0, _ONE_PER_LINE)
    if end < len(line):
        raise ReadError(f"{place}: not a whole JSON object (extra data at character {end + 1}). {_ONE_PER_LINE}")
    return found


_ONE_PER_LINE = f"Wanted one object per line, such as {EXAMPLE}, or an array of such objects"

_BLANK = re.compile(r"[ \t\r\n]*")
_COMMA = re.compile(r"[ \t\r\n]*,[ \t\r\n]*")
_END = re.compile(r"[ \t\r\n]*\][ \t\r\n]*")


@FORMATS.add("json_array")
@dataclass(frozen=True)
class JsonArray(Format):
    """One JSON array of objects, as programs write a list of rows; a key that an object lacks, or that is null there, is blank."""

    label = "JSON"

    def example(self) -> bytes:
        return (
            b'[\n  {"system": "old", "item": "q1", "score": 0.1},\n  {"system": "old", "item": "q2", "score": 0.4},\n'
            b'  {"system": "new", "item": "q1", "score": 0.3},\n  {"system": "new", "item": "q2", "score": null}\n]\n'
        )

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.LIKELY if ARRAY.match(origin.opening) else Certainty.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        # The decoder of the standard library needs the whole text; objects are decoded one by one all the same.
        with origin.characters() as text:
            numbered = _objects_of_array(origin, text.rest())
            while rows := list(islice(numbered, BLOCK_ROWS)):
                yield block_of(origin, [entry for _, entry in rows], [line for line, _ in rows])


def _objects_of_array(origin: Origin, text: str) -> Iterator[tuple[int, Object]]:
    """Every object of the array with the line on which it begins."""
    source = origin.name
    opening = ARRAY.match(text)
    if opening is None:
        raise ReadError(f"{source}: found no array of objects. {_WANTED}")
    place, line = opening.end(), 1 + text.count("\n", 0, opening.end())
    if _END.fullmatch(text, place):
        raise ReadError(f"{source}: found an array without rows. {_WANTED}")
    while True:
        found, end = object_at(f"{source}, line {line}", text, place, _WANTED)
        refuse_nested(origin, line, text[place:end])
        yield line, found
        if _END.fullmatch(text, end):
            return
        comma = _COMMA.match(text, end)
        if comma is None:
            raise ReadError(f"{source}, line {line + text.count(chr(10), place, end)}: {_after(text, end)}")
        line += text.count("\n", place, comma.end())
        place = comma.end()


def _after(text: str, end: int) -> str:
    blank = _BLANK.match(text, end)
    rest = text[blank.end() if blank else end :]
    found = f"found {rest[:20]!r} after an object" if rest else "the file ends in the middle of the array"
    return f"{found}; wanted a comma and the next object, or ] at the end. Is the file whole?"


_WANTED = f"Wanted an array of objects such as {EXAMPLE}"
