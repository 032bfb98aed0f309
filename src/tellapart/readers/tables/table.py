"""The table that every format returns: blocks of consecutive rows with named columns."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, NamedTuple

from tellapart.data.provenance import Better, Counted, Remark
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import ReadError

# What a source says about all of its rows at once.

Status = Literal["complete", "unfinished", "withdrawn"]


class Axis(NamedTuple):
    """An axis beside system, dataset and measure. Where `forced`, one value has to be picked, or is taken if `neutral`."""

    name: str
    forced: bool = True
    neutral: str | None = None


@dataclass(frozen=True)
class Facts:
    """Facts from the file, its name or its neighbours beside the rows; None where there are none.

    A column that says the same row by row is believed before a fact, and the caller before both.
    """

    system: str | None = None
    """Whose rows these are."""
    dataset: str | None = None
    """Where all items are from."""
    group: str | None = None
    """The group of all rows, against the rows of other files."""
    measure: str | None = None
    """The measure of the scores."""
    direction: Better | None = None
    """Which scores are better, whatever the measure."""
    directions: Mapping[str, Better] = field(default_factory=dict)
    """Which scores of a measure are better, where the source tells measures apart."""
    primary: str | None = None
    """The measure by which the program that wrote it reports one number."""
    measures: tuple[str, ...] = ()
    """The measures that are worth offering, where the source also writes what is no score; empty where all are."""
    axes: tuple[Axis, ...] | None = None
    """Axes beside the measure, where these differ between files of the format."""
    solved_only: bool = False
    """Whether the source lists only the items that were solved, so that it has to be told which there are."""
    cluster: str | None = None
    """The column by which the source itself groups its items."""
    clusters: Mapping[str, str] = field(default_factory=dict)
    """The cluster column by measure, where the source has several."""
    version: str | None = None
    """Which program wrote it."""
    status: Status | None = None
    """Whether the evaluation came to its end."""
    because: str = ""
    """How it is known that it did not."""
    run: str | None = None
    """Which run of the evaluation this is; files of one run share it."""
    created: str | None = None
    """When it was made, in a spelling whose order is that of time."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Settings in which two runs of one system may differ."""

    def about(self, measure: str | None) -> "Facts":
        """The facts for this measure."""
        own = self.clusters.get(measure) if measure is not None else None
        return self if own is None or own == self.cluster else replace(self, cluster=own)

    def labels(self) -> dict[str, str]:
        """The facts that label every row, by role."""
        return {role: name for role in ("system", "dataset", "group") if (name := getattr(self, role)) is not None}


BLOCK_ROWS = 512
"""Rows that are in memory at once as Python objects: fewer than the 700 new objects at which Python starts to look for garbage,
of which there is none here, so that blocks come and go without a search that would take a tenth of the time."""
BATCH_ROWS = 8192
"""Rows at once where a source is stored by columns, so that no row is an object."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows: the names of their columns, the line each came from, any column as a list, and the roles of columns.

    A format whose columns may be called anything leaves `roles` empty; one that knows them says role to column.
    """

    names: tuple[str, ...]
    lines: Sequence[int]
    column: Callable[[str], Sequence[Any]]
    roles: Mapping[str, str] = field(default_factory=dict)
    numbers: Callable[[str], FloatArray | None] | None = field(default=None, kw_only=True)
    """A column as doubles, NaN where there is none, if it is stored as numbers of which each is a score; not every format can say."""

    def __len__(self) -> int:
        return len(self.lines)

    def only(self, rows: Sequence[int]) -> "Block":
        """The rows at these places."""
        return Block(
            self.names,
            [self.lines[i] for i in rows],
            lambda name: [column[i] for column in [self.column(name)] for i in rows],
            self.roles,
        )


@dataclass(frozen=True, eq=False)
class Table:
    """Blocks of rows, what errors call their source and its lines, the system it stands for if nothing in it says, and its facts."""

    name: str
    label: str
    blocks: Iterable[Block]
    facts: Facts = field(default_factory=Facts)
    unit: str = "line"
    format: str = ""
    """Which of the registered formats it has; a frame has none."""
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of columns whose values have an order of their own, these in it."""
    encoding: str | None = None
    """That of a text which is not UTF-8."""

    def place(self, line: int) -> str:
        return f"{self.name}, {self.unit} {line}"

    def peek(self) -> tuple["Block | None", "Table"]:
        """The first rows, and the table with these still in it."""
        blocks = iter(self.blocks)
        first = next(blocks, None)
        return first, replace(self, blocks=() if first is None else chain((first,), blocks))


@dataclass(frozen=True, eq=False)
class Tables:
    """All tables of a source, the columns of each score, which other columns play which role, and how the scores were counted."""

    tables: list[Table]
    parts: tuple[str, ...]
    columns: Mapping[str, str]
    counted: Counted | None = None
    remarks: tuple[Remark, ...] = ()
    expand: Callable[[Scores], Scores] | None = None
    """Turns codes into counts once all rows are read."""


class InvalidCell(ValueError):
    """A cell that is not what its column is for: which row of the block, what it holds, what was wanted, what to do if that is known."""

    def __init__(self, row: int, found: Any, wanted: str, advice: str | None) -> None:
        super().__init__(row, found, wanted, advice)
        self.row, self.found, self.wanted, self.advice = row, found, wanted, advice


def joined_text(column: Sequence[Any]) -> str | None:
    """All cells in one text, or None if one of them is no text: the quickest way to look at all of them."""
    try:
        return "".join(column)
    except TypeError:
        return None


def refuse_repeated(source: str, names: Sequence[str]) -> None:
    """Refuse a column name that occurs twice."""
    for name, times in Counter(names).most_common(1):
        if times == 1:
            return
        raise ReadError(
            f"{source}: found column {name!r} {times} times; each name may occur once. Rename or remove one"
        )


def no_rows(source: str) -> ReadError:
    return ReadError(f"{source}: found column names but no rows; wanted one row per score")
