"""What a file format is: how sure it is that a file is its own, what it says of all rows, and the rows."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from tellapart.foundation.spelling import Registry, Spelled
from tellapart.readers.naming import stem
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Axis, Block, Facts, Table

__all__ = ["FORMATS", "Axis", "Certainty", "Format", "formats_in_words"]

FORMATS: "Registry[Format]" = Registry("format")


class Certainty(IntEnum):
    """How sure a format is; the surest one reads the file."""

    NONE = 0
    FALLBACK = 1
    LIKELY = 2
    CERTAIN = 3


@dataclass(frozen=True)
class Format(Spelled):
    """Base of every format: a new one is a new file and one import line in this room's `__init__`.

    `label` is what help and errors call it. `example` is a small file of the format as its writers make it: documents show
    it, and the laws of readers are tried on it.
    """

    registry = FORMATS
    label: ClassVar[str]
    tabular: ClassVar[bool] = True
    """Whether it is a table of any origin, rather than what one program writes."""
    bare: ClassVar[bool] = True
    """Whether any rows may be laid out so, rather than those whose columns, or whose program, say what they are."""
    lists_solved: ClassVar[bool] = False
    """Whether its files may name only the items that were solved, so that the caller says which there are."""
    axes: ClassVar[tuple[Axis, ...]] = ()
    """What varies in its rows beside system, dataset and measure."""
    unit: ClassVar[str] = "line"
    """What the numbers of a block's rows count, as errors say it."""

    @abstractmethod
    def example(self) -> bytes:
        """A file of two systems or one, with at least two items."""

    @abstractmethod
    def claim(self, origin: Origin) -> Certainty:
        """How sure this format is, judged by the head of the content and by the name; never raises."""

    def facts(self, origin: Origin) -> Facts:  # noqa: ARG002  (a plain table says nothing beside its rows)
        """What the source says of all its rows: in its head, in its name, in a neighbour."""
        return Facts()

    @abstractmethod
    def blocks(self, origin: Origin) -> Iterator[Block]:
        """The rows, at least one, and the roles of their columns where the format knows them.

        A file that is not as the format wants it is refused with its line.
        """

    def meant(self, measure: str) -> tuple[str, dict[str, str]]:
        """A measure in the full spelling of the program as the measure of a row, and the axes that it names."""
        return measure, {}

    def label_of(self, path: str) -> str:
        """The system that a file stands for if nothing inside says, by its name: without the endings of its writer."""
        return stem(path)

    def barren(self, origin: Origin) -> str | None:  # noqa: ARG002  (most writers write nothing else)
        """Of a file of the same writer that holds no items: what it is and what to pass instead, as part of a sentence."""
        return None

    def table(self, origin: Origin) -> Table:
        return Table(origin.name, origin.label, self.blocks(origin), self.facts(origin), self.unit, self.name)


def formats_in_words() -> str:
    """What the registered tables are called: one or the other."""
    *others, last = dict.fromkeys(format_.label for format_ in FORMATS.at_hand if format_.bare)
    return f"{', '.join(others)} or {last}" if others else last
