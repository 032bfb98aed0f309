import re
from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.retrieval.run import tabbed_lines
from tellapart.readers.storage.json_walk import walk_json

SUMMARY = "all"
_MEASURE = (
    r"(?:Accuracy|AP|AP_IA|BPM|Bpref|Compat|ERR|ERR_IA|infAP|INSQ|INST|IPrec|Judged|nDCG|NERR(?:8|9|10|11)|nERR_IA|NRBP|nNRBP|NumQ|NumRel|"
    r"NumRet|P|P_IA|R|RBP|Rprec|RR|SDCG|SetAP|SetF|SetP|SetR|StRecall|Success|alpha_DCG|alpha_nDCG)(?:\([^\t]*\))?(?:@[\d.]+)?|"
    r"[A-Za-z_]\w*(?:\([^\t]*\))?@\d+"
)
_LINE = re.compile(rf"(?P<query>[^\t]+)\t(?P<measure>{_MEASURE})\t(?P<value>\S+)")
_ANY = re.compile(r"(?P<query>[^\t]+)\t(?P<measure>[^\t]+)\t(?P<value>\S+)")
"""Beside a measure that is known there may be any."""
_SCORED = re.compile(r"[^\t]+\t[^\t]+\t(?:[-+\d.eE]+|nan)")
_ALONE = re.compile(rf"(?:{_MEASURE})\t[-\d.eE]+")


@FORMATS.add("ir_measures")
@dataclass(frozen=True)
class IrMeasures(Log):
    """ir_measures -q: a query, a measure and its value per line with tabs between, or a JSON record per line; rows of `all` are summaries."""

    label = "ir_measures -q"
    first_line = r"\t[-+]?\d[\d.eE+-]*\s*$"
    program = "ir_measures"
    items = "query_id"

    def example(self) -> bytes:
        return b"q1\tnDCG@10\t0.4504\nq2\tnDCG@10\t0.3035\nall\tnDCG@10\t0.3770\n"

    def recognises(self, origin: Origin) -> bool:
        lines = [line.rstrip("\r") for line in origin.opening.split("\n")[:2] if line.strip()]
        known = origin.preview.kind == "text" and bool(lines) and all(map(_SCORED.fullmatch, lines))
        known = known and any(map(_LINE.fullmatch, lines))
        return known or origin.preview.keys == {"query_id", "measure", "value"}

    def open_log(self, origin: Origin) -> OpenLog:
        rows = _line_rows(origin) if origin.preview.kind == "text" else _json_rows(origin)
        return OpenLog(Facts(direction="higher"), rows)

    def summary_only(self, origin: Origin) -> str | None:
        first = origin.opening.partition("\n")[0].rstrip("\r")
        return "means over all queries by ir_measures; pass what -q prints" if _ALONE.fullmatch(first) else None


def _line_rows(origin: Origin) -> Iterator[Row]:
    wanted = "a query, a measure and a value, separated by tabs, as ir_measures -q prints them"
    for number, found in tabbed_lines(origin, _ANY, wanted):
        if found["query"] != SUMMARY:
            yield Row(number, found["query"], found["measure"], found["value"])


def _json_rows(origin: Origin) -> Iterator[Row]:
    with walk_json(origin) as walk:
        for line, record in walk.values():
            if isinstance(record, dict) and record.get("query_id") != SUMMARY:
                yield Row(line, record.get("query_id"), text_of(record.get("measure")), record.get("value"))
