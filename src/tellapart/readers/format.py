"""Base classes of file formats and evaluation logs: recognising a file, its metadata and its rows."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from tellapart.foundation.spelling import Registry, Spelled
from tellapart.readers.naming import stem
from tellapart.readers.storage.csv_rows import guess_delimiter, header_names
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import folded
from tellapart.readers.tables.labels import question_key
from tellapart.readers.tables.table import BLOCK_ROWS, Axis, Block, Facts, Table

__all__ = [
    "ERROR",
    "FORMATS",
    "MISSING",
    "Axis",
    "Block",
    "Certainty",
    "Facts",
    "Format",
    "Log",
    "LogBlock",
    "OpenLog",
    "Origin",
    "Row",
    "Table",
    "TableKind",
    "column_names",
    "formats_in_words",
    "scalars",
    "text_of",
]

FORMATS: "Registry[Format]" = Registry("format")


class Certainty(IntEnum):
    """How sure a format is; the surest one reads the file."""

    NONE = 0
    FALLBACK = 1
    LIKELY = 2
    CERTAIN = 3


@dataclass(frozen=True)
class Format(Spelled):
    """Base of every format.

    `label` is what help and errors call it. `example` is a small file of the format as its writers make it: documents show
    it, and the laws of readers are tried on it.
    """

    registry = FORMATS
    label: ClassVar[str]
    tabular: ClassVar[bool] = True
    """Whether it is a table of any origin, rather than what one program writes."""
    plain_table: ClassVar[bool] = True
    """Whether any rows may be laid out so, rather than those whose columns, or whose program, say what they are."""
    first_line: ClassVar[str] = ""
    """A regular expression, one literal on one line, that fits the first line of a text in this format, or its name.

    It is read from the source of `formats/`, so that plain tables import none of these files."""
    lists_only_solved: ClassVar[bool] = False
    """Whether its files may name only the items that were solved, so that the caller says which there are."""
    axes: ClassVar[tuple[Axis, ...]] = ()
    """Axes of its rows beside system, dataset and measure."""
    unit: ClassVar[str] = "line"
    """The unit that a block's row numbers count, as errors say it."""

    @abstractmethod
    def example(self) -> bytes:
        """A file of two systems or one, with at least two items."""

    @abstractmethod
    def claim(self, origin: Origin) -> Certainty:
        """How sure this format is, judged by the head of the content and by the name; never raises."""

    def facts(self, origin: Origin) -> Facts:  # noqa: ARG002  (a plain table says nothing beside its rows)
        """Facts about all rows: from the head, the file name, or a neighbour."""
        return Facts()

    @abstractmethod
    def blocks(self, origin: Origin) -> Iterator[Block]:
        """The rows, at least one, and the roles of their columns where the format knows them.

        A file that is not as the format wants it is refused with its line.
        """

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        """A measure in the full spelling of the program as the measure of a row, and the axes that it names."""
        return measure, {}

    def system_name(self, path: str) -> str:
        """The system that a file stands for if nothing inside says, by its name: without the endings of its writer."""
        return stem(path)

    def summary_only(self, origin: Origin) -> str | None:  # noqa: ARG002  (most writers write nothing else)
        """Of a file of the same writer that holds no items: what it is and what to pass instead, as part of a sentence."""
        return None

    def table(self, origin: Origin) -> Table:
        return Table(
            origin.name,
            origin.label,
            self.blocks(origin),
            self.facts(origin),
            self.unit,
            self.name,
            encoding=origin.encoding,
        )


LAZY = f"{__package__}.formats."


def formats_in_words() -> str:
    """The names of the registered tables in one phrase, without those that are imported only for files that may have them."""
    tables = (one for one in FORMATS.at_hand if one.plain_table and not one.__module__.startswith(LAZY))
    *others, last = dict.fromkeys(one.label for one in tables)
    return f"{', '.join(others)} or {last}" if others else last


# Tables of any make whose columns say that they hold more than scores: votes, ratings, predictions, texts.

OF_LOGS = frozenset(("turn", "severity", "better", "resps", "testcase", "scores", "metrics"))
"""Columns of logs, which have formats of their own, that are called like those of ratings, votes or predictions otherwise."""


@dataclass(frozen=True)
class TableKind(Format):
    """Base of the formats that are known by the names of columns, whatever file the table is written to."""

    plain_table = False
    items: ClassVar[str]
    """An item of the format, as documents say it."""
    way: ClassVar[str]
    """The options to type for files of this kind, as part of a sentence."""
    of_votes: ClassVar[bool] = False
    """Whether its rows are votes between two systems."""

    @abstractmethod
    def matches(self, names: frozenset[str]) -> bool:
        """Whether columns of these names, in small letters, make a table one of this kind."""

    def survey_rows(self, origin: Origin) -> Iterator["Row"]:  # noqa: ARG002  (for those whose survey is made of rows)
        """A row per system and item for `describe`, with every field that is a number."""
        return iter(())

    def survey(self, origin: Origin) -> Mapping[str, Any]:
        """Such rows by column, empty where there are none; names may be `Labels`."""
        return dict(zip(Row._fields, zip(*self.survey_rows(origin), strict=True), strict=False))

    def claim(self, origin: Origin) -> Certainty:
        names = frozenset(map(folded, column_names(origin)))
        return Certainty.CERTAIN if not names & OF_LOGS and self.matches(names) else Certainty.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        yield from _plain_format_of(origin).blocks(origin)

    def table(self, origin: Origin) -> Table:
        return replace(_plain_format_of(origin).table(origin), format=self.name)


def column_names(origin: Origin) -> tuple[str, ...]:
    """The names of columns as far as the head shows them."""
    if origin.preview.kind == "text":
        return header_names(origin.opening, guess_delimiter(origin.opening))
    return tuple(origin.preview.keys) if origin.preview.kind in {"records", "array", "object"} else ()


def _plain_format_of(origin: Origin) -> Format:
    """The table that it is if nothing is asked of the names of its columns."""
    tables = [format_() for format_ in FORMATS.at_hand if format_.plain_table]
    return max(tables, key=lambda table: table.claim(origin))


ERROR = "error"
"""The status of a row whose evaluation failed, whatever score stands there."""
MISSING = "missing"


class Row(NamedTuple):
    """One score as the file has it; names that hold for all rows are left to the facts."""

    line: int
    item: Any
    measure: str
    score: Any
    status: str = ""
    axes: tuple[str, ...] = ()
    run: Any = ""
    system: str = ""
    dataset: str = ""
    rater: str = ""
    record: Any = None
    """The source of the row, from which clusters or other names of the item are read."""
    text: Any = ""
    """The prompt, or a hash of it: ids that are positions name other items in another file."""


class OpenLog(NamedTuple):
    """A log that is open: what holds for all rows, and the rows."""

    facts: Facts
    rows: Iterator[Row] = iter(())
    blocks: "Callable[[bool], Iterator[LogBlock]] | None" = None
    """The rows in columns already, with or without the records they were made of, where a row each would take longer than decoding.

    What is in `rows` beside them is then wanted only by who names its axis, or who wants all there is.
    """


@dataclass(frozen=True, eq=False)
class LogBlock(Block):
    """Some rows of a log in tidy columns, and the records they were made of."""

    records: Sequence[Any] = ()


@dataclass(frozen=True)
class Log(Format):
    """Base of the formats that evaluation programs write; a new one is a new file in `readers/formats`."""

    tabular = False
    plain_table = False
    program: ClassVar[str]
    """Who writes it, as documents say it."""
    items: ClassVar[str]
    """An item of the program."""
    repeated: ClassVar[bool] = False
    """Whether a record that comes again is one more run: its repeats carry no number."""

    @abstractmethod
    def recognises(self, origin: Origin) -> bool:
        """Whether this is a file of the program, judged by the head of its content; never raises."""

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.CERTAIN if self.recognises(origin) else Certainty.NONE

    def rows(self, origin: Origin) -> Iterator[Row]:  # noqa: ARG002  (a format gives these, or opens its logs otherwise)
        """One row per score; a file that is not as the format wants it is refused with its place."""
        return iter(())

    def open_log(self, origin: Origin) -> OpenLog:
        """The facts and the rows, for formats that read both from the same content."""
        return OpenLog(self.facts(origin), self.rows(origin))

    def blocks(self, origin: Origin) -> Iterator[Block]:
        yield from self.tidy(self.open_log(origin))

    def tidy(self, opened: OpenLog, *, records: bool = True, beside: bool = True) -> Iterator[LogBlock]:
        """The rows as tidy columns: item, measure, score, status, and those of run, system, dataset, rater and the axes."""
        if opened.blocks is not None:
            yield from opened.blocks(records)
            if not beside:
                return
        axes = self.axes if opened.facts.axes is None else opened.facts.axes
        while some := list(islice(opened.rows, BLOCK_ROWS)):
            yield _tidy_block(some, axes)

    def record_keys(self, record: Any) -> Mapping[str, Any]:  # noqa: ARG002  (most have none)
        """Fields of a record about its item, by full name, for grouping or naming items."""
        return {}


_TIDY_ROLES = frozenset(("item", "measure", "score", "run", "system", "dataset", "rater"))


def scalars(prefix: str, found: Any) -> dict[str, Any]:
    """The plain values of an object and its lists of such, as tags are, named with the path to it."""
    if not isinstance(found, dict):
        return {}
    return {f"{prefix}.{key}": value for key, value in found.items() if is_plain(value)}


def is_plain(value: Any) -> bool:
    return isinstance(value, str | int | float) or (
        isinstance(value, list) and all(map(_PLAIN.__contains__, map(type, value)))
    )


_PLAIN = frozenset((str, int, float, bool))


def text_of(value: Any, between: str = ",") -> str:
    """A name as text, or nothing where there is none; the entries of a list with `between` between them."""
    if isinstance(value, list):
        return between.join(map(text_of, value))
    return value if isinstance(value, str) else "" if value is None else str(value)


def _tidy_block(rows: list[Row], axes: tuple[Axis, ...]) -> LogBlock:
    lines, item, measure, score, status, values, run, system, dataset, rater, record, text = zip(*rows, strict=True)
    columns = {"item": item, "measure": measure, "score": score, "status": status}
    optional = {"run": run, "system": system, "dataset": dataset, "rater": rater}
    optional["text"] = tuple(map(question_key, text))
    columns.update({name: column for name, column in optional.items() if any(cell != "" for cell in column)})
    columns.update(zip((axis.name for axis in axes), zip(*values, strict=True), strict=False))
    roles = {name: name for name in columns if name in _TIDY_ROLES}
    return LogBlock(tuple(columns), lines, columns.__getitem__, roles, record)
