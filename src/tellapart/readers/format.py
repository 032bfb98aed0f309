"""What a file format is: how sure it is that a file is its own, and the rows it finds there."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import ClassVar

from tellapart.readers.origin import Origin
from tellapart.readers.table import Block, Table
from tellapart.spelling import Registry, Spelled

FORMATS: "Registry[Format]" = Registry("format")


class Claim(IntEnum):
    """How sure a format is; the surest one reads the file."""

    NONE = 0
    FALLBACK = 1
    LIKELY = 2
    CERTAIN = 3


@dataclass(frozen=True)
class Format(Spelled):
    """Base of every format: a new one is a new file and one import line in this room's `__init__`."""

    registry = FORMATS
    unit: ClassVar[str] = "line"
    """What the numbers of a block's rows count, as errors say it."""

    @abstractmethod
    def claim(self, origin: Origin) -> Claim:
        """How sure this format is, judged by the head of the content and by the name; only bytes of text may be left unsure."""

    @abstractmethod
    def blocks(self, origin: Origin) -> Iterator[Block]:
        """The rows, at least one; a file that is not as the format wants it is refused with its line."""

    def table(self, origin: Origin) -> Table:
        return Table(origin.name, origin.label, self.blocks(origin), self.unit)
