from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from tellapart.errors import ReadError
from tellapart.readers.format import FORMATS, Claim, Format
from tellapart.readers.json_objects import DECODER, EXAMPLE, Object, block_of, object_at
from tellapart.readers.origin import Origin
from tellapart.readers.table import BLOCK_ROWS, Block

SUFFIXES = (".jsonl", ".ndjson", ".json")

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
                yield block_of(_objects(origin.name, lines), [number for number, _ in lines])


def _objects(source: str, lines: Sequence[Line]) -> list[Object]:
    try:
        objects = [DECODER.decode(line) for _, line in lines]
        if set(map(type, objects)) == {dict}:
            return objects
    except (ValueError, RecursionError):
        pass
    return [_only_object(f"{source}, line {number}", line.strip()) for number, line in lines]


def _only_object(place: str, line: str) -> Object:
    found, end = object_at(place, line, 0, _ONE_A_LINE)
    if end < len(line):
        raise ReadError(
            f"{place}: not a whole JSON object (extra data at character {end + 1}). {_ONE_A_LINE}"
        )
    return found


_ONE_A_LINE = f"Wanted one object a line, such as {EXAMPLE}, or an array of such objects"
