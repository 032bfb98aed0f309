"""What a record says beside its score: what groups its item, or names it otherwise."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tellapart.foundation.errors import ReadError, nearest
from tellapart.readers.log import Log, text_of
from tellapart.readers.logs.asked import Asked
from tellapart.readers.tables.table import Facts

if TYPE_CHECKING:
    from tellapart.readers.logs.found import Found

MOST_GROUPS = 100_000
"""Groups of items that are told apart while keys are looked at."""


class KeyChoice:
    """The keys that are asked for, taken from record after record while these are at hand."""

    def __init__(self, format_: Log, facts: Facts, asked: Asked) -> None:
        self._format, self._asked = format_, asked
        named = asked.role("cluster")
        # Scorers may group the same items otherwise: each row goes by the key of its measure.
        self._by_measure = facts.clusters if named is None and asked.measure is None else {}
        declared = (
            None
            if asked.off("cluster")
            else named or facts.cluster or next(iter(facts.clusters.values()), None)
        )
        item = asked.role("item")
        wanted = {
            "cluster": declared,
            "item": item,
            "dataset": asked.role("dataset"),
            "run": asked.role("run"),
            "group": asked.role("group") if asked.grouping_role is None else None,
        }
        self._wanted = {role: key for role, key in wanted.items() if key is not None}
        self._cells: dict[str, list[str]] = {role: [] for role in self._wanted}
        self._known: dict[str, None] = {}
        self._values: dict[str, set[str]] = {}
        self._met: dict[tuple[str, str], bool] = {}
        """Of each role and key, whether any record has it."""

    @property
    def looks(self) -> bool:
        """Whether records are looked at."""
        return self._asked.survey or bool(self._wanted)

    def take(self, records: Sequence[Any], measures: Sequence[str]) -> None:
        if self._asked.survey:
            self._survey(records)
        if not self._wanted:
            return
        for record, measure in zip(records, measures, strict=True):
            said = self._format.keys(record) if record is not None else {}
            self._known.update(dict.fromkeys(said))
            for role, usual in self._wanted.items():
                key = self._by_measure.get(measure, usual) if role == "cluster" else usual
                cell = text_of(look_up(said, key))
                self._cells[role].append(cell)
                self._met[role, key] = self._met.get((role, key), False) or bool(cell)

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
            of_format = taken and not any(taken) and any(as_read.get(key, ()))
            cells = list(as_read[key]) if of_format else taken
            absent = [
                name for (of, name), met in self._met.items() if of == role and not met and not of_format
            ]
            if absent:
                # Groups may be made of what rows are called anyway; other roles are asked to be played by something else.
                known = [*(found.said if role == "group" else ()), *self._known]
                raise ReadError(
                    f"{found.origin.name}: no record has a key {absent[0]!r}; {nearest(absent[0], known)}"
                )
            if cells:
                found.texts[role] = cells


def look_up(said: Any, key: str) -> Any:
    """The value under a key, by its full name or by the last part of it where only one ends so."""
    if key in said:
        return said[key]
    short = [value for name, value in said.items() if name.endswith(f".{key}")]
    return short[0] if len(short) == 1 else None
