import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row

MEASURE = "mqm"
_NEEDED = frozenset(("system", "rater", "source", "target", "category", "severity"))
_GLOBAL = ("globalSegId", "global_seg_id")
_SEGMENTS = (*_GLOBAL, "seg_id", "docSegId", "doc_seg_id")
_CONTROL = "hotw-test"
_MARK = re.compile(r"</?v>")
"""Where an error begins and ends in the text."""


@FORMATS.add("wmt_mqm")
@dataclass(frozen=True)
class WmtMqm(Log):
    """MQM annotations of WMT: a row per error of a segment; a segment's score is the sum of their weights, so lower is better.

    Major 5 (and Critical), Minor 1, Minor Fluency/Punctuation 0.1, Non-translation 25. Segments of one document belong together; where
    two documents number theirs alike, an item is called after both. Control rows (HOTW-test) are left out. Each rater gives a segment a score of their own, also where no segment has two: raters differ in how
    hard they judge, and with whom a system met is no merit of it.
    """

    label = "MQM annotations"
    first_line = "severity"
    program = "WMT MQM"
    items = "seg_id, or globalSegId"

    def example(self) -> bytes:
        return (
            b"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
            b"a\td1\t1\t1\tr1\tx\ty\tFluency/Grammar\tMinor\na\td1\t1\t2\tr1\tx\ty\tNo-error\tNo-error\n"
            b"b\td1\t1\t1\tr1\tx\ty\tAccuracy/Omission\tMajor\nb\td1\t1\t2\tr1\tx\ty\tFluency/Punctuation\tMinor\n"
        )

    def recognises(self, origin: Origin) -> bool:
        names = origin.opening.lstrip("\ufeff \n").partition("\n")[0].split("\t")
        return origin.preview.kind == "text" and _NEEDED.issubset(names) and bool({*_SEGMENTS} & {*names})

    def open_log(self, origin: Origin) -> OpenLog:
        segments = _segments(origin)
        return OpenLog(Facts(direction="lower", cluster="doc"), _rows(segments))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return {"doc": record}


@dataclass
class _Segment:
    line: int
    document: str
    text: str
    weight: float = 0.0


_Key = tuple[str, str, str, str]


def _segments(origin: Origin) -> dict[_Key, _Segment]:
    """The segments that were judged, by system, document, name and rater."""
    found: dict[_Key, _Segment] = {}
    header: list[str] = []
    with origin.text() as text:
        for line, row in enumerate(text, 1):
            # Quotes are text here, so that the lines are split as they are.
            cells = row.rstrip("\r\n").split("\t")
            if not header:
                header = _needed_columns(origin, cells)
                continue
            if cells == [""]:
                continue
            if len(cells) < len(header) - 2:  # a comment, and what is no column
                raise ReadError(
                    f"{origin.name}, line {line}: found {len(cells)} tab-separated fields; wanted {len(header)}"
                )
            said = dict(zip(header, cells, strict=False))
            if said.get("severity", "").casefold() == _CONTROL or said.get("category", "").casefold() == _CONTROL:
                continue
            column = next(column for column in _SEGMENTS if column in header)
            document = said.get("doc", "")
            key = said["system"], "" if column in _GLOBAL else document, said[column], said["rater"]
            segment = found.setdefault(key, _Segment(line, document, _MARK.sub("", said["source"])))
            segment.weight += _weight(origin, line, said.get("category", ""), said.get("severity", ""))
    return found


def _needed_columns(origin: Origin, names: list[str]) -> list[str]:
    if not _NEEDED.issubset(names) or not {*_SEGMENTS} & {*names}:
        raise ReadError(f"{origin.name}, line 1: wanted columns {', '.join(sorted(_NEEDED))} and seg_id or globalSegId")
    return names


def _weight(origin: Origin, line: int, category: str, severity: str) -> float:
    """The weight of an error, as in the averages that WMT published."""
    kind, grave = category.strip().casefold(), severity.strip().casefold()
    if kind.startswith("non-translation"):
        return 25.0
    if grave == "minor":
        return 0.1 if kind == "fluency/punctuation" else 1.0
    known = {"major": 5.0, "critical": 5.0, "neutral": 0.0, "no-error": 0.0, "no error": 0.0, "": 0.0}
    if grave not in known:
        raise ReadError(
            f"{origin.name}, line {line}: found severity {severity!r}; wanted Major, Minor, Neutral or No-error"
        )
    return known[grave]


def _rows(segments: dict[_Key, _Segment]) -> Iterator[Row]:
    homes = {(document, name) for _, document, name, _ in segments}
    alike = len({name for _, name in homes}) < len(homes)
    for (system, document, name, rater), segment in segments.items():
        item = f"{document}:{name}" if alike else name
        yield Row(
            segment.line,
            item,
            MEASURE,
            segment.weight,
            system=system,
            rater=rater,
            record=segment.document,
            text=segment.text,
        )
