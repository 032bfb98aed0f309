import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tellapart.errors import ReadError
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.json_objects import DECODER, EXAMPLE, Object, block_of, object_at, refuse_nested
from tellapart.readers.origin import Origin
from tellapart.readers.table import BLOCK_ROWS, Block

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
        if not text or ARRAY.match(text):
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
        raise ReadError(
            f"{place}: not a whole JSON object (extra data at character {end + 1}). {_ONE_PER_LINE}"
        )
    return found


_ONE_PER_LINE = f"Wanted one object per line, such as {EXAMPLE}, or an array of such objects"
