import re
from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.foundation.errors import ReadError
from tellapart.foundation.surfaces import option
from tellapart.readers.format import FORMATS, Certainty, Row, TableKind
from tellapart.readers.retrieval.run import Run, is_beir
from tellapart.readers.storage.origin import Origin
from tellapart.readers.storage.preview import Preview
from tellapart.readers.tables.table import Block, Table

_RUN = re.compile(r"\S+[ \t]+Q0[ \t]+\S+[ \t]+-?\d+[ \t]+[-+.\deE]+([ \t]+\S.*)?", re.IGNORECASE)
_JUDGEMENT = re.compile(r"\S+[ \t]+\S+[ \t]+\S+[ \t]+-?\d+\s*")


@FORMATS.add("trec_run")
@dataclass(frozen=True)
class TrecRun(TableKind):
    """A run of TREC, `query Q0 document rank score tag` per line, scored on every judged query with `--qrels FILE --measure nDCG@10`.

    A file is a system. Ranks are not trusted: the highest score is first, and of equal scores the later name, as trec_eval has it.
    """

    label = "TREC runs"
    first_line = r"(?i)^\S+[ \t]+(Q0\b|\S+[ \t]+\S+[ \t]+-?\d+\s*$|corpus-id)"
    items = "query"
    way = "score them with their judgements: --qrels FILE --measure nDCG@10"

    def example(self) -> bytes:
        return b"q1 Q0 d1 1 9.5 bm25\nq1 Q0 d2 2 9.1 bm25\nq2 Q0 d1 1 7.0 bm25\n"

    def matches(self, names: frozenset[str]) -> bool:  # noqa: ARG002  (its lines have no names)
        return False

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.CERTAIN if _all(origin, _RUN) else Certainty.NONE

    def summary_only(self, origin: Origin) -> str | None:
        if is_judgements(origin):
            return "judgements of relevance; pass the runs, and these with --qrels"
        preview = origin.preview
        if preview.has("stat_test", "metrics", "model_names"):
            return "a report of ranx, means only; pass what trec_eval or ir_measures print with -q, or the runs with --qrels"
        if _is_ranx(preview):
            return "a run or judgements of ranx as JSON; save it as kind='trec' and pass the runs with --qrels"
        return None

    def table(self, origin: Origin) -> Table:
        return Table(origin.name, origin.label, self.blocks(origin), format=self.name)

    def blocks(self, origin: Origin) -> Iterator[Block]:
        first = " ".join(origin.opening.lstrip().partition("\n")[0].split()[:3])
        raise ReadError(
            f"{origin.name}: found a TREC run ({first} …), which has no scores yet. Score it by its judgements: "
            f"{option('qrels', 'FILE')} {option('measure', 'nDCG@10')}"
        )

    def survey_rows(self, origin: Origin) -> Iterator[Row]:
        return (Row(number, query, "ranking", []) for number, query in enumerate(Run.of(origin).scores, 1))


def is_run(origin: Origin) -> bool:
    """Whether a file says which documents a system found for a query."""
    return _all(origin, _RUN)


def is_judgements(origin: Origin) -> bool:
    """Whether a file says which documents are relevant to a query: as TREC writes it, or BEIR with a header."""
    return _all(origin, _JUDGEMENT) or (origin.preview.kind == "text" and is_beir(origin.opening))


def _all(origin: Origin, line: re.Pattern[str]) -> bool:
    """Whether all lines that the head shows whole are of this kind, but for comments."""
    if origin.preview.kind != "text":
        return False
    lines = origin.opening.lstrip("\ufeff").splitlines()
    shown = [text for text in (lines[:-1] if len(lines) > 1 else lines) if text.strip() and text[0] != "#"]
    return bool(shown) and all(line.fullmatch(text.strip()) for text in shown[:200])


def _is_ranx(preview: Preview) -> bool:
    """Query to document to number, and nothing else."""
    if preview.kind != "object" or not isinstance(preview.first, dict) or not preview.first:
        return False
    tables = list(preview.first.values())
    if not all(
        isinstance(found, dict) and found and all(type(number) in {int, float} for number in found.values())
        for found in tables
    ):
        return False
    # Queries have documents of their own; systems and measures share their items.
    every = {name for table in tables for name in table}
    return len(every) >= 1.5 * max(map(len, tables))
