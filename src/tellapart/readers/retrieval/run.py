"""Parsers of retrieval runs (scored documents per query) and of relevance judgements, in TREC or BEIR files."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from tellapart.foundation.errors import ReadError
from tellapart.readers.detect import UNREADABLE
from tellapart.readers.storage.origin import Origin

# Lines of three columns with tabs between, as programs of retrieval print the value of a measure for a
# query.


def tabbed_lines(origin: Origin, line: re.Pattern[str], wanted: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Every line that says something, with its number; one that is not `wanted` is refused."""
    with origin.text() as text:
        for number, said in enumerate(text, 1):
            if not said.strip():
                continue
            found = line.fullmatch(said.rstrip("\r\n"))
            if found is None:
                raise ReadError(f"{origin.name}, line {number}: found {said.strip()[:40]!r}; wanted {wanted}")
            yield number, found


# Lines of fields between blanks, as TREC writes runs and judgements, column by column, each line with its
# number.

BLANK = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
"""Blanks that separate fields for a program in C. `str.split` takes more: separators of ASCII, and blanks of other scripts."""
_FIELD = re.compile(r"[^ \t\n\r\v\f]+")
_MORE_BLANKS = "\x1c\x1d\x1e\x1f"


@dataclass(frozen=True, eq=False)
class Lines:
    """The leading fields of every line that is not blank and no comment, by column, and the number of that line."""

    source: str
    columns: Sequence[Sequence[str]]
    numbers: Sequence[int]

    @classmethod
    def of(cls, origin: Origin, names: Sequence[str], wanted: str) -> "Lines":
        """The lines of a `wanted` file, with fields of these names; further fields are ignored."""
        text = _text(origin, wanted)
        width = _even_width(text)
        if width is not None and width >= len(names):
            # Lines of equal width need no list each: the fields of all of them stand in one.
            fields = text.split()
            columns = [fields[place::width] for place in range(len(names))]
            return cls(origin.name, columns, range(1, len(columns[0]) + 1))
        found = list(_lines(text))
        if not found:
            raise ReadError(f"{origin.name}: the file is empty; wanted {wanted}")
        for number, row in found:
            if len(row) < len(names):
                raise ReadError(
                    f"{origin.name}, line {number}: found {len(row)} fields; wanted at least {len(names)}: {' '.join(names)}. "
                    "Complete the line, or check that this is the right file"
                )
        columns = [[row[place] for _, row in found] for place in range(len(names))]
        return cls(origin.name, columns, [number for number, _ in found])

    @classmethod
    def of_beir(cls, origin: Origin, wanted: str) -> "Lines":
        """The judgements below the header, with the column of iterations that these lack."""
        found = cls.of(origin, ("query-id", "corpus-id", "score"), wanted)
        query, document, relevance = (column[1:] for column in found.columns)
        if not query:
            raise ReadError(f"{origin.name}: found a header and no judgements; wanted {wanted}")
        return cls(origin.name, (query, ["0"] * len(query), document, relevance), found.numbers[1:])

    def place(self, row: int) -> str:
        return f"{self.source}, line {self.numbers[row]}"

    def stretches(self) -> Iterator[tuple[str, slice]]:
        """Rows in a row of one query; a query may have several."""
        start = 0
        for query, rows in groupby(self.columns[0]):
            end = start + sum(1 for _ in rows)
            yield query, slice(start, end)
            start = end

    def refuse_twice(self, what: str) -> None:
        """A query has a document once."""
        seen: dict[tuple[str, str], int] = {}
        for row, key in enumerate(zip(self.columns[0], self.columns[2], strict=True)):
            first = seen.setdefault(key, row)
            if first != row:
                raise ReadError(
                    f"{self.place(row)}: query {key[0]!r} has {what} {key[1]!r} already (line {self.numbers[first]}). Keep one of them"
                )


def _lines(text: str) -> Iterator[tuple[int, Sequence[str]]]:
    for number, line in enumerate(text.split("\n"), 1):
        fields = _FIELD.findall(line)
        if fields and not line.startswith("#"):
            yield number, fields


def _even_width(text: str) -> int | None:
    """How many fields every line has, or None where that differs, some line is blank or a comment, or blanks need a closer look."""
    if not text.isascii() or any(blank in text for blank in _MORE_BLANKS):
        return None
    letters = np.frombuffer(text.encode(), dtype=np.uint8)
    blank = BLANK[letters]
    begins = ~blank
    begins[1:] &= blank[:-1]
    starts = np.concatenate(([0], np.flatnonzero(letters == ord("\n")) + 1))
    if len(letters) == 0 or starts[-1] == len(letters) or (letters[starts] == ord("#")).any():
        return None
    widths = np.add.reduceat(begins, starts, dtype=np.int64)
    return int(widths[0]) if (widths == widths[0]).all() else None


def _text(origin: Origin, wanted: str) -> str:
    for signature, kind in UNREADABLE.items():
        if origin.head.startswith(signature):
            raise ReadError(f"{origin.name}: found {kind}; wanted {wanted}, as text, gzipped or not")
    with origin.text() as lines:
        text = lines.read()
    if "\0" in text:
        raise ReadError(f"{origin.name}: found binary content (NUL bytes); wanted {wanted}, as text")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.removesuffix("\n")


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


# Which documents were judged relevant to which query, and how much.

FIELDS_OF_JUDGEMENT = ("query", "iteration", "document", "relevance")
_BEIR = re.compile(r"query-id[ \t]+corpus-id[ \t]+score\s*(\n|$)")


def is_beir(opening: str) -> bool:
    """Whether judgements have a header and three columns, as BEIR writes them."""
    return _BEIR.match(opening.lstrip("\ufeff")) is not None


@dataclass(frozen=True, eq=False)
class Judgements:
    """Query to document to relevance, which is never below 0; how many were, and the first query with one."""

    source: str
    relevance: dict[str, dict[str, int]]
    negative: int
    first_negative: str

    @classmethod
    def of(cls, origin: Origin) -> "Judgements":
        wanted = f"judgements, one per line ({' '.join(FIELDS_OF_JUDGEMENT)})"
        beir = origin.head != b"" and is_beir(origin.opening)
        lines = Lines.of_beir(origin, wanted) if beir else Lines.of(origin, FIELDS_OF_JUDGEMENT, wanted)
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

    @classmethod
    def together(cls, origins: Sequence[Origin]) -> "Judgements":
        """Those of several files, none of which judges a query of another."""
        first, *others = map(cls.of, origins)
        for one in others:
            twice = next((query for query in one.relevance if query in first.relevance), None)
            if twice is not None:
                raise ReadError(
                    f"{one.source}: query {twice!r} is judged in {first.source} too. Pass one of them, or each with the runs of its own dataset"
                )
            source, negative = f"{first.source}, {one.source}", first.negative + one.negative
            first = cls(source, first.relevance | one.relevance, negative, first.first_negative or one.first_negative)
        return first

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
