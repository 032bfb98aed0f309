"""Votes, ratings, predictions, texts and runs: told of as rows where they are described, and refused where rows of logs are wanted."""

from collections import Counter

from tellapart.doors import option, verb
from tellapart.errors import ReadError
from tellapart.readers.facts import Facts
from tellapart.readers.kind import Kind
from tellapart.readers.log import text_of
from tellapart.readers.logs.found import Found
from tellapart.readers.logs.marks import marked
from tellapart.readers.origin import Origin

_TOLD = ("item", "measure", "run", "system", "dataset", "rater")


def of_kind(origin: Origin, kind: Kind, *, named: bool) -> Found:
    """What there is to tell about a file of a kind."""
    rows = list(kind.surveyed(origin))
    found = Found(origin, kind, Facts(), origin.label, named)
    if not rows:
        return found
    for name in _TOLD:
        cells = [text_of(getattr(row, name)) for row in rows]
        if any(cells):
            found.texts[name] = cells
    found.lines = [row.line for row in rows]
    found.values, found.marks = marked([row.score for row in rows], [row.status for row in rows])
    counts = zip(found.column("measure"), found.marks.tolist(), strict=True)
    for (measure, mark), times in Counter(counts).items():
        found.measures.setdefault(measure, Counter())[mark] += times
    return found


def refuse_votes(origin: Origin, kind: Kind) -> None:
    """What is no score of an item has no place among rows of logs."""
    if kind.name in {"votes", "mt_bench_pairs"}:
        raise ReadError(
            f"{origin.name}: found votes, which are no scores of items. Pass them alone to {verb('compare')}, without what picks among "
            f"logs ({option('where')}, {option('errors')}, {option('runs')} and the like)"
        )
