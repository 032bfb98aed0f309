"""The files of a folder, and of what is in it: in the order of names, as deep as allowed, never out of it."""

import os
import stat
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from tellapart.foundation.errors import OpenScore, ReadError
from tellapart.foundation.surfaces import option, verb
from tellapart.readers.format import Format
from tellapart.readers.log import Kind, text_of
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.found import Found
from tellapart.readers.logs.marks import ABSENT, SCORED, marked
from tellapart.readers.naming import stem
from tellapart.readers.storage.files import File
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin, in_words
from tellapart.readers.tables.columns import Wanted
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.table import Facts

# Votes, ratings, predictions, texts and runs: told of as rows where they are described, and refused where
# rows of logs are wanted.

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


# The files of an archive that is no log itself, as the files of a folder are read.

_WORKBOOK = "xl/workbook.xml"


def members_of(origin: Origin) -> Iterator[Origin]:
    """Every file in it; an archive in it is refused, as nobody knows how many follow inside."""
    if _WORKBOOK in origin.contents:
        raise ReadError(
            f"{origin.name}: found an Excel workbook. Export the scores to CSV, TSV, JSON or Parquet"
        )
    for member in origin.children():
        if member.sight.kind == "zip":
            raise ReadError(
                f"{member.name}: an archive inside an archive. Unpack the outer one and pass the files"
            )
        yield member


# A plain table beside logs: its rows as those of a log.


def of_table(origin: Origin, format_: Format, asked: Asked, *, alone: bool) -> Found:
    """What a table holds of the measure that is asked for, or of each that it has where all are wanted."""
    try:
        return _of_measure(origin, format_, asked, alone=alone)
    except OpenScore as error:
        if not (asked.survey or asked.whole):
            raise
        return _joined(
            [
                _of_measure(origin, format_, replace(asked, measure=name), alone=alone)
                for name in error.columns
            ]
        )


def _joined(parts: list[Found]) -> Found:
    """The rows of one table by one measure after those by the other."""
    found = parts[0]
    roles = dict.fromkeys(role for one in parts for role in one.texts)
    texts = {role: [cell for one in parts for cell in one.column(role)] for role in roles}
    ends = np.cumsum([len(one) for one in parts])

    def where(row: int) -> str:
        part = int(np.searchsorted(ends, row, side="right"))
        return parts[part].place(row - (int(ends[part - 1]) if part else 0))

    return replace(
        found,
        texts=texts,
        lines=list(range(1, int(ends[-1]) + 1)),
        values=np.concatenate([one.values for one in parts]),
        marks=np.concatenate([one.marks for one in parts]),
        measures={name: counts for one in parts for name, counts in one.measures.items()},
        where=where,
    )


def _of_measure(origin: Origin, format_: Format, asked: Asked, *, alone: bool) -> Found:
    rows = Rows(Wanted(asked.measure, ("score",), asked.columns))
    rows.take(format_.table(origin), alone=alone)
    records = rows.records()
    found = Found(origin, format_, Facts(), origin.label, named=True)
    for role, labels in records.labels.items():
        found.texts[role] = [labels.names[code] for code in labels.codes.tolist()]
    found.texts["measure"] = [rows.measure] * len(records)
    found.lines, found.where = list(range(1, len(records) + 1)), records.where
    found.values = records.values[:, 0]
    found.marks = np.where(np.isnan(found.values), ABSENT, SCORED).astype(np.int8)
    found.measures = {rows.measure: Counter(found.marks.tolist())}
    return found


@dataclass
class Skipped:
    """What was passed over: of each kind of file, and why, their names."""

    found: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def add(self, what: str, why: str, name: str) -> None:
        self.found.setdefault((what, why), []).append(name)


LINK = "links", "out of the folder"
SAME = "links", "to what is in the folder anyway"
PIPE = "pipes and devices", "which may never end"
DEEP = "folders", "too deep in each other"
NO_FORMAT = "files", "no logs of a program that is known; a table of scores is passed by its own name"
NO_ITEMS = "files", "without items"


def files_in(folder: str, limits: Limits, skipped: Skipped) -> Iterator[File]:
    """Every file that may be read."""
    root = os.path.realpath(folder)
    seen = 0
    waiting = [(folder, 1)]
    while waiting:
        place, depth = waiting.pop()
        inner: list[tuple[str, int]] = []
        with in_words(place), os.scandir(place) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
        for entry in entries:
            seen += 1
            if seen > limits.entries:
                raise limits.refusal(folder, f"a folder of more than {limits.entries:,} files", "entries")
            kind = _kind(entry, root)
            if isinstance(kind, tuple):
                skipped.add(*kind, entry.path)
            elif kind == "folder":
                if depth >= limits.depth:
                    skipped.add(*DEEP, entry.path)
                else:
                    inner.append((entry.path, depth + 1))
            else:
                yield File(entry.path, stem(entry.name), limits=limits)
        waiting.extend(reversed(inner))


def _kind(entry: "os.DirEntry[str]", root: str) -> str | tuple[str, str]:
    """A folder, a file, or why it is neither."""
    try:
        if entry.is_symlink():
            # A link to a folder may lead back to one that holds it; what lies in the folder is met where it lies.
            return SAME if os.path.realpath(entry.path).startswith(root + os.sep) else LINK
        if entry.is_dir():
            return "folder"
        return "file" if stat.S_ISREG(entry.stat().st_mode) else PIPE
    except OSError:
        return LINK
