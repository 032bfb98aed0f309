import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from tellapart.errors import ReadError
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.json_lines import ARRAY
from tellapart.readers.json_objects import EXAMPLE, Object, block_of, object_at, refuse_nested
from tellapart.readers.origin import Origin
from tellapart.readers.table import BLOCK_ROWS, Block

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
            numbered = _objects(origin, text.rest())
            while rows := list(islice(numbered, BLOCK_ROWS)):
                yield block_of(origin, [entry for _, entry in rows], [line for line, _ in rows])


def _objects(origin: Origin, text: str) -> Iterator[tuple[int, Object]]:
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
