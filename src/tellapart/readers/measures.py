"""Which measure is taken where rows of several stand below each other."""

from collections import Counter

from tellapart.doors import option
from tellapart.errors import ReadError, nearest
from tellapart.readers.labels import as_text
from tellapart.readers.layout import Layout
from tellapart.readers.table import Block
from tellapart.wording import first_of


class MeasureChoice:
    """The measure that was asked for, or else the first one met; rows of others are counted and left out."""

    def __init__(self, asked: str | None) -> None:
        self._asked = asked
        self.taken = asked
        self._found: Counter[str] = Counter()

    def rows_of(self, layout: Layout, block: Block) -> Block:
        """The rows of a block that are of this measure: all of them where no column names any."""
        if "measure" not in layout.roles or not len(block):
            return block
        names = [as_text(cell).strip() for cell in block.column(layout.roles["measure"])]
        self._found.update(names)
        if self.taken is None:
            self.taken = names[0]
        kept = [row for row, name in enumerate(names) if name == self.taken]
        return block if len(kept) == len(block) else block.only(kept)

    def refuse_open_choice(self, source: str) -> None:
        """Once all rows are counted: refuse to choose between measures, and a measure that is not there."""
        found = self._found
        if self._asked is None and len(found) > 1:
            counts = first_of([f"{name!r} ({count} rows)" for name, count in found.most_common()], 8)
            raise ReadError(f"{source}: several measures: {counts}. Pick one with {option('measure')}")
        if self._asked is not None and found and self._asked not in found:
            raise ReadError(f"{source}: no measure is called {self._asked!r}; {nearest(self._asked, found)}")
