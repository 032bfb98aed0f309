import re
from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.data.roles import RATERS_ELSE, ROLES
from tellapart.readers.format import FORMATS, Block, Origin, Row, TableKind
from tellapart.readers.formats.ratings import survey_ratings
from tellapart.readers.tables.columns import snake_case, usual_role
from tellapart.readers.tables.table import Table

_ONE_OF_SEVERAL = re.compile(rf"({'|'.join({*ROLES['rater'].columns, *RATERS_ELSE})})_?(\d+|[a-z])")
FEWEST = 2
"""Raters that make a table one of this kind."""


@FORMATS.add("rater_columns")
@dataclass(frozen=True)
class RaterColumns(TableKind):
    """A sheet with a row per system and item and a column per rater, whose names are numbered: rater1, rater2, …; a blank is no rating"""

    label = "sheets with raters as columns"
    first_line = r"(?i)(rater|judge|annotator|worker|labell?er|reviewer|assessor)[ _]?(1|a)\b"
    items = "a column of items"
    way = "name the file itself"

    def example(self) -> bytes:
        return b"system,item,rater1,rater2\nold,q1,3,2\nold,q2,4,4\nold,q3,2,\nnew,q1,4,4\nnew,q2,4,5\nnew,q3,3,4\n"

    def matches(self, names: frozenset[str]) -> bool:
        roles = {usual_role(name) for name in names}
        raters = [name for name in names if _rates(name)]
        return {"system", "item"} <= roles and not roles & {"score", "rater"} and len(raters) >= FEWEST

    def table(self, origin: Origin) -> Table:
        return Table(origin.name, origin.label, self.blocks(origin), format=self.name)

    def blocks(self, origin: Origin) -> Iterator[Block]:
        for block in super().blocks(origin):
            raters = [name for name in block.names if _rates(name)]
            labels = [name for name in block.names if usual_role(name) in ROLES]
            found = {name: [cell for cell in block.column(name) for _ in raters] for name in labels}
            found |= {"rater": raters * len(block)}
            found["rating"] = [cell for row in zip(*map(block.column, raters), strict=True) for cell in row]
            yield Block(tuple(found), [line for line in block.lines for _ in raters], found.__getitem__)

    def survey_rows(self, origin: Origin) -> Iterator[Row]:
        return survey_ratings(self.table(origin))


def _rates(name: str) -> bool:
    return _ONE_OF_SEVERAL.fullmatch(snake_case(name)) is not None
