"""Assignment of columns to roles such as item, system and score, by usual names or by the caller's choice."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tellapart.data.roles import ROLES, SLICE, VOTE_ROLES
from tellapart.foundation.errors import ReadError, SpellingError, nearest
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.table import Block

_USUAL = {name: role.name for role in ROLES.values() for name in role.columns}

NONE = "none"
"""In place of a column: no column plays this role."""

_BETWEEN_WORDS = re.compile(r"[\s_-]+")
_CAMEL_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True)
class TableRequest:
    """What the caller wants of the files: a measure, the parts of a metric, who plays which role, and which rows if not all."""

    measure: str | None
    parts: tuple[str, ...]
    columns: Mapping[str, str]
    systems: tuple[str, ...] = ()
    """As the files call them."""
    dataset: str | None = None
    named: frozenset[str] = frozenset()
    """Systems that the caller speaks of, as the files call them: such a column is one, whatever it is called."""
    alone: bool = False
    """Whether one system is enough: a lone column of scores is then a measure of the system that the file is named after."""
    measure_name: str | None = None
    """What a lone column of scores is to be called."""
    scored: tuple[str, ...] = ()
    """Columns that hold scores, such as those of a judge, whatever they are called."""

    def __post_init__(self) -> None:
        known = [*ROLES, *VOTE_ROLES, *(part for part in self.parts if part not in ROLES)]
        for role in self.columns:
            if role not in known and not role.startswith(SLICE):
                raise SpellingError(f"no column role is called {role!r}; {nearest(role, known)}")

    def asks_for(self, system: str) -> bool:
        return not self.systems or system in self.systems


def assign(source: str, first: Block, wanted: TableRequest) -> dict[str, str]:
    """Role to column, for the roles that have one: as the caller says, else as the format says, else by the usual names.

    A role that two columns could play is refused.
    """
    names = first.names
    off = [role for role, column in wanted.columns.items() if column == NONE and NONE not in names]
    given = {role: find(source, names, column) for role, column in wanted.columns.items() if role not in off}
    taken = _players(source, given)
    free = [name for name in names if name not in taken]
    sliced = {column for role, column in given.items() if role.startswith(SLICE)}
    scored = set(map(folded, wanted.scored))
    unsliced = [name for name in free if name not in sliced and folded(name) not in scored]

    def usual(role: str) -> str | None:
        """A column that items are sliced by plays a usual role only where no other does."""
        return _usual(source, role, unsliced) or (_usual(source, role, free) if sliced else None)

    # A format that knows its columns has said all there is: nothing is left to guess from their names.
    known = (
        {role: column for role, column in first.roles.items() if column in free and role not in off}
        if first.roles
        else {role: usual(role) for role in ROLES if role not in given and role not in off}
    )
    return {role: column for role, column in (known | given).items() if column is not None}


def _players(source: str, given: Mapping[str, str]) -> dict[str, str]:
    """Column to the one role it is given."""
    # A column of clusters stays free for another role: the question that two turns share may name the item too.
    players = [
        (column, role)
        for role, column in given.items()
        if not role.startswith(SLICE) and (role not in ROLES or not ROLES[role].groups)
    ]
    taken = dict(players)
    if len(taken) < len(players):
        column, role = next((c, r) for c, r in players if taken[c] != r)
        raise ReadError(
            f"{source}: column {column!r} is given two roles, {role} and {taken[column]}; a column has only one. Name another column for one of them"
        )
    return taken


def winner_column(first: Block, wanted: TableRequest) -> str | None:
    """The column that makes a table one of votes, unless the caller says that its scores are meant."""
    if "winner" in wanted.columns:
        return wanted.columns["winner"]
    if first.roles or not {"score", "system"}.isdisjoint(wanted.columns):
        return first.roles.get("winner")
    return next((name for name in first.names if folded(name) in VOTE_ROLES["winner"].columns), None)


def find(source: str, names: Sequence[str], asked: str) -> str:
    """The column the caller means, with or without its capitals."""
    alike = called(names, asked)
    if len(alike) != 1:
        raise ReadError(f"{source}: there is no column {asked!r}; {nearest(asked, names)}")
    return alike[0]


def called(names: Sequence[str], asked: str) -> list[str]:
    """The columns that may be meant: of that very name, else without its capitals, else the nested keys that end in it.

    >>> called(["id", "scores.em", "scores.f1"], "F1"), called(["a.em", "b.em"], "em"), called(["em", "b.em"], "em")
    (['scores.f1'], ['a.em', 'b.em'], ['em'])
    """
    if asked in names:
        return [asked]
    return (
        [name for name in names if folded(name) == folded(asked)]
        or [name for name in names if snake_case(name) == snake_case(asked)]
        or [name for name in names if folded(name.rpartition(".")[2]) == folded(asked)]
    )


def usual_role(name: str) -> str | None:
    """The role that a column of this name usually plays."""
    return _USUAL.get(known_as(name, _USUAL))


def known_as(name: str, known: Collection[str]) -> str:
    """A column name as one of the known ones, where camelCase or capitals are all that differs.

    >>> known_as("questionId", ["question_id"]), known_as("nDCG", ["ndcg"]), known_as("nDCG", ["map"])
    ('question_id', 'ndcg', 'ndcg')
    """
    plain, snake = folded(name), snake_case(name)
    # Capitals are no humps where the plain name is known: nDCG is ndcg.
    return snake if snake in known and plain not in known else plain


def snake_case(name: str) -> str:
    """A column name with its camelCase humps as words.

    >>> snake_case("modelName"), snake_case("QuestionID"), snake_case("task name")
    ('model_name', 'question_id', 'task_name')
    """
    return folded(_CAMEL_HUMP.sub("_", name.strip()))


def folded(name: str) -> str:
    """A column name without what people write differently: capitals, and what stands between words.

    >>> folded(" Question-ID "), folded("test  size")
    ('question_id', 'test_size')
    """
    return _BETWEEN_WORDS.sub("_", name.strip().casefold())


def _usual(source: str, role: str, names: Sequence[str]) -> str | None:
    usual = ROLES[role].columns
    # A name in camelCase is looked at last: beside a column that needs no such reading it is one more column.
    fitting = [name for name in names if folded(name) in usual] or [name for name in names if snake_case(name) in usual]
    own = [name for name in fitting if folded(name) == role]
    if len(own or fitting) > 1:
        raise ReadError(
            f"{source}: columns {' and '.join(map(repr, own or fitting))} could each be the {role}. "
            f"Say which: {option('column', f'{role}={(own or fitting)[0]}')}"
        )
    return next(iter(own or fitting), None)
