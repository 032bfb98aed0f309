"""Which column plays which role, by its usual name or because the caller says so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tellapart.errors import ReadError, SpellingError, nearest

ROLES: Mapping[str, tuple[str, ...]] = {
    "system": ("system", "system_name", "system_id", "model", "model_name", "model_id"),
    "item": (
        *("item", "item_id", "id", "seg", "seg_id", "topic", "question_id", "session_id", "instruction"),
        *("query", "query_id", "qid", "example_id", "sample_id", "instance_id"),
    ),
    "score": ("score", "value"),
    "dataset": ("dataset", "task", "task_name"),
    "cluster": ("cluster", "cluster_id"),
    "run": ("run", "seed", "epoch"),
    "rater": ("rater", "rater_id", "judge", "annotator", "worker"),
    "measure": ("measure", "metric"),
}
"""The usual names of each role; the first, the role's own, wins over the others."""

_USUAL = {name: role for role, names in ROLES.items() for name in names}


@dataclass(frozen=True)
class Wanted:
    """What the caller wants of the files: a measure, the parts of a metric, who plays which role, and which systems if not all."""

    measure: str | None
    parts: tuple[str, ...]
    columns: Mapping[str, str]
    systems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        known = [*ROLES, *(part for part in self.parts if part not in ROLES)]
        for role in self.columns:
            if role not in known:
                raise SpellingError(f"no column role is called {role!r}; {nearest(role, known)}")

    def asks_for(self, system: str) -> bool:
        return not self.systems or system in self.systems


def assign(source: str, names: Sequence[str], wanted: Wanted) -> dict[str, str]:
    """Role to column, for the roles that have one; a role that two columns could play is refused."""
    given = {role: find(source, names, column) for role, column in wanted.columns.items()}
    # Clusters group what another role tells apart, so a column of clusters stays free to name the items too.
    players = [(column, role) for role, column in given.items() if role != "cluster"]
    taken = dict(players)
    if len(taken) < len(players):
        column, role = next((c, r) for c, r in players if taken[c] != r)
        raise ReadError(
            f"{source}: column {column!r} is given two roles, {role} and {taken[column]}; a column plays one. Give one of them another"
        )
    free = [name for name in names if name not in taken]
    usual = {role: _usual(source, role, free) for role in ROLES if role not in given}
    return {role: column for role, column in (usual | given).items() if column is not None}


def find(source: str, names: Sequence[str], asked: str) -> str:
    """The column the caller means, with or without its capitals."""
    if asked in names:
        return asked
    alike = [name for name in names if folded(name) == folded(asked)]
    if len(alike) != 1:
        raise ReadError(f"{source}: there is no column {asked!r}; {nearest(asked, names)}")
    return alike[0]


def usual_role(name: str) -> str | None:
    """The role that a column of this name usually plays."""
    return _USUAL.get(folded(name))


def folded(name: str) -> str:
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def _usual(source: str, role: str, names: Sequence[str]) -> str | None:
    fitting = [name for name in names if folded(name) in ROLES[role]]
    own = [name for name in fitting if folded(name) == role]
    if len(own or fitting) > 1:
        raise ReadError(
            f"{source}: columns {' and '.join(map(repr, own or fitting))} could each be the {role}. "
            f"Say which: --column {role}={(own or fitting)[0]}"
        )
    return next(iter(own or fitting), None)
