"""`LogRequest`: which measure, dataset and rows of logs to read, and how to treat errors and repeated runs."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tellapart.data.roles import SLICE
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import NONE, folded

Errors = Literal["apart", "zero"]
SameSystem = Literal["separate", "repeat", "latest"]

OF_ROWS = frozenset(("dataset", "run", "seed", "cluster", "rater", "system", "item"))
"""Names of row fields in any log, whatever its records hold."""


@dataclass(frozen=True)
class LogRequest:
    """A selection, as a caller spells it."""

    measure: str | None = None
    dataset: str | None = None
    where: Mapping[str, str] = field(default_factory=dict)
    errors: Errors = "apart"
    partial: bool = False
    universe: Any = None
    same_system: SameSystem | None = None
    format: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    systems: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """The group label of each path; empty where paths are no groups."""

    survey: bool = False
    """Whether all keys of the records are to be looked at, not only those asked for."""

    whole: bool = False
    """Whether all rows are to come out, whatever they vary by."""

    side: bool = False
    """Whether all that is given is one system, as one side of a gate is."""

    def __post_init__(self) -> None:
        _refuse_other("errors", self.errors, get_args(Errors))
        if self.where and not isinstance(self.where, Mapping):
            raise UsageError(
                f"{option('where')} is {self.where!r}; wanted values by name, such as {{'filter': 'strict'}}"
            )
        _refuse_other("same_system", self.same_system, (None, *get_args(SameSystem)))

    @property
    def special(self) -> bool:
        """Whether something is asked that only logs have an answer to."""
        return bool(self.of_logs_alone)

    @property
    def of_logs_alone(self) -> list[str]:
        """The options that were given and that only logs have an answer to."""
        given = {
            "where": bool(self.where),
            "partial": self.partial,
            "universe": self.universe is not None,
            "same_system": self.same_system is not None,
            "as_": bool(self.format),
            "errors": self.errors != "apart",
        }
        return [name for name, said in given.items() if said]

    @property
    def all_rows(self) -> bool:
        """Whether to keep rows on axes that were not named."""
        return self.survey or self.whole or bool(self.where)

    @property
    def grouping_role(self) -> str | None:
        """The role whose names are the groups; None where a record key gives them, or without groups."""
        by = folded(self.role("group") or "")
        return by if by in OF_ROWS else None

    def role(self, name: str) -> str | None:
        """The column that plays a role because the caller says so."""
        said = self.columns.get(name)
        return None if said is None or said == NONE else said

    @property
    def sliced(self) -> dict[str, str]:
        """The role of each column of slices, with the column."""
        return {role: column for role, column in self.columns.items() if role.startswith(SLICE)}

    def off(self, name: str) -> bool:
        """Whether no column is to play this role."""
        return self.columns.get(name) == NONE


def _refuse_other(name: str, value: Any, known: tuple[Any, ...]) -> None:
    if value not in known:
        wanted = " or ".join(repr(one) for one in known if one is not None)
        raise UsageError(f"{option(name, str(value))}: wanted {wanted}")
