"""What a system retrieved: for each query its documents, best first."""

import math
from dataclasses import dataclass

from tellapart.errors import ReadError
from tellapart.readers.origin import Origin
from tellapart.readers.retrieval.lines import Lines

FIELDS = ("query", "Q0", "document", "rank", "score", "tag")

Ranking = dict[str, float]
"""Documents of a query with scores that fall by one from each to the next, so that no tie is left to break."""


@dataclass(frozen=True, eq=False)
class Run:
    """Query to document to score, as one file has them; the ranks written there are not trusted."""

    source: str
    scores: dict[str, dict[str, float]]

    @classmethod
    def of(cls, origin: Origin) -> "Run":
        lines = Lines.of(origin, FIELDS, f"a run, one document per line ({' '.join(FIELDS)})")
        documents, scores = lines.columns[2], _scores(lines)
        found: dict[str, dict[str, float]] = {}
        for query, rows in lines.stretches():
            found.setdefault(query, {}).update(zip(documents[rows], scores[rows], strict=True))
        if sum(map(len, found.values())) < len(scores):
            lines.refuse_twice("document")
        return cls(origin.name, found)

    def ranking(self, query: str) -> Ranking:
        """The documents of a query, the highest score first, and of equal scores the later name, as trec_eval has it."""
        found = self.scores[query]
        tied = len(set(found.values())) < len(found)
        # Sorting is stable: whatever comes first among equal scores stays first.
        named = sorted(found, reverse=True) if tied else found
        order = sorted(named, key=found.__getitem__, reverse=True)
        return dict(zip(order, map(float, range(len(order), 0, -1)), strict=True))


def _scores(lines: Lines) -> list[float]:
    column = lines.columns[4]
    try:
        found = list(map(float, column))
        # Python reads 1_000 as a number; nobody else does.
        if all(map(math.isfinite, found)) and "_" not in "".join(column):
            return found
    except ValueError:
        pass
    row = next(i for i, text in enumerate(column) if not _is_score(text))
    raise ReadError(f"{lines.place(row)}: found {column[row]!r} for the score; wanted a finite number")


def _is_score(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and "_" not in text
    except ValueError:
        return False
