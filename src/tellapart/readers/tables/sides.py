"""Baseline and candidate from two sources, one system each, even where both systems have the same name."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from tellapart.data.pairing import pair_by_text
from tellapart.data.provenance import Reading, Remark
from tellapart.data.roles import LABELS, ROLES, slice_role
from tellapart.data.rows import Labels, Provenance, Records
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import OpenScore, ReadError, UnknownSystem, UsageError, nearest
from tellapart.foundation.surfaces import option
from tellapart.readers import logs, tables
from tellapart.readers.logs.request import Errors, LogRequest, SameSystem
from tellapart.readers.logs.universe import of_both
from tellapart.readers.reading import (
    locate_all,
    on_one_scale,
    read,
    refuse_idle,
    refuse_two_names,
    tables_at,
    with_advice,
)
from tellapart.readers.storage.files import paths_of
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.assembly import Read, with_counts
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.raters import scores_or_ratings, with_remarks
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.score_columns import holds_system
from tellapart.readers.tables.table import Table

SIDES = ("baseline", "candidate")


@dataclass(frozen=True, eq=False)
class Side:
    """The rows of one source, what they are scores of, and how they were read where they are of a log."""

    rows: Records
    measure: str
    reading: Reading | None = None
    remarks: tuple[Remark, ...] = ()


def read_sides(
    baseline: Any, candidate: Any, *, systems: tuple[str | None, str | None] = (None, None), **how: Any
) -> Read:
    """Two systems, the first from one source and the second from another, which may call them by the same name.

    `how` is what `read` is told. What is counted from texts, labels or runs names a system after its file, as `read` does.
    """
    both = [paths_of(source) for source in (baseline, candidate)]
    counted = str(how.get("metric")) not in {"None", "mean"} or how.get("references") or how.get("qrels")
    _refuse_same(both, systems if not counted else (None, None))
    if counted and None in both and not how.get("qrels"):
        return counted_sides((baseline, candidate), systems, **how)
    if counted:
        return read(_one_each(both), **{name: given for name, given in how.items() if given is not None})
    refuse_idle(how.get("unretrieved", "zero"))
    return _as_they_are((baseline, candidate), systems, **how)


def _refuse_same(both: Sequence[Sequence[str] | None], systems: tuple[str | None, str | None]) -> None:
    """One file on both sides holds nothing against anything, unless two of its systems are named; standard input is read once."""
    before, after = ({path: os.path.realpath(path) for path in paths or ()} for paths in both)
    same = [path for path, place in after.items() if place in before.values()]
    if same and (None in systems or systems[0] == systems[1] or "-" in same):
        raise ReadError(
            f"{same[0]}: this file is given twice, as baseline and as candidate. Pass two files, or name two systems of it with "
            f"{option('a')} and {option('b')}"
        )


def _one_each(both: Sequence[Sequence[str] | None]) -> list[str]:
    paths = [path for paths in both for path in paths or ()]
    if [len(paths or ()) for paths in both] != [1, 1]:
        raise UsageError("texts, labels and runs are one file per side; pass one baseline and one candidate")
    return paths


def _as_they_are(  # noqa: PLR0913  (one argument per thing that a caller may know of the files)
    sources: tuple[Any, Any],
    systems: tuple[str | None, str | None],
    *,
    measure: str | None = None,
    measure_name: str | None = None,
    rescale: Mapping[str, float | str] = MappingProxyType({}),
    blank: Any = None,
    columns: Mapping[str, str] = MappingProxyType({}),
    dataset: str | None = None,
    limits: Mapping[str, float | str] = MappingProxyType({}),
    where: Mapping[str, str] = MappingProxyType({}),
    errors: Errors = "apart",
    partial: bool = False,
    universe: Any = None,
    same_system: SameSystem | None = None,
    format: str | None = None,  # noqa: A002  (as `read` calls it)
    scored: Sequence[str] = (),
    **_: Any,
) -> Read:
    asked = LogRequest(measure, dataset, where, errors, partial, universe, same_system, format, columns)
    refuse_two_names(measure, measure_name)

    def both(asked: LogRequest) -> list[Side]:
        return [
            _side(
                source, replace(asked, side=system is None), Limits.of(limits), (measure_name, scored), (system, label)
            )
            for source, system, label in zip(sources, systems, SIDES, strict=True)
        ]

    found = both(asked)
    all_items = of_both(universe, [side.rows.labels["item"].names for side in found])
    found = found if all_items is None else both(replace(asked, universe=all_items))
    refuse_unlike(*found)
    named = [system_of(*given) for given in zip(found, SIDES, systems, ("a", "b"), strict=True)]
    rows, by_text = pair_by_text(join_sides(found, named))
    scores = with_remarks(scores_or_ratings(rows, found[0].measure, ("score",)), by_text)
    readings = [side.reading for side in found if side.reading is not None]
    if readings and isinstance(scores, Scores):
        baseline, candidate = found
        remarks = (*baseline.remarks, *(one for one in candidate.remarks if one not in baseline.remarks))
        scores = replace(scores, reading=_together(readings), remarks=(*scores.remarks, *remarks))
    return on_one_scale(scores if dataset is None else scores.within(dataset), rescale, blank)


def _together(readings: Sequence[Reading]) -> Reading:
    """What the logs say of both sides; one that is silent on which way is up leaves that to the other."""
    better = {one.better for one in readings} - {None}
    if len(better) > 1:
        raise ReadError(
            "in one side's log higher scores are better, in the other's lower ones: these are two measures. Pick "
            f"one that both have with {option('measure')}"
        )
    sources = tuple(source for one in readings for source in one.sources)
    zeroed = any(one.zeroed for one in readings)
    created = tuple(when for one in readings for when in one.created)
    plain = all(one.plain for one in readings)
    return Reading(sources, next(iter(better), None), readings[0].cluster, zeroed, created, plain=plain)


def _side(
    source: Any,
    asked: LogRequest,
    limits: Limits,
    columns: tuple[str | None, Sequence[str]],
    which: tuple[str | None, str],
) -> Side:
    origins, (system, label) = locate_all(source, limits), which
    try:
        return _side_at(source, origins, asked, columns, system)
    except OpenScore as error:
        if columns[1]:  # who asks for a judge's score looks for it among these
            raise
        if system is not None:
            raise UnknownSystem(
                f"no system of the {label} is called {system!r}; {nearest(system, error.columns)}"
            ) from None
        ways = f"{error.message}. If they are systems, name one with {option('a')} or {option('b')}"
        raise OpenScore(ways, error.columns) from None
    except ReadError as error:
        raise with_advice(error, origins) from None


def _side_at(
    source: Any,
    origins: list[Origin] | None,
    asked: LogRequest,
    scores: tuple[str | None, Sequence[str]],
    system: str | None,
) -> Side:
    """The rows of a side; `scores` are the name to give a lone measure, and the columns that hold scores whatever they are called."""
    measure_name, scored = scores
    tables = tables_at(source, origins, asked)
    if tables is None:
        rows, measure, reading, remarks = logs.read_logs(origins or (), asked)
        return Side(rows, measure_name or measure, reading, remarks)
    named = frozenset(() if system is None else (system,))
    columns = dict(asked.columns)
    wanted = TableRequest(
        asked.measure, ("score",), columns, (), asked.dataset, named, measure_name=measure_name, scored=tuple(scored)
    )
    return side_of(tables, wanted)


def side_of(tables: Sequence[Table], wanted: TableRequest) -> Side:
    """What the tables of one side hold of what is wanted."""
    rows = Rows(wanted)
    for table in tables:
        first, whole = table.peek()
        # One column per system is meant by who names one of them: else a file is one system, as it is for `compare`.
        pattern = "*" in (wanted.measure or "")
        wide = len(tables) == 1 and first is not None and (pattern or holds_system(first.names, wanted.named))
        rows.take(whole, alone=wide)
    records = rows.read(rows.records())
    return Side(records, rows.measure, records.reading, rows.remarks)


def refuse_unlike(baseline: Side, candidate: Side) -> None:
    """Both must name their items alike, and be scores of the same."""
    for role in (role.name for role in LABELS if role.everywhere):
        if (role in baseline.rows.labels) != (role in candidate.rows.labels):
            has, lacks = SIDES if role in baseline.rows.labels else SIDES[::-1]
            raise ReadError(
                f"the {has} has a column for the {role} and the {lacks} has none. Add it there, or ignore it with "
                f"{option('column', f'{role}=none')}"
            )
    _refuse_other_axes(*((side.reading.axes if side.reading else {}) for side in (baseline, candidate)))
    if baseline.measure != candidate.measure:
        raise ReadError(
            f"the baseline scores {baseline.measure!r} and the candidate {candidate.measure!r}. Name one that both have with {option('measure')}"
        )


def _refuse_other_axes(baseline: Mapping[str, frozenset[str]], candidate: Mapping[str, frozenset[str]]) -> None:
    """Scores by one filter are not held against scores by another."""
    for axis in (axis for axis in baseline if axis in candidate and baseline[axis] != candidate[axis]):
        old, new = (", ".join(map(repr, sorted(side[axis]))) for side in (baseline, candidate))
        raise ReadError(
            f"the {axis} of the baseline is {old} and that of the candidate {new}. Pick what both have with {option('where', f'{axis}=…')}"
        )


@dataclass(frozen=True, eq=False)
class _SidePlaces:
    """Where the rows of two sources came from, one after the other."""

    both: tuple[Provenance, Provenance]
    first: int

    def __call__(self, row: int, /) -> str:
        return self.both[0](row) if row < self.first else self.both[1](row - self.first)

    @property
    def arrival(self) -> IntArray:
        before, after = (places.arrival for places in self.both)
        return np.concatenate([before, after + 1 + before.max(initial=-1)])


def join_sides(sides: Sequence[Side], systems: Sequence[str]) -> Records:
    """The rows of one system per side. Systems of both sides that have the same name are told apart by their side."""
    names = tuple(systems)
    if names[0] == names[1]:
        names = disambiguated_names(names[0])
    kept = [
        side.rows.only(np.flatnonzero(side.rows.system.codes == side.rows.system.names.index(system)))
        for side, system in zip(sides, systems, strict=True)
    ]
    roles = dict.fromkeys(role for rows in kept for role in rows.labels)
    labels = {role: _column(kept, role) for role in roles}
    labels["system"] = Labels(names, np.repeat([0, 1], [len(rows) for rows in kept]))
    values = np.concatenate([rows.values for rows in kept])
    return Records(values, labels, _SidePlaces((kept[0].where, kept[1].where), len(kept[0])))


def disambiguated_names(name: str) -> tuple[str, str]:
    """What a system is called in the baseline and in the candidate, where both call theirs alike.

    >>> disambiguated_names("m")
    ('m (baseline)', 'm (candidate)')
    """
    return (f"{name} ({SIDES[0]})", f"{name} ({SIDES[1]})")


def _column(sides: Sequence[Records], role: str) -> Labels:
    """The names of both, with what rows are called in a role that one of them is silent about."""
    silent = ((ROLES.get(role) or slice_role(role)).absent or "",)
    columns = [rows.labels.get(role) or Labels(silent, np.zeros(len(rows), dtype=np.int64)) for rows in sides]
    names = {name: code for code, name in enumerate(dict.fromkeys(name for one in columns for name in one.names))}
    codes = [np.array([names[name] for name in one.names], dtype=np.int64)[one.codes] for one in columns]
    return Labels(tuple(names), np.concatenate(codes))


def system_of(side: Side, label: str, wanted: str | None, flag: str) -> str:
    """The system of a side: the one that was named, or the only one."""
    met = side.rows.system.names
    if wanted is not None:
        if wanted not in met:
            raise UnknownSystem(f"no system of the {label} is called {wanted!r}; {nearest(wanted, met)}")
        return wanted
    if len(met) > 1:
        shown = ", ".join(map(repr, met[:8])) + (", …" if len(met) > 8 else "")
        raise UsageError(f"the {label} holds {len(met)} systems ({shown}); name one of them with {option(flag)}")
    return met[0]


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
    counting = tables.Counting.of(metric, references, documents, columns)
    given = counting.tables(None, {}, lambda: [_only_table(one, asked, allowed) for one in sources], allowed)
    wanted = TableRequest(measure, given.parts, dict(given.columns), (), dataset)
    found = [side_of([table], wanted) for table in given.tables]
    refuse_unlike(*found)
    named = [system_of(*side) for side in zip(found, SIDES, systems, ("a", "b"), strict=True)]
    rows, by_text = pair_by_text(join_sides(found, named))
    scores = with_remarks(scores_or_ratings(rows, found[0].measure, given.parts), by_text)
    within = scores if dataset is None else scores.within(dataset)
    return within if given.counted is None else with_counts(within, given)


def _only_table(source: Any, asked: LogRequest, limits: Limits) -> Table:
    found = tables_at(source, locate_all(source, limits), asked)
    if found is None or len(found) != 1:
        raise UsageError(
            "a metric of columns takes one frame, or one table, per side; pass one baseline and one candidate"
        )
    return found[0]
