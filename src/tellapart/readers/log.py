"""What a log is: a file that an evaluation program wrote, whose rows say what they are scores of."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, NamedTuple

from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.storage.csv_rows import header_in, sniff
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import folded
from tellapart.readers.tables.table import BLOCK_ROWS, Axis, Block, Facts, Table

# Tables of any make whose columns say that they hold more than scores: votes, ratings, predictions, texts.

OF_LOGS = frozenset(("turn", "severity", "better", "resps", "testcase", "scores", "metrics"))
"""Columns of logs, which have formats of their own, that are called like those of ratings, votes or predictions otherwise."""


@dataclass(frozen=True)
class Kind(Format):
    """Base of the formats that are known by the names of columns, whatever file the table is written to."""

    bare = False
    items: ClassVar[str]
    """What an item is, as documents say it."""
    way: ClassVar[str]
    """What to type for files of this kind, as part of a sentence."""

    @abstractmethod
    def known_by(self, names: frozenset[str]) -> bool:
        """Whether columns of these names, in small letters, make a table one of this kind."""

    @abstractmethod
    def surveyed(self, origin: Origin) -> Iterator["Row"]:
        """What is told about a file: a row per system and item, with what it says as far as that is a number."""

    def claim(self, origin: Origin) -> Certainty:
        names = frozenset(map(folded, _columns(origin)))
        return Certainty.CERTAIN if not names & OF_LOGS and self.known_by(names) else Certainty.NONE

    def blocks(self, origin: Origin) -> Iterator[Block]:
        yield from _bare(origin).blocks(origin)

    def table(self, origin: Origin) -> Table:
        return replace(_bare(origin).table(origin), format=self.name)


def _columns(origin: Origin) -> tuple[str, ...]:
    """The names of columns as far as the head shows them."""
    if origin.sight.kind == "text":
        return header_in(origin.opening, sniff(origin.opening))
    return tuple(origin.sight.keys) if origin.sight.kind in {"records", "array", "object"} else ()


def _bare(origin: Origin) -> Format:
    """The table that it is if nothing is asked of the names of its columns."""
    tables = [format_() for format_ in FORMATS.at_hand if format_.bare]
    return max(tables, key=lambda table: table.claim(origin))


__all__ = ["ERROR", "MISSING", "Axis", "Log", "LogBlock", "Opened", "Row", "scalars", "text_of"]

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
    """What the row was made of, for whoever asks for more of it: clusters, other names of the item."""


class Opened(NamedTuple):
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
    bare = False
    program: ClassVar[str]
    """Who writes it, as documents say it."""
    items: ClassVar[str]
    """What an item is."""
    repeated: ClassVar[bool] = False
    """Whether a record that comes again is one more run: its repeats carry no number."""

    @abstractmethod
    def opened(self, origin: Origin) -> Opened:
        """The facts and the rows; a file that is not as the format wants it is refused with its place."""

    def facts(self, origin: Origin) -> Facts:
        return self.opened(origin).facts

    def blocks(self, origin: Origin) -> Iterator[Block]:
        yield from self.tidy(self.opened(origin))

    def tidy(self, opened: Opened, *, records: bool = True, beside: bool = True) -> Iterator[LogBlock]:
        """The rows as tidy columns: item, measure, score, status, and those of run, system, dataset, rater and the axes."""
        if opened.blocks is not None:
            yield from opened.blocks(records)
            if not beside:
                return
        axes = self.axes if opened.facts.axes is None else opened.facts.axes
        while some := list(islice(opened.rows, BLOCK_ROWS)):
            yield _block(some, axes)

    def keys(self, record: Any) -> Mapping[str, Any]:  # noqa: ARG002  (most have none)
        """What else a record says about its item, by full name: what items may be grouped or named by."""
        return {}


_ROLES = frozenset(("item", "measure", "score", "run", "system", "dataset", "rater"))


def scalars(prefix: str, found: Any) -> dict[str, Any]:
    """The plain values of an object, named with the path to it."""
    if not isinstance(found, dict):
        return {}
    return {
        f"{prefix}.{key}": value
        for key, value in found.items()
        if isinstance(value, str | int | float | bool)
    }


def text_of(value: Any) -> str:
    """A name as text, or nothing where there is none."""
    return value if isinstance(value, str) else "" if value is None else str(value)


def _block(rows: list[Row], axes: tuple[Axis, ...]) -> LogBlock:
    lines, item, measure, score, status, values, run, system, dataset, rater, record = zip(*rows, strict=True)
    columns = {"item": item, "measure": measure, "score": score, "status": status}
    optional = {"run": run, "system": system, "dataset": dataset, "rater": rater}
    columns.update({name: column for name, column in optional.items() if any(cell != "" for cell in column)})
    columns.update(zip((axis.name for axis in axes), zip(*values, strict=True), strict=False))
    roles = {name: name for name in columns if name in _ROLES}
    return LogBlock(tuple(columns), lines, columns.__getitem__, roles, record)
