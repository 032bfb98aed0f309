"""`Votes` from tables with a column that names the winner of each pairwise comparison."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import cast, get_args

import numpy as np

from tellapart.data.provenance import Reading, Source
from tellapart.data.roles import RATERS_ELSE, ROLES, SLICE, VOTE_ROLES, Role
from tellapart.data.rows import Labels, Records
from tellapart.data.votes import TIES, ClusterBy, Votes
from tellapart.foundation.arrays import BoolArray, IntArray
from tellapart.foundation.errors import ReadError, UsageError, nearest
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import TableRequest, called, find, folded, snake_case
from tellapart.readers.tables.labels import LabelColumn, as_text
from tellapart.readers.tables.places import Places
from tellapart.readers.tables.table import Block, InvalidCell, Table, no_rows

# Votes that were decided, and what each file gave of every system: votes it took part in, and those that
# nobody won.

_LOST = {"missing": "missing", "error": "errors"}
"""How a vote says that nobody judged, or that judging failed, unless a system is called so."""
_BECAME = ("scored", "missing", "errors")
"""The outcomes that a source counts."""


def drop_undecided(rows: Records, tables: Sequence[Table], of_rows: IntArray) -> Records:
    """The votes that say who won or that neither did, with how many of each file did not."""
    systems = {*rows.labels["a"].names, *rows.labels["b"].names}
    winner = rows.labels["winner"]
    lost = [_LOST.get(name.casefold(), "scored") if name not in systems else "scored" for name in winner.names]
    became = np.array([_BECAME.index(each) for each in lost], dtype=np.int64)[winner.codes]
    kept = became == 0
    if not kept.any():
        raise ReadError(f"{rows.where(0)}: no vote says who won; wanted a system or 'tie' in some of them")
    return replace(_rows_kept(rows, kept), reading=_reading(rows, tables, of_rows, became))


def _rows_kept(rows: Records, kept: BoolArray) -> Records:
    return rows if kept.all() else rows.only(np.flatnonzero(kept))


def _reading(rows: Records, tables: Sequence[Table], of_rows: IntArray, became: IntArray) -> Reading | None:
    """Each vote is a row of both its systems."""
    if not all(table.format for table in tables):
        return None
    counts: dict[tuple[int, str, str], Counter[str]] = {}
    homes = rows.labels.get("dataset", Labels(("",), np.zeros(len(rows), dtype=np.int64)))
    for role in "ab":
        column = rows.labels[role]
        sizes = (len(tables), len(column.names), len(homes.names), len(_BECAME))
        kinds = np.ravel_multi_index((of_rows, column.codes, homes.codes, became), sizes)
        met, times = np.unique(kinds, return_counts=True)
        for (table, system, home, what), count in zip(
            np.transpose(np.unravel_index(met, sizes)).tolist(), times.tolist(), strict=True
        ):
            counts.setdefault((table, column.names[system], homes.names[home]), Counter())[_BECAME[what]] += count
    found = (
        Source(
            tables[table].name, tables[table].format, system, home or None, sum(by.values()),
            by["scored"], by["missing"], by["errors"],
        )
        for (table, system, home), by in sorted(counts.items(), key=lambda item: item[0])
    )  # fmt: skip
    return Reading(tuple(found), plain=True)


# What was asked is the item; beside it an id counts the pairs that were shown.
_ASKED = ("item", "item_id", "question_id", "prompt", "prompt_id")
_ITEM = replace(ROLES["item"], columns=tuple(dict.fromkeys((*_ASKED, *ROLES["item"].columns))))
_SHARED = ("rater", "dataset", "run")
_VOTER = replace(ROLES["rater"], columns=(*ROLES["rater"].columns, *RATERS_ELSE, "voter", "voter_id"))
_KNOWN = {**VOTE_ROLES, "item": _ITEM, **{name: ROLES[name] for name in _SHARED}, "rater": _VOTER}


CLUSTERS_OF_VOTES = get_args(ClusterBy)
"""Roles by which votes may go together; elsewhere a cluster is a column."""


def read_votes(tables: Sequence[Table], wanted: TableRequest, names: Mapping[str, str]) -> Votes:
    """The votes of all tables; `names` gives systems other names, old to new."""
    cluster_by = cast("ClusterBy | None", wanted.columns.get("cluster"))
    if cluster_by in CLUSTERS_OF_VOTES:
        wanted = replace(wanted, columns={role: name for role, name in wanted.columns.items() if role != "cluster"})
    strange = [role for role in wanted.columns if role not in _KNOWN]
    if strange and strange[0].startswith(SLICE):
        raise UsageError(f"these are votes, and only scores have slices; leave {option('slice')} out")
    if strange:
        raise UsageError(
            f"these are votes, which have no column for the {strange[0]}; {option('column', 'ROLE=…')} takes {', '.join(_KNOWN)}"
        )
    if wanted.measure is not None:
        raise ReadError(f"{tables[0].name}: votes have no measures to pick from; leave {option('measure')} out")
    rows = _VoteRows(wanted)
    for table in tables:
        rows.take(table)
    named = wanted.columns.get("control", "")
    found = replace(Votes.from_records(rows.records(names)), cluster_by=cluster_by, control_name=named)
    return found if wanted.dataset is None else found.within(wanted.dataset)


def rows_where(table: Table, where: Mapping[str, str]) -> Table:
    """Only the votes with these values in their columns, such as the language English."""
    return replace(table, blocks=_blocks_where(table, where))


def _blocks_where(table: Table, where: Mapping[str, str]) -> Iterator[Block]:
    left = 0
    for block in table.blocks:
        kept = np.ones(len(block), dtype=np.bool_)
        for name, value in where.items():
            if not called(block.names, name):
                raise UsageError(
                    f"{option('where', f'{name}=…')}: votes have no column {name!r}; {nearest(name, block.names)}"
                )
            cells = block.column(find(table.name, block.names, name))
            kept &= np.array([as_text(cell).strip().casefold() == value.casefold() for cell in cells], dtype=np.bool_)
        left += int(kept.sum())
        if kept.any():
            yield block if kept.all() else block.only(np.flatnonzero(kept).tolist())
    if not left:
        shown = " ".join(option("where", f"{name}={value}") for name, value in where.items())
        raise ReadError(f"{table.name}: no vote is left with {shown}; leave it out, or correct the value")


class _VoteRows:
    """The rows of all tables so far, coded role by role."""

    def __init__(self, wanted: TableRequest) -> None:
        self._wanted = wanted
        self._places = Places()
        self._labels: dict[str, LabelColumn] = {}
        self._columns: list[str] = []
        self._vote_roles: dict[str, str] | None = None

    def take(self, table: Table) -> None:
        blocks = iter(table.blocks)
        first = next(blocks, None)
        if first is None:
            raise no_rows(table.name)
        roles = self._assigned(table, first)
        for block in chain((first,), blocks):
            for role, column in roles.items():
                self._add(table, block, role, column)
            self._places.add(table, block.lines, 1)

    def _assigned(self, table: Table, first: Block) -> dict[str, str]:
        roles = _vote_roles(table.name, first, self._wanted)
        if self._vote_roles is not None and set(roles) != set(self._vote_roles):
            other = min(set(roles) ^ set(self._vote_roles))
            raise ReadError(
                f"{table.name}: only some of the votes' files have a column for the {other}. Give it to all or to none"
            )
        self._vote_roles = roles
        self._columns += [name for name in first.names if name not in roles.values()]
        return roles

    def _add(self, table: Table, block: Block, role: str, column: str) -> None:
        try:
            self._labels.setdefault(role, LabelColumn(_KNOWN[role])).add(block.column(column))
        except InvalidCell as cell:
            raise ReadError(
                f"{table.place(block.lines[cell.row])}: found {cell.found!r} in column {column!r}; wanted {cell.wanted}. {cell.advice}"
            ) from None

    def records(self, names: Mapping[str, str]) -> Records:
        assert self._vote_roles is not None, "a table has roles"
        labels = {role: column.labels() for role, column in self._labels.items()}
        # A column that is blank throughout says as much as none.
        labels = {role: found for role, found in labels.items() if role in {"winner", "a", "b"} or found.names != ("",)}
        labels = _with_systems(labels, self._vote_roles)
        self._refuse_scores(labels)
        self._refuse_blank(labels)
        labels = {
            role: _with_new_names(found, names) if role in VOTE_ROLES else found for role, found in labels.items()
        }
        rows = Records(np.zeros((len(self._places), 1)), labels, self._places)
        return drop_undecided(rows, self._places.tables, self._places.table_of_records)

    def _refuse_blank(self, labels: Mapping[str, Labels]) -> None:
        for role in ("a", "b", "item"):
            found = labels.get(role)
            if found is not None and "" in found.names:
                row = int(np.flatnonzero(found.codes == found.names.index(""))[0])
                what = "the item" if role == "item" else "one of the systems"
                raise ReadError(
                    f"{self._places(row)}: found a blank for {what}; wanted a name. Fill it in or remove the row"
                )

    def _refuse_scores(self, labels: Mapping[str, Labels]) -> None:
        """Columns called like the systems are their scores."""
        systems = {*labels["a"].names, *labels["b"].names}
        both = [name for name in self._columns if name in systems]
        if both:
            raise ReadError(
                f"{self._places(0)}: {both[0]!r} is a system of the votes and a column of its own, which looks like "
                f"its scores; votes and scores take two files. Remove the column of winners, or that of {both[0]!r}"
            )


def _vote_roles(source: str, first: Block, wanted: TableRequest) -> dict[str, str]:
    """Role to column: as the caller says, else by the usual names; the first of a role's names that is met."""
    given = {role: find(source, first.names, column) for role, column in wanted.columns.items()}
    if "winner" not in given:
        _refuse_both(source, first)
    free = [name for name in first.names if name not in given.values()]
    usual = {role.name: _usual_column(role, free) for role in _KNOWN.values() if role.name not in given}
    found = {role: column for role, column in usual.items() if column is not None} | given
    if "winner" not in found:
        role = next(role for role, column in given.items() if folded(column) in VOTE_ROLES["winner"].columns)
        raise ReadError(
            f"{source}: column {given[role]!r} says who won and is given as the {role} too; name another column for that"
        )
    if ("a" in found) != ("b" in found):
        lacking = "b" if "a" in found else "a"
        raise ReadError(
            f"{source}: column {found['b' if lacking == 'a' else 'a']!r} names one system of each vote, and no "
            f"column names the other. Name it: {option('column', f'{lacking}=…')}"
        )
    return found


def _refuse_both(source: str, first: Block) -> None:
    """A table that names winners and, by the usual names of columns, systems with their scores."""
    winner = _usual_column(VOTE_ROLES["winner"], first.names)
    scored = {role: _usual_column(ROLES[role], first.names) for role in ("score", "system")}
    role = next((role for role, column in scored.items() if column is not None), None)
    if winner is None:
        raise ReadError(
            f"{source}: no column says the winner, but another file holds votes. Pass votes and scores in separate "
            f"commands, or name the column: {option('column', 'winner=…')}"
        )
    if role is not None:
        raise ReadError(
            f"{source}: column {winner!r} holds votes and column {scored[role]!r} scores; votes and scores take two files. Remove one of the "
            f"columns, or say which to use: {option('column', f'winner={winner}')} or {option('column', f'{role}={scored[role]}')}"
        )


def _usual_column(role: Role, names: Sequence[str]) -> str | None:
    called = {folded(name): name for name in reversed(names)} | {snake_case(name): name for name in reversed(names)}
    return next((called[name] for name in role.columns if name in called), None)


def _with_systems(labels: dict[str, Labels], roles: Mapping[str, str]) -> dict[str, Labels]:
    """The systems of each vote: as their columns say, with winners called like a column meant by name; else those that ever won."""
    if "a" not in labels:
        return labels | _two_systems(labels)
    for role in ("winner", "first"):
        if role in labels:
            labels = labels | {role: _by_name(labels, role, roles)}
    return labels


def _two_systems(labels: Mapping[str, Labels]) -> dict[str, Labels]:
    met = [name for role in ("winner", "first") if role in labels for name in labels[role].names]
    systems = sorted({name for name in met if name and name.casefold() not in TIES})
    if len(systems) != 2:
        shown = ", ".join(map(repr, systems[:8])) + (", …" if len(systems) > 8 else "")
        raise ReadError(
            f"no column names the two systems of a vote, and winners are {shown or 'ties only'}; wanted two names. Add columns 'a' "
            f"and 'b' with the two systems of each vote, or name them: {option('column', 'a=…')} and {option('column', 'b=…')}"
        )
    votes = len(labels["winner"].codes)
    return {role: Labels((name,), np.zeros(votes, dtype=np.int64)) for role, name in zip("ab", systems, strict=True)}


def _by_name(labels: Mapping[str, Labels], role: str, roles: Mapping[str, str]) -> Labels:
    """Chat arenas write `model_a` or `a` where A won: the system that its column holds in that row."""
    column, systems = labels[role], {*labels["a"].names, *labels["b"].names}
    side = {
        name: which
        for which in "ab"
        for name in column.names
        if name not in systems and folded(name) in {which, folded(roles[which])}
    }
    if not side:
        return column
    place = {
        name: code for code, name in enumerate(dict.fromkeys((*column.names, *labels["a"].names, *labels["b"].names)))
    }
    codes = column.codes.copy()
    for code, name in enumerate(column.names):
        if name in side:
            named, rows = labels[side[name]], column.codes == code
            codes[rows] = np.array([place[system] for system in named.names], dtype=np.int64)[named.codes[rows]]
    return Labels(tuple(place), codes).only(np.arange(len(codes)))


def _with_new_names(column: Labels, names: Mapping[str, str]) -> Labels:
    return Labels(tuple(names.get(name, name) for name in column.names), column.codes) if names else column
