"""Collection of table rows as records: encoded names, parsed scores, and the source of every row."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from tellapart.data.encoded_names import EncodedNames
from tellapart.data.provenance import Remark
from tellapart.data.roles import BETWEEN_TAGS, LABELS, ROLES, SLICE, slice_role
from tellapart.data.rows import Labels, Records, SelectedRows, unfit_name
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import ReadError
from tellapart.foundation.files import UPLOADED_FILES
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import TableRequest, folded
from tellapart.readers.tables.labels import Growing, LabelColumn, question_key
from tellapart.readers.tables.layout import Layout, lay_out
from tellapart.readers.tables.places import MeasureChoice, NameChoice, Places, reading_of, without_summaries
from tellapart.readers.tables.table import Block, InvalidCell, Table, no_rows
from tellapart.readers.tables.totals import totals_among, without_totals
from tellapart.readers.tables.values import scores_in
from tellapart.readers.tables.wide_rows import NAMED, WideRows, WideTable

_ENCODINGS = {"latin-1": "Latin-1", "utf-16": "UTF-16"}


class Rows:
    """The rows of all tables so far."""

    def __init__(self, wanted: TableRequest) -> None:
        self.wanted = wanted
        self.layouts: list[Layout] = []
        self.remarks: tuple[Remark, ...] = ()
        """Remarks on the choice of columns."""
        self._choice = MeasureChoice(wanted.measure)
        # Where fewer than two are named, the others may be needed: the verb says so if not.
        self._systems = NameChoice("system", wanted.systems if len(set(wanted.systems)) > 1 else ())
        self._datasets = NameChoice("dataset", () if wanted.dataset is None else (wanted.dataset,))
        self._places = Places()
        self._values: Growing[np.float64] = Growing(np.float64, (len(wanted.parts),))
        self._labels: dict[str, LabelColumn] = {}
        self.wide: WideRows | None = None
        """All rows so far, where they are of one table whose columns are systems."""

    def take(self, table: Table, *, alone: bool) -> None:
        """Add all rows of a table; `alone` says that no other table follows or went before."""
        blocks = iter(table.blocks)
        first = next(blocks, None)
        if first is None:
            raise no_rows(table.name)
        layout = lay_out(table, first, self.wanted, alone=alone)
        for other in self.layouts[:1]:
            refuse_unlike(layout, other)
        self._spread_out()
        self.layouts.append(layout)
        for role in layout.says:
            self._labels.setdefault(role, LabelColumn(ROLES.get(role) or slice_role(role))).fill(len(self._places))
        if layout.wide and not len(self._places) and UPLOADED_FILES.get() is None and set(layout.says) <= NAMED:
            self.wide = WideRows(layout, layout.systems(first))
        self.remarks += tuple(remark for remark in layout.remarks if remark not in self.remarks)
        if table.encoding is not None:
            self.remarks += (Remark("other_encoding", {"file": table.name, "encoding": _ENCODINGS[table.encoding]}),)
        for block in chain((first,), blocks):
            layout.refuse_late_role(block)
            self._take(layout, self._requested(layout, block))

    def _requested(self, layout: Layout, block: Block) -> Block:
        """The rows of a block that are asked for; nothing of the others is looked at."""
        # Each choice sees all rows, so that it knows every name. In wide form systems are columns, passed over where scores are taken.
        system = None if layout.wide else layout.constants.get("system")
        of_systems = self._systems.rows_of(block, layout.roles.get("system"), system)
        of_dataset = self._datasets.rows_of(block, layout.roles.get("dataset"), layout.constants.get("dataset"))
        if len(of_systems) + len(of_dataset) < 2 * len(block):
            block = block.only(sorted(set(of_systems).intersection(of_dataset)))
        return self._choice.rows_of(block, layout.roles.get("measure"))

    def checked(self) -> None:
        """Once all rows are met: what was asked for is among them, and all are of one measure."""
        self._systems.refuse_unknown()
        self._datasets.refuse_unknown()
        self._choice.refuse_open_choice(self.layouts[0].table.name)
        self._refuse_none()

    def table(self) -> WideTable | None:
        """The items and scores of a wide table in which every item has one row; None where rows are to be told apart by more."""
        if self.wide is None:
            return None
        labels = {role: column.labels() for role, column in self.wide.labels.items()}
        for role, names in labels.items():
            self._refuse_unnamed(role, names, self.wide.places)
        if totals_among(labels["item"]):
            return None
        return WideTable.of(self.wide, labels)

    def records(self) -> Records:
        """All rows, each with its names."""
        self.checked()
        self._spread_out()
        for column in self._labels.values():
            column.fill(len(self._places))
        labels = {role: column.labels() for role, column in self._labels.items()}
        for role, names in labels.items():
            if not (ROLES.get(role) or slice_role(role)).blank:
                self._refuse_unnamed(role, names, self._places)
        rows = Records(self._values.taken(), labels, self._places)
        measured = all("measure" in layout.roles for layout in self.layouts)
        rows, totals = without_totals(without_summaries(rows) if measured else rows)
        if totals:
            self.remarks += (Remark("summary_rows_left_out", {"names": list(totals)}),)
        return rows

    def read(self, rows: Records) -> Records:
        """These of the records, with how they were read."""
        tables, of_rows = self._places.tables, self._places.table_of_records
        kept = of_rows[rows.where.rows] if isinstance(rows.where, SelectedRows) else of_rows
        cluster = next((layout.roles["cluster"] for layout in self.layouts if "cluster" in layout.roles), None)
        return replace(rows, reading=reading_of(rows, tables, kept, cluster))

    @property
    def systems_met(self) -> tuple[str, ...]:
        """All systems that had a row where only some are asked about, as the files call them."""
        return tuple(self._systems.found)

    @property
    def measure(self) -> str:
        """The name of the scores."""
        named = [layout.measure or "score" for layout in self.layouts]
        return self._choice.taken or (named[0] if len(set(map(folded, named))) == 1 else "score")

    def _take(self, layout: Layout, block: Block) -> None:
        if not len(block):
            return
        if layout.wide:
            self._take_wide(layout, block)
        else:
            self._take_long(layout, block)

    def _take_long(self, layout: Layout, block: Block) -> None:
        self._values.add(np.stack([self._scores_of_column(layout, block, part) for part in layout.parts], axis=-1))
        self._label(layout, block, self._labels, layout.says)
        self._places.add(layout.table, block.lines, 1)

    def _take_wide(self, layout: Layout, block: Block) -> None:
        systems = layout.systems(block)
        values = [self._scores_asked_for(layout, block, system) for system in systems]
        if self.wide is not None and self.wide.systems != tuple(systems):
            self._spread_out()
        if self.wide is not None:
            self.wide.add(block.lines, values)
            self._label(layout, block, self.wide.labels, [*self.wide.labels])
            return
        others = [role for role in layout.says if role != "system"]
        self._label(layout, block, self._labels, others, len(systems))
        self._add_scores(layout, block.lines, systems, np.concatenate([np.empty(0), *values]))

    def _add_scores(self, layout: Layout, lines: Sequence[int], systems: Sequence[str], values: FloatArray) -> None:
        """The scores of the rows of a block, system after system; each row is as many records."""
        self._values.add(values[:, np.newaxis])
        self._labels["system"].add_each(systems, len(lines))
        self._places.add(layout.table, lines, len(systems))

    def _spread_out(self) -> None:
        """A record per score instead of a row per item: needed where more than a row tells scores apart."""
        wide, self.wide = self.wide, None
        if wide is None:
            return
        named = {role: column.labels() for role, column in wide.labels.items()}
        for number, (lines, start) in enumerate(wide.blocks):
            for role, labels in named.items():
                codes = labels.codes[start : start + len(lines)].tolist()
                self._labels[role].add([labels.names[code] for code in codes], len(wide.systems))
            self._add_scores(wide.layout, lines, wide.systems, wide.scores(number).ravel())

    def _label(
        self, layout: Layout, block: Block, columns: Mapping[str, LabelColumn], roles: Sequence[str], copies: int = 1
    ) -> None:
        for role in roles:
            column = layout.roles.get(role)
            if column is None:
                columns[role].add_each([layout.constants[role]], len(block) * copies)
                continue
            cells = block.column(column)
            try:
                columns[role].add(_label_cells(role, cells), copies)
            except InvalidCell as cell:
                raise _cell_refusal(layout, block, column, cell) from None

    def _scores_of_column(self, layout: Layout, block: Block, column: str) -> FloatArray:
        try:
            return scores_in(block, column)
        except InvalidCell as cell:
            raise _cell_refusal(layout, block, column, cell) from None

    def _scores_asked_for(self, layout: Layout, block: Block, system: str) -> FloatArray:
        """The scores of a system; columns that were not asked for, such as prompts, need not hold any."""
        column = layout.column_of(system)
        if self.wanted.asks_for(system):
            return self._scores_of_column(layout, block, column)
        try:
            return scores_in(block, column)
        except InvalidCell:
            return np.full(len(block), np.nan)

    def _refuse_none(self) -> None:
        if not len(self._values) and (self.wide is None or not self.wide.blocks):
            named = " or ".join(map(repr, self.wanted.systems))
            raise ReadError(
                f"{self.layouts[0].table.name}: no row of dataset {self.wanted.dataset!r} is of system {named}"
            )

    def _refuse_unnamed(self, role: str, column: Labels, places: Places) -> None:
        """A name that is blank, or that holds what no text holds, names nothing."""
        if isinstance(column.names, EncodedNames) and column.names[0]:
            return  # in order, and of names that no text holds none can be packed
        text = "".join(column.names)
        if all(column.names) and ((text.isascii() and "\0" not in text) or unfit_name(text) is None):
            return
        code, name = next((c, n) for c, n in enumerate(column.names) if not n or unfit_name(n))
        place = places(int(np.flatnonzero(column.codes == code)[0]))
        raise ReadError(
            f"{place}: found {unfit_name(name) or 'a blank'} for the {role}; wanted a name. Fill it in or remove the row"
        )


def _label_cells(role: str, cells: Sequence[Any]) -> Sequence[Any]:
    """Cells as names: a question without what a template made of it, the tags of a list in one text."""
    if role == "text":
        return list(map(question_key, cells))
    if not role.startswith(SLICE):
        return cells
    return [BETWEEN_TAGS.join(map(str, cell)) if isinstance(cell, list) else cell for cell in cells]


def _cell_refusal(layout: Layout, block: Block, column: str, cell: InvalidCell) -> ReadError:

    return refusal_of_cell(layout, block, column, cell)


# What is said of tables that do not go together, and of a cell that is no score.


def refuse_unlike(layout: Layout, other: Layout) -> None:
    """Tables that are to be one must identify their items alike and score the same measure."""
    for role in (role.name for role in LABELS if role.everywhere):
        if (role in layout.says) != (role in other.says):
            has, lacks = (layout, other) if role in layout.says else (other, layout)
            place = f" ({has.roles[role]!r})" if role in has.roles else ""
            raise ReadError(
                f"{lacks.table.name}: no column for the {role}, but {has.table.name} has one{place}. Add it here, or "
                "remove it there"
            )
    if layout.scored_as != other.scored_as:
        mine, theirs = (repr(x.measure or "score") for x in (layout, other))
        raise ReadError(
            f"{layout.table.name} scores {mine} and {other.table.name} {theirs}. Rename both columns to 'score' if "
            "they are the same measure"
        )


def refusal_of_cell(layout: Layout, block: Block, column: str, cell: InvalidCell) -> ReadError:
    place, advice = layout.table.place(block.lines[cell.row]), cell.advice or _cell_advice(layout, column)
    shown = repr(cell.found)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
    return ReadError(f"{place}: found {shown} in column {column!r}; wanted {cell.wanted}. {advice}")


def _cell_advice(layout: Layout, column: str) -> str:
    """Advice on a cell of unknown meaning: the column may have been mistaken for scores."""
    if not layout.wide:
        return f"Correct it, or name the column of scores: {option('column', 'score=…')}"
    known = [role for role in LABELS if role.absent is not None and role.columns]
    first, *others = sorted(known, key=lambda role: not role.groups)
    return (
        f"If {column!r} is not a system, drop it, give it a role ({option('column', f'{first.name}={column}')}, or "
        f"{', '.join(role.name for role in others)}) or name the systems: two with {option('a')} and {option('b')} or more "
        f"to rank with {option('systems')}; if each row is about one system, name its column: {option('column', 'system=…')}"
    )
