"""Columns that are called like the people who judged, or like the time at which something was scored."""

from collections.abc import Iterable, Sequence
from typing import Any

from tellapart.data.roles import PERHAPS_RATERS, RATERS_ELSE, TIMES
from tellapart.foundation.errors import ComesTwice
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import Wanted, folded, snake_case
from tellapart.readers.tables.table import Block
from tellapart.readers.tables.values import is_number


def rater_under_another_name(first: Block, roles: dict[str, str], wanted: Wanted) -> str | None:
    """The one column that is called like people who judge, and may name them; None where the caller or the format knows better."""
    if "rater" in roles or "rater" in wanted.columns or first.roles or wanted.parts != ("score",):
        return None
    asked = {*roles.values(), *wanted.named}
    free = [
        name for name in first.names if name not in asked and folded(name) != folded(wanted.measure or "")
    ]
    long = "score" in roles or "system" in roles
    people = {snake_case(name): name for name in free if _names_people(snake_case(name), long=long)}
    # Of several kinds of people nobody knows who judged; without a column beside it, it is what there is of scores.
    if len({_whose(name) for name in people}) != 1 or ("score" not in roles and len(free) == len(people)):
        return None
    likely = people[max(people)]  # of a name and a number the number: two people may share a name
    return None if _measured(first.column(likely)) else likely


def _names_people(name: str, *, long: bool) -> bool:
    """Where each column is a system, one of them may be called coder or reviewer, and none a number of one."""
    return name in RATERS_ELSE and (long or name.endswith("_id"))


def times_beside(systems: Sequence[str], first: Block, wanted: Wanted) -> tuple[str, ...]:
    """Of the columns of a wide table those that say when its rows were scored, where two or more systems stand beside them."""
    found = [
        name
        for name in systems
        if snake_case(name) in TIMES and name not in wanted.named and not _measured(first.column(name))
    ]
    return tuple(found) if len(systems) - len(found) > 1 else ()


def told_apart(error: ComesTwice, unused: Iterable[str], *, rated: bool, grouped: bool) -> ComesTwice:
    """The refusal of a score that comes twice, with the columns that are likely to tell its rows apart."""
    columns = list(unused)
    people = [name for name in columns if _whose(snake_case(name)) in (*RATERS_ELSE, *PERHAPS_RATERS)]
    times = [] if grouped else [name for name in columns if snake_case(name) in TIMES]
    if rated and not people:
        others = [name for name in columns if name not in times]
        people = others if len(others) == 1 else ["…"]
    ways = [
        *(f"{option('column', f'rater={name}')} if it says who judged" for name in people),
        *(f"{option('by', name)} to hold its groups against each other" for name in times),
    ]
    return ComesTwice(error.found, (*ways, *error.ways)) if ways else error


def _whose(name: str) -> str:
    return name.removesuffix("_id")


def _measured(column: Sequence[Any]) -> bool:
    """Whether some cell is no whole number, which names nobody and no week."""
    return any(map(_fractional, column))


def _fractional(cell: Any) -> bool:
    if isinstance(cell, str):
        return is_number(cell) and not float(cell).is_integer()
    return isinstance(cell, float) and cell == cell and not cell.is_integer()  # noqa: PLR0124  (NaN is a blank)
