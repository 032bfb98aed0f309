"""The rows of one log file, stored by column, and counts of the other measures in the file."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from tellapart.data.roles import BETWEEN_TAGS
from tellapart.data.rows import Labels
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import ReadError, nearest
from tellapart.foundation.files import refuse_rows
from tellapart.readers.format import Axis, Format, Log, LogBlock, OpenLog, text_of
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Facts, InvalidCell
from tellapart.readers.tables.values import ABSENT, FAILED, SCORED, UNFIT, Marks, marked


@dataclass(eq=False)
class LogRows:
    """The rows of one file. `texts` has a list of names per role and per axis; a role that no row speaks of has none."""

    origin: Origin
    format: Format
    facts: Facts
    label: str
    named: bool
    """Whether the caller named this file, and not a folder that it lies in."""
    texts: dict[str, list[str]] = field(default_factory=dict)
    coded: dict[str, Labels] = field(default_factory=dict)
    """Columns as codes of names, of those that were read or asked for so."""
    lines: list[int] = field(default_factory=list)
    values: FloatArray = field(default_factory=lambda: np.empty(0))
    marks: Marks = field(default_factory=lambda: np.empty(0, dtype=np.int8))
    keys: dict[str, set[str]] = field(default_factory=dict)
    """The keys of its records, with their values where these were looked at."""
    where: Callable[[int], str] | None = None
    """Where a row is, if that is no record of a log."""
    measures: dict[str, Counter[int]] = field(default_factory=dict)
    """Of every measure that was met, how many rows became what."""

    datasets: set[str] = field(default_factory=set)
    """The datasets of all rows, also of those by other measures."""

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
        if name not in self.texts and name in self.coded:
            self.texts[name] = [self.coded[name].names[code] for code in self.coded[name].codes.tolist()]
        return self.texts[name] if name in self.texts else [absent] * len(self)

    def named_column(self, name: str) -> list[str]:
        """A column with what the file says of all rows."""
        of = {"system": self.system_of_rows, "dataset": self.dataset_of_rows}.get(name)
        return self.column(name) if of is None else of()

    def labels(self, name: str) -> Labels:
        """The same, as codes of names."""
        if name not in self.coded:
            self.coded[name] = Labels.of(self.named_column(name))
        return self.coded[name]

    def system_of_rows(self) -> list[str]:
        return self.column("system", self.facts.system or self.label)

    def dataset_of_rows(self) -> list[str]:
        return self.column("dataset", self.facts.dataset or "")

    def group_of_rows(self) -> list[str]:
        return self.column("group", self.facts.group or "")

    @property
    def said(self) -> list[str]:
        """Fields of rows beside the keys of their records, of which groups can be made."""
        cells = {"dataset": self.dataset_of_rows(), "run": self.column("run"), "cluster": self.column("cluster")}
        return [name for name, column in cells.items() if any(column)]

    def only(self, keep: BoolArray) -> None:
        """Leave out the other rows."""
        if keep.all():
            return
        places = np.flatnonzero(keep).tolist()
        self.texts = {name: [column[i] for i in places] for name, column in self.texts.items()}
        self.coded = {name: column.only(np.flatnonzero(keep)) for name, column in self.coded.items()}
        self.lines = [self.lines[i] for i in places]
        self.values, self.marks = self.values[keep], self.marks[keep]

    def recount(self) -> None:
        """The measures of the rows that are left."""
        self.measures = {}
        count_measures(self, Labels.of(self.column("measure")), self.marks)

    def copy(self) -> "LogRows":
        """A copy of the rows, for selecting from."""
        texts = {name: list(column) for name, column in self.texts.items()}
        return replace(self, texts=texts, coded=dict(self.coded), lines=list(self.lines))

    def place(self, row: int) -> str:
        if self.where is not None:
            return self.where(row)
        return f"{self.origin.name}, {self.format.unit} {self.lines[row]}"


FINEST_CODE = 1 << 62
"""Kinds of rows up to which each has a whole number."""


@dataclass(frozen=True, eq=False)
class AllRows:
    """The rows of several files together, by columns as codes of names; the column `file` numbers the files."""

    found: Sequence[LogRows]

    def labels(self, name: str) -> Labels:
        if name == "file":
            sizes = [len(one) for one in self.found]
            return Labels(tuple(map(str, range(len(sizes)))), np.repeat(np.arange(len(sizes)), sizes))
        if len(self.found) == 1:
            return self.found[0].labels(name)
        return Labels.of(list(chain.from_iterable(one.named_column(name) for one in self.found)))

    def codes(self, *names: str) -> IntArray:
        """A number for each kind of row by these columns; the last column counts fastest."""
        codes, size = np.zeros(sum(map(len, self.found)), dtype=np.int64), 1
        for labels in map(self.labels, names):
            if size * len(labels.names) >= FINEST_CODE:
                codes = np.unique(codes, return_inverse=True)[1].astype(np.int64)
                size = int(codes.max(initial=0)) + 1
            codes, size = codes * len(labels.names) + labels.codes, size * len(labels.names)
        return codes


MOST_GROUPS = 100_000
"""Groups of items that are told apart while keys are looked at."""


class KeyChoice:
    """The keys that are asked for, taken from record after record while these are at hand."""

    def __init__(self, format_: Log, facts: Facts, asked: LogRequest) -> None:
        self._format, self._asked = format_, asked
        named = asked.role("cluster")
        # Scorers may group the same items otherwise: each row goes by the key of its measure.
        self._by_measure = facts.clusters if named is None and asked.measure is None else {}
        declared = None if asked.off("cluster") else named or facts.cluster or next(iter(facts.clusters.values()), None)
        item = asked.role("item")
        wanted = {
            "cluster": declared,
            "item": item,
            "dataset": asked.role("dataset"),
            "run": asked.role("run"),
            "seed": asked.role("seed"),
            "group": asked.role("group") if asked.grouping_role is None else None,
        }
        self._wanted = {role: key for role, key in wanted.items() if key is not None} | asked.sliced
        self._cells: dict[str, list[str]] = {role: [] for role in self._wanted}
        self._known: dict[str, None] = {}
        self._values: dict[str, set[str]] = {}
        self._met: dict[tuple[str, str], bool] = {}
        """Of each role and key, whether any record has it."""

    @property
    def looks(self) -> bool:
        """Whether records are looked at."""
        return self._asked.survey or bool(self._wanted)

    def take(self, records: Sequence[Any], measures: Sequence[str]) -> None:
        if self._asked.survey:
            self._survey(records)
        if not self._wanted:
            return
        for record, measure in zip(records, measures, strict=True):
            said = self._format.record_keys(record) if record is not None else {}
            self._known.update(dict.fromkeys(said))
            for role, usual in self._wanted.items():
                key = self._by_measure.get(measure, usual) if role == "cluster" else usual
                cell = text_of(look_up(said, key), BETWEEN_TAGS if role in self._asked.sliced else ",")
                self._cells[role].append(cell)
                self._met[role, key] = self._met.get((role, key), False) or bool(cell)

    def _survey(self, records: Sequence[Any]) -> None:
        for record in records:
            for key, value in (self._format.record_keys(record) if record is not None else {}).items():
                values = self._values.setdefault(key, set())
                if len(values) < MOST_GROUPS:
                    values.add(text_of(value))

    def settle(self, found: LogRows) -> None:
        """Give the columns to the file; a key that no record has is refused."""
        found.keys = self._values or {key: set() for key in self._known}
        # As the format has them: a role that takes the items' names may come after one that names items otherwise.
        as_read = {**found.texts, "dataset": found.dataset_of_rows()}
        for role, taken in self._cells.items():
            key = self._wanted[role]
            # A column of the format itself may be meant: the turn of a question, its rater.
            of_format = taken and not any(taken) and any(as_read.get(key, ()))
            cells = list(as_read[key]) if of_format else taken
            absent = [name for (of, name), met in self._met.items() if of == role and not met and not of_format]
            # Of several tasks one may say what its items are about: the others' items are then in no slice.
            if absent and role not in self._asked.sliced:
                # Groups may be made of what rows are called anyway; other roles are asked to be played by something else.
                known = [*(found.said if role == "group" else ()), *self._known]
                raise ReadError(f"{found.origin.name}: no record has a key {absent[0]!r}; {nearest(absent[0], known)}")
            if cells:
                found.texts[role] = cells


def look_up(said: Any, key: str) -> Any:
    """The value under a key, by its full name or by the last part of it where only one ends so."""
    if key in said:
        return said[key]
    short = [value for name, value in said.items() if name.endswith(f".{key}")]
    return short[0] if len(short) == 1 else None


def read_rows(found: LogRows, log: Log, opened: OpenLog, asked: LogRequest) -> LogRows:
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


def _meant(format_: Log, asked: LogRequest) -> frozenset[str] | None:
    """The measure that is asked for, in the spelling of the rows; None where any may be."""
    return None if asked.measure is None else frozenset((asked.measure, format_.parse_measure(asked.measure)[0]))


def _gather(
    found: LogRows,
    block: LogBlock,
    measures: frozenset[str] | None,
    choice: KeyChoice,
    pieces: list[tuple[FloatArray, Marks]],
) -> None:
    names = block.column("measure")
    try:
        values, marks = marked(block.column("score"), block.column("status"))
    except InvalidCell as cell:
        place = f"{found.origin.name}, {found.format.unit} {block.lines[cell.row]}"
        raise ReadError(
            f"{place}: found {str(cell.found)[:40]} as {names[cell.row]!r}; wanted {cell.wanted}. {cell.advice}"
        ) from None
    count_measures(found, Labels.of(names), marks)
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


def count_measures(found: LogRows, measures: Labels, marks: Marks) -> None:
    """How many rows of each measure became what."""
    size = int(marks.max(initial=0)) + 1
    counts = np.bincount(measures.codes * size + marks, minlength=len(measures.names) * size).reshape(-1, size)
    for measure, times in zip(measures.names, counts.tolist(), strict=True):
        met = {mark: count for mark, count in enumerate(times) if count}
        found.measures.setdefault(measure, Counter()).update(met)


def scorable(counts: Counter[int]) -> bool:
    """Whether a measure has scores of single items; what is missing everywhere may still be one."""
    return counts[SCORED] > 0 or (counts[UNFIT] == 0 and counts[ABSENT] + counts[FAILED] > 0)
