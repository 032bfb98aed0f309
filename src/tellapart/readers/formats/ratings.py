from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.data.roles import RATERS_ELSE, ROLES
from tellapart.readers.format import FORMATS, Row, TableKind
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.table import Table


@FORMATS.add("ratings")
@dataclass(frozen=True)
class RatingTable(TableKind):
    """A table with a column that says who judged: `rater`, `judge`, `annotator`, `WorkerId`, `reviewer`, …; one row per rating.

    Ratings of several raters are held against what other raters would have said, and not averaged.
    """

    label = "ratings"
    first_line = (
        "(?i)rater|judge|annotator|worker|labell?er|evaluator|reviewer|assessor|grader|participant|respondent|coder"
    )
    items = "a column of items"
    way = "name the file itself: a folder is not searched for ratings"

    def example(self) -> bytes:
        return b"system,item,rater,rating\nold,q1,ann,3\nold,q2,ann,4\nold,q1,bob,2\nnew,q1,ann,4\nnew,q2,bob,5\n"

    def matches(self, names: frozenset[str]) -> bool:
        people = {*ROLES["rater"].columns, *RATERS_ELSE, *(name.replace("_", "") for name in RATERS_ELSE)}
        others = (ROLES[role].columns for role in ("item", "score", "system"))
        return all(not names.isdisjoint(usual) for usual in (people, *others))

    def survey_rows(self, origin: Origin) -> Iterator[Row]:
        return survey_ratings(self.table(origin))


def survey_ratings(table: Table) -> Iterator[Row]:
    """A row per rating."""
    rows = Rows(TableRequest(None, ("score",), {}))
    rows.take(table, alone=True)
    records = rows.records()
    names = ("item", "system", "dataset", "run", "rater")
    for place, score in enumerate(records.values[:, 0].tolist()):
        item, system, dataset, run, rater = (str(records.label(name, place) or "") for name in names)
        yield Row(place + 1, item, rows.measure, score, "", (), run, system, dataset, rater)
