"""Which group each row is in, where rows of logs are held against each other: by the path they lie under, or by what they say."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.surfaces import option, verb
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.found import Found
from tellapart.readers.naming import refuse_unfit_labels
from tellapart.readers.tables.raters import refuse_raters_as_groups


def refuse_unfit_groups(asked: Asked, paths: int, by: str | None) -> None:
    """Labels that are no label per path, or that stand beside a key that says the group too."""
    if not asked.labels:
        return
    refuse_unfit_labels(asked.labels, paths)
    if by is not None:
        raise UsageError(
            f"{option('labels')} makes a group of each path, and {option('by', by)} of what its rows say; leave one out"
        )


def by_label(found: Sequence[Found]) -> list[list[Found]]:
    """The files of each path that has a label; all of them together where none has."""
    return [list(files) for _, files in groupby(found, key=lambda one: one.facts.group)]


def groups_of_rows(
    found: Sequence[Found], columns: Mapping[str, list[str]], asked: Asked
) -> list[str] | None:
    """The group of every row; None where nobody asks for groups."""
    role = asked.grouping_role
    if role is None:
        cells = [cell for one in found for cell in one.group_of_rows()]
        return cells if any(cells) else None
    if role not in columns:
        had = ", ".join(dict.fromkeys(name for one in found for name in one.said)) or "none of its kind"
        raise ReadError(
            f"{found[0].origin.name}: no row says its {role}, so {option('by', role)} makes no groups. They can be made of a key of the "
            f"records ({verb('describe')} lists them), or of what rows say: {had}"
        )
    refuse_raters_as_groups([{"group": role, "rater": "rater"}])
    return columns[role]
