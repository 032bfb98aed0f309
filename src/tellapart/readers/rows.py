"""Tables become records: names coded, scores parsed, every row with its place."""

import re
from collections import Counter, defaultdict
from itertools import chain

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.errors import ReadError, nearest
from tellapart.readers.labels import Coder, as_text
from tellapart.readers.layout import Layout, lay_out
from tellapart.readers.places import Places
from tellapart.readers.raters import refuse_several_raters
from tellapart.readers.roles import Wanted
from tellapart.readers.table import Block, Table, Unfit, no_rows
from tellapart.readers.values import UNADVISED, scores
from tellapart.records import Labels, Records

ABSENT = {"dataset": "", "cluster": "", "run": "1", "rater": ""}
"""What the rows of a table are called in a role that it has no column for."""

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Rows:
    """The rows of all tables so far."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self.layouts: list[Layout] = []
        self._measure = wanted.measure
        self._measures: Counter[str] = Counter()
        self._places = Places()
        self._values: list[FloatArray] = []
        self._codes: defaultdict[str, list[IntArray]] = defaultdict(list)
        self._coders: defaultdict[str, Coder] = defaultdict(Coder)

    def take(self, table: Table, *, alone: bool) -> None:
        """Add all rows of a table; `alone` says that no other table follows or went before."""
        blocks = iter(table.blocks)
        first = next(blocks, None)
        if first is None:
            raise no_rows(table.name)
        layout = lay_out(table, first, self.wanted, alone=alone)
        for other in self.layouts[:1]:
            _refuse_unlike(layout, other)
        self.layouts.append(layout)
        for block in chain((first,), blocks):
            layout.refuse_late_role(block)
            self._take(layout, self._of_measure(layout, block))

    def records(self) -> Records:
        """All rows, once it is sure that each is one score of one measure by one rater."""
        self._refuse_measures()
        roles = {"system", "item"}.union(*(layout.roles for layout in self.layouts))
        labels = {
            role: self._coders[role].labels(codes) for role, codes in self._codes.items() if role in roles
        }
        rater = labels.pop("rater", None)
        for role, column in labels.items():
            self._refuse_unnamed(role, column)
        rows = Records(values=np.concatenate(self._values), where=self._places, **labels)
        if rater is not None:
            columns = (layout.roles["rater"] for layout in self.layouts if "rater" in layout.roles)
            refuse_several_raters(rows, rater, next(columns))
        return rows

    @property
    def measure(self) -> str:
        """What the scores are called."""
        named = (layout.measure for layout in self.layouts if layout.measure is not None)
        return self._measure or next(named, "score")

    def _of_measure(self, layout: Layout, block: Block) -> Block:
        """The rows of the measure that was asked for, or else of the first one met: other rows are only counted."""
        if "measure" not in layout.roles:
            return block
        names = [as_text(cell).strip() for cell in block.column(layout.roles["measure"])]
        self._measures.update(names)
        if self._measure is None:
            self._measure = names[0]
        kept = [row for row, name in enumerate(names) if name == self._measure]
        return block if len(kept) == len(block) else block.only(kept)

    def _take(self, layout: Layout, block: Block) -> None:
        if not len(block):
            return
        copies = self._take_wide(layout, block) if layout.wide else self._take_long(layout, block)
        for role in ("item", *ABSENT):
            self._codes[role].append(np.tile(self._role(layout, block, role), copies))
        self._places.add(layout.table, block.lines, copies)

    def _take_long(self, layout: Layout, block: Block) -> int:
        self._values.append(np.stack([self._scores(layout, block, part) for part in layout.parts], axis=-1))
        self._codes["system"].append(self._role(layout, block, "system"))
        return 1

    def _take_wide(self, layout: Layout, block: Block) -> int:
        systems = layout.systems(block)
        values = [self._scores_asked_for(layout, block, system) for system in systems]
        self._values.append(np.concatenate([np.empty(0), *values])[:, np.newaxis])
        codes = np.array([self._coders["system"].code(system) for system in systems], dtype=np.int64)
        self._codes["system"].append(np.repeat(codes, len(block)))
        return len(systems)

    def _role(self, layout: Layout, block: Block, role: str) -> IntArray:
        if role not in layout.roles:
            name = layout.table.label if role == "system" else ABSENT[role]
            return np.full(len(block), self._coders[role].code(name), dtype=np.int64)
        column = layout.roles[role]
        try:
            return self._coders[role].codes(block.column(column))
        except Unfit as cell:
            raise _refusal(layout, block, column, cell) from None

    def _scores(self, layout: Layout, block: Block, column: str) -> FloatArray:
        try:
            return scores(block.column(column))
        except Unfit as cell:
            raise _refusal(layout, block, column, cell) from None

    def _scores_asked_for(self, layout: Layout, block: Block, system: str) -> FloatArray:
        """The scores of a system; a column that nobody asks about, such as the text of a prompt, need not hold any."""
        if self.wanted.asks_for(system):
            return self._scores(layout, block, system)
        try:
            return scores(block.column(system))
        except Unfit:
            return np.full(len(block), np.nan)

    def _refuse_measures(self) -> None:
        found, asked = self._measures, self.wanted.measure
        if asked is None and len(found) > 1:
            counts = ", ".join(f"{name!r} ({count} rows)" for name, count in found.most_common(8))
            more = f" and {len(found) - 8} more" if len(found) > 8 else ""
            raise ReadError(
                f"{self.layouts[0].table.name}: several measures: {counts}{more}. Pick one with --measure"
            )
        if asked is not None and found and asked not in found:
            raise ReadError(
                f"{self.layouts[0].table.name}: no measure is called {asked!r}; {nearest(asked, found)}"
            )

    def _refuse_unnamed(self, role: str, column: Labels) -> None:
        """A name that is blank, or that holds what no text holds, names nothing."""
        found = _unfit_names("".join(column.names))
        if found is None and all(column.names):
            return
        code, name = next((c, n) for c, n in enumerate(column.names) if not n or _unfit_names(n))
        place = self._places(int(np.flatnonzero(column.codes == code)[0]))
        raise ReadError(
            f"{place}: found {_unfit_names(name) or 'a blank'} for the {role}; wanted a name. Fill it in or remove the row"
        )


def _unfit_names(text: str) -> str | None:
    """What a name must not hold, if it does."""
    if "\0" in text:
        return "binary content (NUL bytes)"
    return (
        None
        if text.isascii() or _LONE_SURROGATE.search(text) is None
        else "half a character (a lone surrogate)"
    )


def _refuse_unlike(layout: Layout, other: Layout) -> None:
    """Tables that are to be one must identify their items alike and score the same measure."""
    for role in ("dataset", "cluster"):
        if (role in layout.roles) != (role in other.roles):
            has, lacks = (layout, other) if role in layout.roles else (other, layout)
            raise ReadError(
                f"{lacks.table.name}: there is no column for the {role}, and in {has.table.name} there is "
                f"({has.roles[role]!r}). Add it here, or remove it there"
            )
    if layout.measure != other.measure:
        mine, theirs = (repr(x.measure or "score") for x in (layout, other))
        raise ReadError(
            f"{layout.table.name} scores {mine} and {other.table.name} {theirs}. Rename both columns to 'score' if "
            "they are the same measure"
        )


def _refusal(layout: Layout, block: Block, column: str, cell: Unfit) -> ReadError:
    advice = cell.advice
    if layout.wide and advice == UNADVISED:
        advice = (
            f"If {column!r} is no system, drop it, give it a role (--column cluster={column}, or dataset, run, rater) or, to compare "
            "two, name the two that are with --a and --b; if each row is about one system, name its column: --column system=…"
        )
    shown = repr(cell.found)
    shown = shown if len(shown) <= 60 else f"{shown[:57]}…"
    return ReadError(
        f"{layout.table.place(block.lines[cell.row])}: found {shown} in column {column!r}; wanted {cell.wanted}. {advice}"
    )
