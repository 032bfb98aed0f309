import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tellapart.foundation.errors import ReadError
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option
from tellapart.readers.format import FORMATS, Block, Origin, Row, TableKind, column_names
from tellapart.readers.tables.columns import folded, usual_role
from tellapart.readers.tables.json_object import MEASURES
from tellapart.readers.tables.table import Table

_NUMBERED = re.compile(
    r"(q|qu|question|item|problem|task|case|test|prompt|example|ex|sample|id|no|nr)?[ _.#-]*\d+", re.IGNORECASE
)
FEWEST = 2
"""Questions that make a table one of this kind."""


@FORMATS.add("question_columns")
@dataclass(frozen=True)
class QuestionColumns(TableKind):
    """A sheet with a row per system and a column per question, whose names are numbered: q1, q2, …"""

    label = "sheets with questions as columns"
    first_line = r"(?i)\b(system|model)"
    items = "the column of a question"
    way = "name the file itself"

    def example(self) -> bytes:
        return b"model,q1,q2,q3,q4\nold,1,0,1,0\nnew,1,1,1,0\n"

    def matches(self, names: frozenset[str]) -> bool:
        systems = {name for name in names if usual_role(name) == "system"}
        questions = names - systems
        return len(systems) == 1 and len(questions) >= FEWEST and all(_NUMBERED.fullmatch(name) for name in questions)

    def summary_only(self, origin: Origin) -> str | None:
        """A row per system and measures beside it are means, which are no scores of items."""
        names = column_names(origin)
        measures = [name for name in names if usual_role(name) != "system"]
        means = len(measures) < len(names) and measures and all(map(MEASURES.search, measures))
        if not means or _repeats_a_system(origin, names):
            return None
        return f"means of systems ({first_of(list(measures), 3)}); pass the scores of single items"

    def table(self, origin: Origin) -> Table:
        return Table(origin.name, origin.label, self.blocks(origin), format=self.name)

    def blocks(self, origin: Origin) -> Iterator[Block]:
        for block in super().blocks(origin):
            system = _system_column(origin, block.names)
            questions = [name for name in block.names if name != system]
            found = {
                "system": [name for name in block.column(system) for _ in questions],
                "item": questions * len(block),
                "score": [cell for row in zip(*map(block.column, questions), strict=True) for cell in row],
            }
            lines = [line for line in block.lines for _ in questions]
            yield Block(tuple(found), lines, found.__getitem__, {name: name for name in found})

    def survey_rows(self, origin: Origin) -> Iterator[Row]:
        for block in self.blocks(origin):
            cells = zip(block.lines, *map(block.column, block.names), strict=True)
            for line, system, item, score in cells:
                yield Row(line, item, "score", score, system=str(system))


def _system_column(origin: Origin, names: Sequence[str]) -> str:
    """The column that names the systems; a file of another kind, which the caller takes for such a sheet, may have none."""
    found = next((name for name in names if usual_role(name) == "system"), None)
    if found is None:
        raise ReadError(
            f"{origin.name}: no column names the systems; found {first_of(list(names), 8, repr)}; wanted one called system or "
            f"model, and a column per question. If this is another kind of table, leave {option('as_', 'question_columns')} out"
        )
    return found


def _repeats_a_system(origin: Origin, names: tuple[str, ...]) -> bool:
    """Whether the head of a text has two rows of one system, which then differ in something that is no mean."""
    place = next(i for i, name in enumerate(names) if usual_role(name) == "system")
    lines = [re.split(r"[,;\t]", line) for line in origin.opening.splitlines()[1:] if line.strip()]
    systems = [folded(cells[place]) for cells in lines if len(cells) > place]
    return origin.preview.kind != "text" or len(set(systems)) < len(systems)
