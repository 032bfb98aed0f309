"""Which documents were judged relevant to which query, and how much."""

from dataclasses import dataclass
from functools import cached_property

from tellapart.errors import ReadError
from tellapart.readers.origin import Origin
from tellapart.readers.retrieval.lines import Lines

FIELDS = ("query", "iteration", "document", "relevance")


@dataclass(frozen=True, eq=False)
class Judgements:
    """Query to document to relevance, which is never below 0; how many were, and the first query with one."""

    source: str
    relevance: dict[str, dict[str, int]]
    negative: int
    first_negative: str

    @classmethod
    def of(cls, origin: Origin) -> "Judgements":
        lines = Lines.of(origin, FIELDS, f"judgements, one per line ({' '.join(FIELDS)})")
        documents, grades = lines.columns[2], _grades(lines)
        below = [row for row, grade in enumerate(grades) if grade < 0] if min(grades) < 0 else []
        for row in below:
            grades[row] = 0
        found: dict[str, dict[str, int]] = {}
        for query, rows in lines.stretches():
            found.setdefault(query, {}).update(zip(documents[rows], grades[rows], strict=True))
        if sum(map(len, found.values())) < len(grades):
            lines.refuse_twice("a judgement of document")
        return cls(origin.name, found, len(below), lines.columns[0][below[0]] if below else "")

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """All judged queries, in the order of their names."""
        return tuple(sorted(self.relevance))

    def without_relevant(self, least: int) -> tuple[str, ...]:
        """The queries that have no document of so high a relevance."""
        return tuple(query for query in self.queries if max(self.relevance[query].values()) < least)


def _grades(lines: Lines) -> list[int]:
    column = lines.columns[3]
    known = {text: _grade(text) for text in set(column)}
    if None in known.values():
        row = next(i for i, text in enumerate(column) if known[text] is None)
        raise ReadError(
            f"{lines.place(row)}: found {column[row]!r} for the relevance; wanted a whole number, such as 0, 1 or 2"
        )
    return [grade for text in column if (grade := known[text]) is not None]


def _grade(text: str) -> int | None:
    """A whole number, also as a table of floats writes it (1.0); None for anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return int(value) if abs(value) < 2**31 and value.is_integer() and "_" not in text else None
