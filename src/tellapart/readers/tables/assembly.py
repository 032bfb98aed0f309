"""Assembly of the rows of all tables into scores, ratings or votes, or an error that names the remedy."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from tellapart.data.array_input import reordered, sort_groups
from tellapart.data.pairing import pair_by_text
from tellapart.data.provenance import Remark
from tellapart.data.rows import Records
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ComesTwice, DataError, ReadError, TooFew, UsageError
from tellapart.foundation.surfaces import option, verb
from tellapart.readers import tables
from tellapart.readers.naming import new_names, rename_systems
from tellapart.readers.tables.columns import folded, winner_column
from tellapart.readers.tables.raters import refuse_raters_as_groups, scores_or_ratings, suggest_columns, with_remarks
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.table import Table, Tables

Read: TypeAlias = Any
"""`Scores`, `Ratings` or `Votes`: which of them only the file says, as `json.loads` cannot say what a text holds."""


def assemble(given: list[Table], rows: Rows, names: Mapping[str, str], *, several: bool) -> Read:
    """Scores, ratings or votes from the rows of all tables; `several` says that a table may hold several systems."""
    try:
        first, given[0] = given[0].peek()
        if first is not None and winner_column(first, rows.wanted) is not None:
            return tables.read_votes(given, rows.wanted, names)
        for table in given:
            rows.take(table, alone=len(given) == 1 or several)
        return _checked_scores(rows, names)
    except MemoryError:
        raise ReadError(f"{_sources(rows) or given[0].name}: not enough memory. Pass fewer rows or columns") from None


def with_counts(scores: Read, given: Tables) -> Read:
    """Scores that say how they were counted."""
    if not isinstance(scores, Scores):
        raise UsageError(f"{option('metric')} is for outputs of systems, and these are ratings or votes; leave it out")
    made = replace(scores, counted=given.counted, remarks=(*scores.remarks, *given.remarks))
    return made if given.expand is None else given.expand(made)


def _checked_scores(rows: Rows, names: Mapping[str, str]) -> Read:
    rows.checked()
    return with_remarks(_made(rows, names), rows.remarks)


def _made(rows: Rows, names: Mapping[str, str]) -> Read:
    table = rows.table()
    systems = () if table is None else new_names(table.rows.systems, names, rows.systems_met)
    records, remarks = (None, ()) if table is not None else _paired(rows, names)
    try:
        if table is not None:
            return table.scores(systems, rows.measure, alone=rows.wanted.alone)
        assert records is not None
        if "rater" in records.labels:
            refuse_raters_as_groups(layout.roles for layout in rows.layouts)
        found = scores_or_ratings(records, rows.measure, rows.wanted.parts, alone=rows.wanted.alone)
        return with_remarks(found, remarks)
    except TooFew as error:
        raise TooFew(f"{_sources(rows)}: {error.message}. {_second_system(rows)}. {ONE_SYSTEM}") from None
    except DataError as met:
        refusal = _told_apart(met, rows) if isinstance(met, ComesTwice) else met
        stand_ins = [layout.stand_in for layout in rows.layouts if layout.stand_in is not None]
        if not stand_ins:
            raise refusal from None
        raise ReadError(
            f"{refusal.message}. No column is called an item, so {stand_ins[0]!r} was taken. To name another: {option('column', 'item=…')}"
        ) from None


def _paired(rows: Rows, names: Mapping[str, str]) -> tuple[Records, tuple[Remark, ...]]:
    """The records with the systems as they are to be called, on items that are the same questions for all."""
    renamed = rows.read(rename_systems(_in_order(rows), names, rows.systems_met))
    return pair_by_text(renamed) if "text" in renamed.labels else (renamed, ())


def _in_order(rows: Rows) -> Records:
    """The records, with groups in their own order; files that are a group each are in that of the caller."""
    records, layout = rows.records(), rows.layouts[0]
    if "group" not in records.labels:
        return records
    groups, column = records.labels["group"], layout.roles.get("group", "")
    if column in layout.table.orders:
        groups = reordered(groups, layout.table.orders[column])
    else:
        groups = sort_groups(groups) if column else replace(groups, ordered=True)
    return replace(records, labels={**records.labels, "group": groups})


def _told_apart(error: ComesTwice, rows: Rows) -> ComesTwice:
    scored = set(map(folded, rows.wanted.scored))
    unused = dict.fromkeys(name for layout in rows.layouts for name in layout.unused if folded(name) not in scored)
    grouped = any("group" in layout.says for layout in rows.layouts)
    return suggest_columns(error, unused, rated=folded(rows.measure) == "rating", grouped=grouped)


def _sources(rows: Rows) -> str:
    return ", ".join(layout.table.name for layout in rows.layouts)


ONE_SYSTEM = f"For one system alone use {verb('score')}"


def _second_system(rows: Rows) -> str:
    layout, named = rows.layouts[0], option("column", "system=…")
    if "system" in layout.roles:
        return f"Column {layout.roles['system']!r} names the system: add the other system's rows, or pass its file too"
    if layout.wide:
        return f"Each column without a role is a system: add one, or name the system column with {named}"
    return f"No column names the system, so the file is one system: pass the other system's file too, or name the column with {named}"
