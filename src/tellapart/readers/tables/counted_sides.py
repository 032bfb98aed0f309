"""Two sides of which one is a frame, and a metric that is counted from their columns, or made of them."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from tellapart.data.scores import Scores
from tellapart.foundation.errors import UsageError
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.limits import Limits
from tellapart.readers.tables.assembly import Read, with_counts
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.counting import Counting
from tellapart.readers.tables.given import locate_all, tables_at
from tellapart.readers.tables.raters import scores_or_ratings
from tellapart.readers.tables.sides import SIDES, join_sides, refuse_unlike, side_of, system_of
from tellapart.readers.tables.table import Table


def counted_sides(  # noqa: PLR0913  (one argument per thing that a caller may know of the files)
    sources: tuple[Any, Any],
    systems: tuple[str | None, str | None],
    *,
    metric: Any,
    measure: str | None = None,
    columns: Mapping[str, str] = MappingProxyType({}),
    dataset: str | None = None,
    limits: Mapping[str, float | str] = MappingProxyType({}),
    where: Mapping[str, str] = MappingProxyType({}),
    references: Any = (),
    documents: Any = None,
    **_: Any,
) -> Read:
    """Both are counted together: labels of one side are classes of the other's too."""
    asked, allowed = LogRequest(measure, dataset, where, columns=columns), Limits.of(limits)
    counting = Counting.of(metric, references, documents, columns)
    given = counting.tables(None, {}, lambda: [_only_table(one, asked, allowed) for one in sources], allowed)
    wanted = TableRequest(measure, given.parts, dict(given.columns), (), dataset)
    found = [side_of([table], wanted) for table in given.tables]
    refuse_unlike(*found)
    named = [system_of(*side) for side in zip(found, SIDES, systems, ("a", "b"), strict=True)]
    rows = join_sides(found, named)
    make = scores_or_ratings if "rater" in rows.labels else Scores.from_records
    scores = make(rows, found[0].measure, given.parts)
    within = scores if dataset is None else scores.within(dataset)
    return within if given.counted is None else with_counts(within, given)


def _only_table(source: Any, asked: LogRequest, limits: Limits) -> Table:
    found = tables_at(source, locate_all(source, limits), asked)
    if found is None or len(found) != 1:
        raise UsageError(
            "what is counted from columns is one frame, or one table, per side; pass one baseline and one candidate"
        )
    return found[0]
