"""Rows with a column of raters: `Ratings` where several people judged, plain scores where only one did."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.data.ratings import Ratings
from tellapart.data.roles import DATASETS_ELSE, PERHAPS_RATERS, RATERS_ELSE, TIMES
from tellapart.data.rows import Records
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ComesTwice, ReadError, Unsuitable, UsageError
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import TableRequest, folded, snake_case
from tellapart.readers.tables.table import Block
from tellapart.readers.tables.values import is_number


def with_remarks(found: Scores | Ratings, remarks: Sequence[Remark]) -> Scores | Ratings:
    """The scores with what else reading them left to say; ratings have no place for remarks."""
    if not remarks or not isinstance(found, Scores):
        return found
    return replace(found, remarks=(*found.remarks, *remarks))


def scores_or_ratings(rows: Records, measure: str, parts: Sequence[str], *, alone: bool = False) -> Scores | Ratings:
    """The table that rows make: ratings where a column says who judged and several did."""
    if "rater" not in rows.labels:
        return Scores.from_records(rows, measure, parts, alone=alone)
    names = rows.labels["rater"].names
    if names == ("",):
        # Blank throughout, the column says as much as none.
        return Scores.from_records(_without_raters(rows), measure, parts, alone=alone)
    if "group" in rows.labels:
        # Groups are held against each other on items that each have one score.
        _refuse_several_raters(rows)
        return Scores.from_records(rows, measure, parts, alone=alone)
    if len(names) == 1:
        remark = Remark("one_rater", {"rater": names[0]})
        return replace(Scores.from_records(rows, measure, parts, alone=alone), remarks=(remark,))
    if tuple(parts) != ("score",):
        raise Unsuitable(
            f"a rating is one number, and this metric is made of {', '.join(parts)}; leave {option('metric')} out"
        )
    return Ratings.from_records(rows, "rating" if measure == "score" else measure)


def refuse_raters_as_groups(roles: Iterable[Mapping[str, str]]) -> None:
    """Groups are pooled for the answer above them, and raters may not be."""
    for role in roles:
        if "group" in role and role["group"] == role.get("rater"):
            raise UsageError(
                f"{option('by', role['group'])} makes each rater a group; leave {option('by')} out: the answer then "
                "allows for how raters differ"
            )


def _without_raters(rows: Records) -> Records:
    return replace(rows, labels={role: column for role, column in rows.labels.items() if role != "rater"})


def _refuse_several_raters(rows: Records) -> None:
    """Refuse rows in which two raters scored the same system on the same item of one group."""
    rater = rows.labels["rater"].codes
    cell = [rows.labels[role].codes for role in ("item", "dataset", "group", "system") if role in rows.labels]
    # Sorted, all ratings of one system on one item are neighbours, and two raters among them differ somewhere.
    order = np.lexsort((rater, *cell))
    same = np.all([np.diff(codes[order]) == 0 for codes in cell], axis=0)
    clashes = np.flatnonzero(same & (np.diff(rater[order]) != 0))
    if len(clashes):
        first, second = sorted(order[clashes[0] : clashes[0] + 2].tolist())
        raise ReadError(_clash(rows, first, second))


def _clash(rows: Records, first: int, second: int) -> str:
    return (
        f"{rows.where(second)}: system {rows.label('system', second)!r} has ratings of item {rows.show_item(second)!r} "
        f"by {rows.label('rater', second)!r} and by {rows.label('rater', first)!r} ({rows.where(first)}). Comparing "
        f"groups takes one score per item: leave {option('by')} or {option('labels')} out, or keep the rows of one rater"
    )


def rater_under_another_name(first: Block, roles: dict[str, str], wanted: TableRequest) -> str | None:
    """The one column that is called like people who judge, and may name them; None where the caller or the format knows better."""
    if "rater" in roles or "rater" in wanted.columns or first.roles or wanted.parts != ("score",):
        return None
    asked, scores = {*roles.values(), *wanted.named}, {folded(name) for name in (wanted.measure or "", *wanted.scored)}
    free = [name for name in first.names if name not in asked and folded(name) not in scores]
    long = "score" in roles or "system" in roles
    people = {snake_case(name): name for name in free if _names_people(snake_case(name), long=long)}
    # Of several kinds of people nobody knows who judged; without a column beside it, it is what there is of scores.
    if len({_without_id(name) for name in people}) != 1 or ("score" not in roles and len(free) == len(people)):
        return None
    likely = people[max(people)]  # of a name and a number the number: two people may share a name
    return None if _measured(first.column(likely)) else likely


def _names_people(name: str, *, long: bool) -> bool:
    """Where each column is a system, one of them may be called coder or reviewer, and none a number of one."""
    return name in RATERS_ELSE and (long or name.endswith("_id"))


def times_beside(systems: Sequence[str], first: Block, wanted: TableRequest) -> tuple[str, ...]:
    """Of the columns of a wide table those that say when its rows were scored, where two or more systems stand beside them."""
    found = [
        name
        for name in systems
        if snake_case(name) in TIMES and name not in wanted.named and not _measured(first.column(name))
    ]
    return tuple(found) if len(systems) - len(found) > 1 else ()


def suggest_columns(error: ComesTwice, unused: Iterable[str], *, rated: bool, grouped: bool) -> ComesTwice:
    """The refusal of a score that comes twice, with the columns that are likely to tell its rows apart."""
    columns = list(unused)
    people = [name for name in columns if _without_id(snake_case(name)) in (*RATERS_ELSE, *PERHAPS_RATERS)]
    times = [] if grouped else [name for name in columns if snake_case(name) in TIMES]
    if rated and not people:
        others = [name for name in columns if name not in times]
        people = others if len(others) == 1 else ["…"]
    ways = [
        *(
            f"{option('column', f'dataset={name}')} if ids start over in each"
            for name in columns
            if snake_case(name) in DATASETS_ELSE
        ),
        *(f"{option('column', f'rater={name}')} if it says who judged" for name in people),
        *(f"{option('by', name)} to compare its groups" for name in times),
    ]
    return ComesTwice(error.found, (*ways, *error.ways)) if ways else error


def _without_id(name: str) -> str:
    return name.removesuffix("_id")


def _measured(column: Sequence[Any]) -> bool:
    """Whether some cell is no whole number, which names nobody and no week."""
    return any(map(_fractional, column))


def _fractional(cell: Any) -> bool:
    if isinstance(cell, str):
        return is_number(cell) and not float(cell).is_integer()
    return isinstance(cell, float) and cell == cell and not cell.is_integer()  # noqa: PLR0124  (NaN is a blank)
