"""What a record says beside its score: what groups its item, or names it otherwise."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tellapart.errors import ReadError, nearest
from tellapart.readers.facts import Facts
from tellapart.readers.log import Log, text_of
from tellapart.readers.logs.asked import Asked

if TYPE_CHECKING:
    from tellapart.readers.logs.found import Found

MOST_GROUPS = 100_000
"""Groups of items that are told apart while keys are looked at."""


class KeyChoice:
    """The keys that are asked for, taken from record after record while these are at hand."""

    def __init__(self, format_: Log, facts: Facts, asked: Asked) -> None:
        self._format, self._asked = format_, asked
        declared = None if asked.off("cluster") else asked.role("cluster") or facts.cluster
        item = asked.role("item")
        wanted = {
            "cluster": declared,
            "item": item,
            "dataset": asked.role("dataset"),
            "run": asked.role("run"),
        }
        self._wanted = {role: key for role, key in wanted.items() if key is not None}
        self._cells: dict[str, list[str]] = {role: [] for role in self._wanted}
        self._known: dict[str, None] = {}
        self._values: dict[str, set[str]] = {}

    @property
    def looks(self) -> bool:
        """Whether records are looked at."""
        return self._asked.survey or bool(self._wanted)

    def take(self, records: Sequence[Any]) -> None:
        if self._asked.survey:
            self._survey(records)
        if not self._wanted:
            return
        for record in records:
            said = self._format.keys(record) if record is not None else {}
            self._known.update(dict.fromkeys(said))
            for role, key in self._wanted.items():
                self._cells[role].append(text_of(_look_up(said, key)))

    def _survey(self, records: Sequence[Any]) -> None:
        for record in records:
            for key, value in (self._format.keys(record) if record is not None else {}).items():
                values = self._values.setdefault(key, set())
                if len(values) < MOST_GROUPS:
                    values.add(text_of(value))

    def settle(self, found: "Found") -> None:
        """Give the columns to the file; a key that no record has is refused."""
        found.keys = self._values
        # As the format has them: a role that takes the items' names may come after one that names items otherwise.
        as_read = dict(found.texts)
        for role, taken in self._cells.items():
            key = self._wanted[role]
            # A column of the format itself may be meant: the turn of a question, its rater.
            of_format = taken and not any(taken) and key in as_read
            cells = list(as_read[key]) if of_format else taken
            if cells and not any(cells):
                raise ReadError(
                    f"{found.origin.name}: no record has a key {key!r}; {nearest(key, self._known)}"
                )
            if cells:
                found.texts[role] = cells


def _look_up(said: Any, key: str) -> Any:
    """The value under a key, by its full name or by the last part of it where only one ends so."""
    if key in said:
        return said[key]
    short = [value for name, value in said.items() if name.endswith(f".{key}")]
    return short[0] if len(short) == 1 else None
