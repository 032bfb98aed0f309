"""Tables of any make whose columns say that they hold more than scores: votes, ratings, predictions, texts."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from tellapart.readers.columns import folded
from tellapart.readers.csv_rows import header_in, sniff
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.origin import Origin
from tellapart.readers.table import Block, Table

if TYPE_CHECKING:
    from tellapart.readers.log import Row

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
