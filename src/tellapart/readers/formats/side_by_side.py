from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tellapart.data.roles import VOTE_ROLES
from tellapart.readers.format import FORMATS
from tellapart.readers.formats.votes import VoteKind, no_column
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import folded
from tellapart.readers.tables.labels import as_text
from tellapart.readers.tables.table import Block

CHOICES = ("choice", "preferred", "preference", "better")
"""Columns that say which side was preferred, the first that there is."""
SAME = {"same": "tie", "neither": "tie", "both": "tie", "no preference": "tie", "": "missing"}
"""Cells of sheets for a tie, or for no choice."""


@FORMATS.add("side_by_side")
@dataclass(frozen=True)
class SideBySide(VoteKind):
    """A sheet of side-by-side judgements: two systems, `left` and `right`, and the `choice` of one, or tie.

    The choice names a system or its column; `same`, `both` and `neither` are ties, a blank one is a vote that nobody cast.
    """

    label = "side-by-side sheets"
    first_line = "(?i)choice|prefer|better"
    items = "prompt, question_id"

    def example(self) -> bytes:
        return b"left,right,choice,worker\nold,new,right,ann\nnew,old,left,bob\nold,new,same,ann\n"

    def matches(self, names: frozenset[str]) -> bool:
        sides = (frozenset(VOTE_ROLES[side].columns) for side in "ab")
        return (
            not names.isdisjoint(CHOICES) and "winner" not in names and all(names & side - {"a", "b"} for side in sides)
        )

    def blocks(self, origin: Origin) -> Iterator[Block]:
        for block in super().blocks(origin):
            yield _choices_as_winners(origin.name, block)


def _choices_as_winners(source: str, block: Block) -> Block:
    """The sheet with its choices as winners."""
    chosen = next((name for wanted in CHOICES for name in block.names if folded(name) == wanted), None)
    if chosen is None:
        raise no_column(source, "side_by_side", block.names, CHOICES)

    def column(name: str) -> Sequence[Any]:
        if name != "winner":
            return block.column(name)
        cells = (as_text(cell).strip() for cell in block.column(chosen))
        return [SAME.get(cell.casefold(), cell) for cell in cells]

    names = tuple("winner" if name == chosen else name for name in block.names)
    return Block(names, block.lines, column)
