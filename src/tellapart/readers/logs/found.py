"""What one file holds, in columns: the rows that may be asked for, and what else was met."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.errors import ReadError
from tellapart.foundation.files import refuse_rows
from tellapart.readers.format import Axis, Format
from tellapart.readers.log import Log, LogBlock, Opened, text_of
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.keys import KeyChoice
from tellapart.readers.logs.marks import ABSENT, FAILED, SCORED, UNFIT, Marks, marked
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Facts, Unfit


@dataclass(eq=False)
class Found:
    """The rows of one file. `texts` has a list of names per role and per axis; a role that no row speaks of has none."""

    origin: Origin
    format: Format
    facts: Facts
    label: str
    named: bool
    """Whether the caller named this file, and not a folder that it lies in."""
    texts: dict[str, list[str]] = field(default_factory=dict)
    lines: list[int] = field(default_factory=list)
    values: FloatArray = field(default_factory=lambda: np.empty(0))
    marks: Marks = field(default_factory=lambda: np.empty(0, dtype=np.int8))
    keys: dict[str, set[str]] = field(default_factory=dict)
    """The keys of its records and their values, where these were looked at."""
    where: Callable[[int], str] | None = None
    """Where a row is, if that is no record of a log."""
    measures: dict[str, Counter[int]] = field(default_factory=dict)
    """Of every measure that was met, how many rows became what."""

    datasets: set[str] = field(default_factory=set)
    """The datasets of all rows, also of those by measures that nobody asks for."""

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def run(self) -> str:
        """Which run of the evaluation this is: files that say nothing are a run each."""
        return self.facts.run or self.origin.name

    @property
    def axes(self) -> tuple[Axis, ...]:
        return self.facts.axes if self.facts.axes is not None else self.format.axes

    def column(self, name: str, absent: str = "") -> list[str]:
        return self.texts[name] if name in self.texts else [absent] * len(self)

    def system_of_rows(self) -> list[str]:
        return self.column("system", self.facts.system or self.label)

    def dataset_of_rows(self) -> list[str]:
        return self.column("dataset", self.facts.dataset or "")

    def group_of_rows(self) -> list[str]:
        return self.column("group", self.facts.group or "")

    @property
    def said(self) -> list[str]:
        """What rows say beside the keys of their records, and groups can be made of."""
        cells = {
            "dataset": self.dataset_of_rows(),
            "run": self.column("run"),
            "cluster": self.column("cluster"),
        }
        return [name for name, column in cells.items() if any(column)]

    def only(self, keep: BoolArray) -> None:
        """Leave out the other rows."""
        if keep.all():
            return
        places = np.flatnonzero(keep).tolist()
        self.texts = {name: [column[i] for i in places] for name, column in self.texts.items()}
        self.lines = [self.lines[i] for i in places]
        self.values, self.marks = self.values[keep], self.marks[keep]

    def recount(self) -> None:
        """The measures of the rows that are left."""
        self.measures = {}
        _count(self, self.column("measure"), self.marks)

    def copy(self) -> "Found":
        """The same rows, to be picked from without a trace."""
        texts = {name: list(column) for name, column in self.texts.items()}
        return replace(self, texts=texts, lines=list(self.lines))

    def place(self, row: int) -> str:
        if self.where is not None:
            return self.where(row)
        return f"{self.origin.name}, {self.format.unit} {self.lines[row]}"


def gather(found: Found, log: Log, opened: Opened, asked: Asked) -> Found:
    """All rows of a file that may be asked for; of the other measures only that they are there."""
    choice = KeyChoice(log, found.facts, asked)
    measures = _meant(log, asked)
    pieces: list[tuple[FloatArray, Marks]] = []
    for block in log.tidy(opened, records=choice.looks, beside=asked.all_rows):
        _gather(found, block, measures, choice, pieces)
        refuse_rows(len(found))
    if pieces:
        found.values = np.concatenate([values for values, _ in pieces])
        found.marks = np.concatenate([marks for _, marks in pieces])
    choice.settle(found)
    return found


def _meant(format_: Log, asked: Asked) -> frozenset[str] | None:
    """The measure that is asked for, in the spelling of the rows; None where any may be."""
    return None if asked.measure is None else frozenset((asked.measure, format_.meant(asked.measure)[0]))


def _gather(
    found: Found,
    block: LogBlock,
    measures: frozenset[str] | None,
    choice: KeyChoice,
    pieces: list[tuple[FloatArray, Marks]],
) -> None:
    names = block.column("measure")
    try:
        values, marks = marked(block.column("score"), block.column("status"))
    except Unfit as cell:
        place = f"{found.origin.name}, {found.format.unit} {block.lines[cell.row]}"
        raise ReadError(
            f"{place}: found {str(cell.found)[:40]} as {names[cell.row]!r}; wanted {cell.wanted}. {cell.advice}"
        ) from None
    _count(found, names, marks)
    kept: Sequence[int] = range(len(block))
    if measures is not None and not measures.issuperset(names):
        kept = [i for i, name in enumerate(names) if name in measures]
    if "dataset" in block.names:
        found.datasets.update(map(text_of, set(block.column("dataset"))))
    if not kept:
        return
    whole = len(kept) == len(block)
    already = len(found.lines)
    for name in block.names:
        if name not in {"score", "status"}:
            cells = block.column(name) if whole else [block.column(name)[i] for i in kept]
            column = found.texts.setdefault(name, [""] * already)
            column.extend([""] * (already - len(column)))
            kinds = set(map(type, cells))
            column.extend(cells if kinds == {str} else map(str if kinds == {int} else text_of, cells))
    found.lines.extend(block.lines if whole else [block.lines[i] for i in kept])
    for column in found.texts.values():
        column.extend([""] * (len(found.lines) - len(column)))
    if whole:
        choice.take(block.records, names)
    else:
        choice.take([block.records[i] for i in kept], [names[i] for i in kept])
    pieces.append((values, marks) if whole else (values[list(kept)], marks[list(kept)]))


def _count(found: Found, names: Sequence[str], marks: Marks) -> None:
    """How many rows of each measure became what."""
    different = set(names)
    pairs = zip(names, marks.tolist(), strict=True)
    counts = {(names[0], mark): times for mark, times in enumerate(np.bincount(marks).tolist()) if times}
    for (measure, mark), times in (counts if len(different) == 1 else Counter(pairs)).items():
        found.measures.setdefault(measure, Counter())[mark] += times


def scorable(counts: Counter[int]) -> bool:
    """Whether a measure has scores of single items; what is missing everywhere may still be one."""
    return counts[SCORED] > 0 or (counts[UNFIT] == 0 and counts[ABSENT] + counts[FAILED] > 0)
