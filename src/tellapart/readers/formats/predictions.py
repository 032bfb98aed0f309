from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.data.roles import ROLES
from tellapart.readers.format import FORMATS, Row, TableKind, text_of
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import TableRequest, assign
from tellapart.readers.tables.counted_columns import USUAL, counted_columns

_COUNTED = ("label", "prediction")


@FORMATS.add("predictions")
@dataclass(frozen=True)
class PredictionTable(TableKind):
    """A table with columns of labels and of predictions, from which `--metric accuracy`, `f1`, `mcc` and others are counted."""

    label = "predictions"
    first_line = "(?i)pred"
    items = "a column of items"
    way = "name the file itself, with a metric: --metric accuracy"

    def example(self) -> bytes:
        return b"system,item,label,prediction\nold,q1,cat,cat\nold,q2,dog,cat\nnew,q1,cat,cat\nnew,q2,dog,dog\n"

    def matches(self, names: frozenset[str]) -> bool:
        return has_columns(names, _COUNTED)

    def survey_rows(self, origin: Origin) -> Iterator[Row]:
        wanted = TableRequest(None, ("score",), {})
        for block in self.blocks(origin):
            named = counted_columns(origin.name, block, _COUNTED, {})
            roles = assign(origin.name, block, wanted)
            if named is None or "item" not in roles:
                return
            said = {role: block.column(column) for role, column in (roles | dict(named)).items()}
            for place, line in enumerate(block.lines):
                cell = {role: text_of(column[place]) for role, column in said.items()}
                right = float(cell["label"] == cell["prediction"]) if cell["prediction"] else None
                yield Row(
                    line,
                    cell["item"],
                    "correct",
                    right,
                    run=cell.get("run", ""),
                    system=cell.get("system", ""),
                    dataset=cell.get("dataset", ""),
                )


def has_columns(names: frozenset[str], counted: tuple[str, ...]) -> bool:
    """Whether there is an item, and a column of each kind that is counted from, and no score beside them."""
    items = not names.isdisjoint(ROLES["item"].columns)
    return (
        items and all(not names.isdisjoint(USUAL[one]) for one in counted) and names.isdisjoint(ROLES["score"].columns)
    )
