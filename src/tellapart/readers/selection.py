"""Only the rows that are asked about: what is wrong with the others stops nobody who does not ask for them."""

from collections.abc import Collection, Mapping, Sequence

from tellapart.errors import DataError, UnknownSystem, nearest
from tellapart.readers.columns import Wanted
from tellapart.readers.labels import as_text
from tellapart.readers.table import Block


class NameChoice:
    """The names of one role that are asked for, or all of them; those met are kept, to name the nearest to one that was not."""

    def __init__(self, role: str, asked: Collection[str]) -> None:
        self._role = role
        self._asked = asked
        self.found: dict[str, None] = {}

    def rows_of(self, block: Block, column: str | None, constant: str | None) -> Sequence[int]:
        """The rows of a block that are asked for, named by a column or all alike; all rows where nothing names them."""
        if not self._asked or (column is None and constant is None):
            return range(len(block))
        names = [constant or ""] * len(block) if column is None else _names(block, column)
        self.found.update(dict.fromkeys(names))
        return _where(names, self._asked)

    def refuse_unknown(self) -> None:
        """Once all rows are met: refuse a name that none of them has."""
        for name in self._asked if self.found else ():
            if name not in self.found:
                error = UnknownSystem if self._role == "system" else DataError
                raise error(f"no {self._role} is called {name!r}; {nearest(name, self.found)}")


def asked_rows(block: Block, roles: Mapping[str, str], wanted: Wanted) -> Block:
    """The rows of a block that will be taken, or all of them if none is among them."""
    asked = {
        "system": wanted.systems,
        "dataset": () if wanted.dataset is None else (wanted.dataset,),
        "measure": () if wanted.measure is None else (wanted.measure,),
    }
    left = block
    for role, names in asked.items():
        if names and role in roles:
            left = left.only(_where(_names(left, roles[role]), names))
    return left if len(left) else block


def _names(block: Block, column: str) -> list[str]:
    return [as_text(cell).strip() for cell in block.column(column)]


def _where(names: list[str], asked: Collection[str]) -> list[int]:
    return [row for row, name in enumerate(names) if name in asked]
