import re
from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row
from tellapart.readers.storage.json_objects import nested_value

_HEAD = r"(?:(?P<new>[^|=\s]+)\|[^=\n]*?|(?P<old>[A-Za-z]+\d*)(?:\+[a-z]+\.[^+=\s]+)+)"
"""The head of a signature and the rest of it, before version 2 with + between its parts."""
_LINE = re.compile(
    rf"(?:{_HEAD}\s*=\s*)?(?P<value>-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|nan)(?:\s+[\d./]+\s+\(BP\s*=.*\))?\s*",
    re.IGNORECASE,
)
"""BLEU says its precisions and lengths after the value."""
_SIGNED = re.compile(r"[^|=\s]+\|[^=\n]*\b(?:version|v):[^=\n]* = -?\d|[A-Za-z]+\d*\+[^=\n]*\bversion\.[^=\n]* = -?\d")


@FORMATS.add("sacrebleu_segments")
@dataclass(frozen=True)
class SacrebleuSegments(Log):
    """sacrebleu -sl: a line per segment, `signature = value`; the head of the signature is the measure, the line number the item.

    With -b there is the value alone, which any list of numbers could be: then the format has to be named.
    """

    label = "sacrebleu segments"
    first_line = r"\|(?:version|v):|\+version\."
    program = "sacrebleu"
    items = "line number"

    def example(self) -> bytes:
        head = "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0 = "
        return f"{head}82.97\n{head}63.67\n".encode()

    def recognises(self, origin: Origin) -> bool:
        return origin.preview.kind == "text" and _SIGNED.match(origin.opening) is not None

    def summary_only(self, origin: Origin) -> str | None:
        preview = origin.preview
        alone = preview.kind in {"array", "object"} and preview.has("name", "score", "signature")
        paired = (
            preview.kind == "array"
            and preview.has("system")
            and nested_value(preview.first, "BLEU", "score") is not None
        )
        if alone or paired:
            return "scores of whole corpora by sacrebleu; pass the segments that -sl prints, or the texts"
        return None

    def open_log(self, origin: Origin) -> OpenLog:
        measure = _measure(origin.opening)
        return OpenLog(Facts(direction="lower" if measure.upper().startswith("TER") else None), _rows(origin))

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return re.split(r"\||\+(?=[a-z]+\.)", measure)[0], {}


def _measure(opening: str) -> str:
    found = _LINE.match(opening.partition("\n")[0])
    return _named(found) if found is not None else "score"


def _named(line: re.Match[str]) -> str:
    return line["new"] or line["old"] or "score"


def _rows(origin: Origin) -> Iterator[Row]:
    with origin.text() as text:
        for number, line in enumerate(text, 1):
            if not line.strip():
                continue
            found = _LINE.fullmatch(line.strip())
            if found is None:
                raise ReadError(
                    f"{origin.name}, line {number}: found {line.strip()[:40]!r}; wanted a number, or `signature = number` as sacrebleu -sl prints"
                )
            yield Row(number, str(number), _named(found), found["value"])
