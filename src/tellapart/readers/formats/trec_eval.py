import re
from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row
from tellapart.readers.retrieval.run import tabbed_lines

SUMMARY = "all"
_LINE = re.compile(r"(?P<measure>\S+) *\t(?P<topic>[^\t]*\S)\s*\t(?P<value>\S.*?)\s*")
_KNOWN = re.compile(
    r"num_|map|gm_|Rprec|Rndcg|bpref|recip_rank|iprec_at_recall|P_|recall_|infAP|ndcg|relative_P|success_|set_|11pt_avg|binG|G$|utility|"
    r"runid$|relstring$|rbp|unj_|Z"
)
_NO_SCORES = re.compile(r"num_|runid$|relstring$|gm_|rbp_resid|unj_|Z")
"""Counts, names, what only a summary has, and standings against other runs."""


@FORMATS.add("trec_eval")
@dataclass(frozen=True)
class TrecEval(Log):
    """trec_eval -q: a measure, a topic and its value per line, rounded to four decimals, and a summary at the end.

    The row runid names the system, else the file does. A file without the summary is cut: version 10 stops at the first topic that
    the run lacks, unless it is told -c.
    """

    label = "trec_eval -q"
    first_line = r"\t[-+]?\d[\d.eE+-]*\s*$"
    program = "trec_eval"
    items = "topic"

    def example(self) -> bytes:
        one = "map                   \t%s\t%s\n"
        rows = "".join(one % row for row in (("301", "0.0324"), ("302", "0.4208"), (SUMMARY, "0.2266")))
        return f"{rows}runid                 \tall\tbm25\n".encode()

    def recognises(self, origin: Origin) -> bool:
        first = _LINE.fullmatch(origin.opening.partition("\n")[0].rstrip("\r"))
        if first is None or origin.preview.kind != "text" or first["topic"] == SUMMARY:
            return False
        return _KNOWN.match(first["measure"]) is not None

    def open_log(self, origin: Origin) -> OpenLog:
        rows = list(_rows(origin))
        summary = [row for row in rows if row.item == SUMMARY]
        system = next((str(row.score) for row in summary if row.measure == "runid"), None)
        scored = [row for row in rows if row.item != SUMMARY and not _NO_SCORES.match(row.measure)]
        facts = Facts(
            system=system,
            measures=tuple(dict.fromkeys(row.measure for row in scored)),
            direction="higher",
            status=None if summary else "unfinished",
            because="" if summary else "it does not end with a summary of all topics, so topics may be missing",
        )
        return OpenLog(facts, iter(scored))

    def summary_only(self, origin: Origin) -> str | None:
        head = [line.rstrip("\r") for line in origin.opening.split("\n")[:3] if line.strip()]
        lines = [_LINE.fullmatch(line) for line in head]
        whole = bool(lines) and all(
            line is not None and line["topic"] == SUMMARY and _KNOWN.match(line["measure"]) for line in lines
        )
        return "summaries of all topics by trec_eval; pass what -q prints" if whole else None


def _rows(origin: Origin) -> Iterator[Row]:
    wanted = "a measure, a topic and a value, separated by tabs, as trec_eval -q prints them"
    for number, found in tabbed_lines(origin, _LINE, wanted):
        yield Row(number, found["topic"], found["measure"], found["value"])
