"""Rows that say who judged: `Ratings` where several did, plain scores where one did it all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.data.rows import Records
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ReadError, Unsuitable, UsageError
from tellapart.foundation.surfaces import option

if TYPE_CHECKING:
    from tellapart.data.ratings import Ratings


def by_raters(rows: Records, measure: str, parts: Sequence[str]) -> "Scores | Ratings":
    """The table that rows with a column of raters make."""
    names = rows.labels["rater"].names
    if names == ("",):
        # Blank throughout, the column says as much as none.
        return Scores.from_records(_without_raters(rows), measure, parts)
    if "group" in rows.labels:
        # Groups are held against each other on items that each have one score.
        _refuse_several_raters(rows)
        return Scores.from_records(rows, measure, parts)
    if len(names) == 1:
        remark = Remark("one_rater", {"rater": names[0]})
        return replace(Scores.from_records(rows, measure, parts), remarks=(remark,))
    if tuple(parts) != ("score",):
        raise Unsuitable(
            f"a rater gives one number to a system on an item, and this metric is made of {', '.join(parts)}; leave {option('metric')} out"
        )
    from tellapart.data.ratings import Ratings  # noqa: PLC0415  (plain scores have no need of it)

    return Ratings.from_records(rows, "rating" if measure == "score" else measure)


def refuse_raters_as_groups(roles: Iterable[Mapping[str, str]]) -> None:
    """Groups are pooled for the answer above them, and raters may not be."""
    for role in roles:
        if "group" in role and role["group"] == role.get("rater"):
            raise UsageError(
                f"{option('by', role['group'])} makes groups of the raters, whose average is no answer about other raters; leave {option('by')} out: how "
                "raters differ is part of the answer then"
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
        f"{rows.where(second)}: system {rows.label('system', second)!r} has ratings of item {rows.show_item(second)!r} by "
        f"{rows.label('rater', second)!r} and by {rows.label('rater', first)!r} ({rows.where(first)}). Whether a difference changed between "
        f"groups is asked of one score per item: leave {option('by')} or {option('labels')} out, or keep the rows of one rater"
    )
