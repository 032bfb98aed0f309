"""Columns of labels, predictions or texts that a metric counts, encoded as integers while rows are read."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from tellapart.foundation.errors import ReadError
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import TableRequest, assign, find, folded
from tellapart.readers.tables.table import Block, Table

USUAL: Mapping[str, tuple[str, ...]] = {
    "label": ("label", "gold", "gold_label", "true_label", "target", "truth", "y_true"),
    "prediction": ("prediction", "predicted", "pred", "predicted_label", "y_pred"),
    "hypothesis": ("hypothesis", "hyp", "translation", "output"),
    "reference": ("reference", "ref"),
}
"""The usual names of columns that are counted from."""

_NUMBERED = re.compile(r"(reference|ref)_?\d*")


class Codes:
    """The different values of a column, in the order they are met, as numbers."""

    def __init__(self) -> None:
        self.known: dict[Any, int] = {}

    def of(self, value: Any) -> int:
        return self.known.setdefault(value, len(self.known))


@dataclass
class CodedLabels:
    """Labels and predictions of all rows so far, as codes; what an item is must be the same in all of its rows."""

    label: Codes = field(default_factory=Codes)
    prediction: Codes = field(default_factory=Codes)
    _seen: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)

    def columns(
        self, table: Table, block: Block, named: Mapping[str, str], roles: Mapping[str, str]
    ) -> dict[str, list[float | None]]:
        labels, predictions = (list(map(as_name, block.column(named[role]))) for role in ("label", "prediction"))
        self._check(table, block, labels, roles)
        return {
            "label": [float(self.label.of(name)) for name in labels],
            # A blank prediction is missing, and never wrong.
            "prediction": [float(self.prediction.of(name)) if name else None for name in predictions],
        }

    def _check(self, table: Table, block: Block, labels: Sequence[str], roles: Mapping[str, str]) -> None:
        items, homes = (
            list(map(as_name, block.column(roles[role]))) if role in roles else [""] * len(block)
            for role in ("item", "dataset")
        )
        for row, (home, item, label) in enumerate(zip(homes, items, labels, strict=True)):
            place = table.place(block.lines[row])
            if not label:
                raise ReadError(f"{place}: found a blank; wanted the item's label. Fill it in, or remove the row")
            before, where = self._seen.setdefault((home, item), (label, place))
            if before != label and "item" in roles:
                raise ReadError(
                    f"{place}: item {item!r} has the label {label!r}, and {before!r} in {where}; an item has one label. Correct one of them"
                )


@dataclass
class Texts:
    """Hypotheses beside their references, as codes of different pairs."""

    segment: Codes = field(default_factory=Codes)

    def columns(
        self,
        table: Table,  # noqa: ARG002  (as labels have it)
        block: Block,
        named: Mapping[str, str],
        roles: Mapping[str, str],  # noqa: ARG002  (as above)
    ) -> dict[str, list[float | None]]:
        references = [block.column(column) for role, column in named.items() if role != "hypothesis"]
        wanted = [tuple(_segment_text(cell) for cell in cells) for cells in zip(*references, strict=True)]
        wrote = block.column(named["hypothesis"])
        return {
            "segment": [
                float(self.segment.of((_segment_text(text), others))) if text is not None else None
                for text, others in zip(wrote, wanted, strict=True)
            ]
        }


def _segment_text(cell: Any) -> str:
    return "" if cell is None else str(cell).rstrip()


def as_name(cell: Any) -> str:
    """A label as text: numbers without a fraction as whole ones, as other columns hold them."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


def counted_columns(
    table: str, block: Block, wanted: Sequence[str], columns: Mapping[str, str]
) -> dict[str, str] | None:
    """Which column of a table plays each role that is counted from; None where one is lacking."""
    found = {role: _counted_column(table, block.names, role, columns) for role in wanted}
    if any(name is None for name in found.values()):
        return None
    named = {role: name for role, name in found.items() if name is not None}
    if "reference" in named and "reference" not in columns:
        more = [name for name in block.names if _NUMBERED.fullmatch(folded(name)) and name != named["reference"]]
        named |= {f"reference {place}": name for place, name in enumerate(more, 2)}
    return named


def _counted_column(table: str, names: Sequence[str], role: str, columns: Mapping[str, str]) -> str | None:
    if role in columns:
        return find(table, names, columns[role])
    fitting = [name for name in names if folded(name) in USUAL[role]]
    own = [name for name in fitting if folded(name) == role]
    if len(own or fitting) > 1:
        raise ReadError(
            f"{table}: columns {' and '.join(map(repr, own or fitting))} could each be the {role}. Say which: "
            f"{option('column', f'{role}={(own or fitting)[0]}')}"
        )
    return next(iter(own or fitting), None)


def coded(table: Table, kept: CodedLabels | Texts, wanted: Sequence[str], columns: Mapping[str, str]) -> Table:
    """The table with codes in place of what is counted from; they are known once its rows have been read."""

    def blocks() -> Iterator[Block]:
        for block in table.blocks:
            named = counted_columns(table.name, block, wanted, columns)
            if named is None:
                raise ReadError(
                    f"{table.name}: the metric is counted from columns {' and '.join(wanted)}; found {', '.join(map(repr, block.names[:8]))}. Name "
                    f"them: {option('column', f'{wanted[0]}=…')}"
                )
            others = {role: name for role, name in columns.items() if role not in wanted}
            roles = assign(table.name, block, TableRequest(None, (), others))
            yield _with(block, kept.columns(table, block, named, roles), set(named.values()))

    return replace(table, blocks=blocks())


def _with(block: Block, columns: Mapping[str, Sequence[float | None]], taken: Iterable[str]) -> Block:
    """The block with more columns, in place of those that they were made of."""
    names = tuple(chain((name for name in block.names if name not in set(taken) | columns.keys()), columns))
    return Block(names, block.lines, lambda name: columns[name] if name in columns else block.column(name), block.roles)
