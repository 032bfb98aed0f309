"""Description of files: systems, datasets, measures, grouping columns, and suggested commands."""

import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from tellapart.answers.description import (
    DescribedAxis,
    DescribedCluster,
    DescribedMean,
    DescribedMeasure,
    DescribedSource,
    DescribedSystem,
    Description,
    SkippedFiles,
)
from tellapart.answers.formats import FormatList, KnownFormat
from tellapart.data.roles import DATASETS_ELSE
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.errors import ReadError
from tellapart.foundation.files import refuse_systems
from tellapart.readers import FORMATS
from tellapart.readers.format import Format, Log, TableKind
from tellapart.readers.logs.collect import CollectedLogs, collect_logs
from tellapart.readers.logs.log_rows import AllRows, LogRows, scorable
from tellapart.readers.logs.reading import nothing_in
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.reading import with_advice
from tellapart.readers.storage.files import origins_at, paths_of
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import snake_case
from tellapart.readers.tables.values import ABSENT, FAILED, SCORED
from tellapart.verbs.describe.commands import commands_for

# Every format that can be read.


def known_formats() -> FormatList:
    """What can be read, tables first."""
    kinds = sorted((FORMATS[name] for name in FORMATS), key=lambda kind: not kind.tabular)
    return FormatList(tuple(_known(kind) for kind in kinds))


def _known(kind: type[Format]) -> KnownFormat:
    log = kind if issubclass(kind, Log) else None
    column = kind.items if issubclass(kind, TableKind) else "a column of items"
    about = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
    return KnownFormat(
        name=kind.name,
        label=kind.label,
        program="" if log is None else log.program,
        items=column if log is None else log.items,
        axes=() if log is None else tuple(axis.name for axis in log.axes),
        about=about,
    )


# The mean of every system by every measure, as its items have it.

QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The five numbers that a box plot is drawn from: least, quartiles and largest."""


def means_of(found: Sequence[LogRows]) -> tuple[DescribedMean, ...]:
    """A mean per system, dataset, measure and what varies beside; runs are averaged within an item first."""
    # Of what lists only the items that were solved, the mean would be 1 whatever the system did.
    rows = AllRows([_with_forced_axes(one) for one in found if not one.facts.solved_only])
    which = np.flatnonzero(np.concatenate([np.zeros(0), *map(_offered, rows.found)]))
    if not len(which):
        return ()
    axes = list(dict.fromkeys(axis.name for one in rows.found for axis in one.axes if axis.forced))
    columns = {name: rows.labels(name) for name in ("system", "dataset", "measure", *axes)}
    _, first, keys = np.unique(rows.codes(*columns)[which], return_index=True, return_inverse=True)
    items = rows.labels("item")
    cells, cell = np.unique(keys * len(items.names) + items.codes[which], return_inverse=True)
    means = np.bincount(cell, np.concatenate([one.values for one in rows.found])[which]) / np.bincount(cell)
    parts = np.split(means, np.searchsorted(cells // len(items.names), np.arange(1, len(first))))
    described = []
    for key in np.argsort(first).tolist():
        system, dataset, measure, *ways = (column.names[column.codes[which[first[key]]]] for column in columns.values())
        where = {name: way for name, way in zip(axes, ways, strict=True) if way}
        described.append(DescribedMean(system, dataset or None, measure, where, len(parts[key]), *_spread(parts[key])))
    return tuple(described)


def _with_forced_axes(one: LogRows) -> LogRows:
    """A file without the columns that need no choice in it, which may need one in others."""
    free = {axis.name for axis in one.axes if not axis.forced}
    return replace(
        one, texts={name: column for name, column in one.texts.items() if name not in free}, coded=dict(one.coded)
    )


def _offered(one: LogRows) -> BoolArray:
    """Scored rows of the measures that a file is about."""
    names, measures = one.labels("measure"), one.facts.measures or one.measures
    known = np.array([name in measures for name in names.names], dtype=np.bool_)
    return np.asarray((one.marks == SCORED) & known[names.codes])


def _spread(items: FloatArray) -> tuple[float, ...]:
    """The mean, and the quartiles with both ends."""
    return sum(items.tolist()) / len(items), *np.quantile(items, QUARTERS).tolist()


def describe(
    source: Any,
    *,
    format: str | None = None,  # noqa: A002  (what the caller calls it)
    columns: Mapping[str, str] = MappingProxyType({}),
    limits: Mapping[str, float | str] = MappingProxyType({}),
) -> Description:
    """What a file, several files or a folder hold; one system is enough. `columns` says which column plays a role, as in `read`.

    >>> from tellapart.verbs.describe import describe
    >>> describe("examples/answers.csv").items
    400
    """
    paths = paths_of(source) or []
    origins = origins_at(paths, Limits.of(limits))
    try:
        harvest = collect_logs(origins, LogRequest(format=format, columns=columns, survey=True))
    except ReadError as error:
        raise with_advice(error, origins) from None
    if not harvest.found:
        raise nothing_in(origins, harvest)
    harvest, columns = _counted_anew(harvest, origins, format, columns)
    refuse_systems({name for one in harvest.found for name in one.labels("system").names})
    commands = commands_for(paths, _given(format, columns, limits), origins, harvest)
    found, axes = harvest.found, _axes(harvest.found)
    _only_neutral(found)
    rows = AllRows(found)
    items = len(np.unique(rows.codes("dataset", "item")))
    systems, measures, clusters = _systems(rows), _measures(found), _clusters(found, items)
    datasets = tuple(name for name in rows.labels("dataset").names if name)
    return Description(
        sources=tuple(_source(one) for one in found),
        systems=systems,
        datasets=datasets,
        measures=measures,
        axes=axes,
        items=items,
        runs=_runs(rows),
        clusters=clusters,
        means=means_of(found),
        skipped=_skipped(harvest),
        commands=commands,
    )


def _counted_anew(
    harvest: CollectedLogs, origins: Sequence[Origin], format_: str | None, columns: Mapping[str, str]
) -> tuple[CollectedLogs, Mapping[str, str]]:
    """Where ids come twice in tables: with the column in which they are counted anew as the dataset, if there is one."""
    tables = [one for one in harvest.found if not isinstance(one.format, Log | TableKind)]
    if "dataset" in columns or not tables or _runs(AllRows(tables)) < 2:
        return harvest, columns
    named = (block.names for one in tables[:1] for block in islice(one.format.blocks(one.origin), 1))
    for column in (name for names in named for name in names if snake_case(name) in DATASETS_ELSE):
        with suppress(ReadError):
            told = {**columns, "dataset": column}
            found = collect_logs(origins, LogRequest(format=format_, columns=told, survey=True))
            if found.found and _runs(AllRows(found.found)) == 1:
                return found, told
    return harvest, columns


def _given(format_: str | None, columns: Mapping[str, str], limits: Mapping[str, float | str]) -> list[str]:
    """What was typed to read these files, and has to be typed again."""
    words = [] if format_ is None else ["--as", format_]
    words += [word for role, name in columns.items() for word in ("--column", f"{role}={name}")]
    return [*words, *(word for name, value in limits.items() for word in ("--limit", f"{name}={value}"))]


def _only_neutral(found: Sequence[LogRows]) -> None:
    """What is told of scores is told of what is taken where nothing is picked."""
    for one in found:
        for axis in one.axes:
            values = one.column(axis.name)
            if axis.neutral is not None and axis.neutral in values:
                one.only(np.array([value == axis.neutral for value in values], dtype=np.bool_))


def _source(one: LogRows) -> DescribedSource:
    counts = Counter(one.marks.tolist())
    return DescribedSource(
        file=one.origin.name,
        format=one.format.name,
        why=f"{one.format.label}: known by its content",
        systems=tuple(one.labels("system").names),
        datasets=tuple(name for name in one.labels("dataset").names if name),
        rows=len(one),
        scored=counts[SCORED],
        missing=counts[ABSENT],
        errors=counts[FAILED],
        unfinished=one.facts.because or None,
    )


def _systems(rows: AllRows) -> tuple[DescribedSystem, ...]:
    named, counts = rows.labels("system"), []
    for beside in (["file"], ["dataset", "item"]):
        _, first = np.unique(rows.codes("system", *beside), return_index=True)
        counts.append(np.bincount(named.codes[first]).tolist())
    return tuple(map(DescribedSystem, named.names, *counts))


def _runs(rows: AllRows) -> int:
    """How often an item was tried at most, by one measure in one way of one file."""
    axes = dict.fromkeys(axis.name for one in rows.found for axis in one.axes)
    codes = rows.codes("file", "system", "dataset", "item", "measure", "rater", *axes)
    return int(np.unique(codes, return_counts=True)[1].max(initial=0))


def _measures(found: Sequence[LogRows]) -> tuple[DescribedMeasure, ...]:
    names = dict.fromkeys(name for one in found for name in one.facts.measures or one.measures)
    return tuple(_measure(name, found) for name in names if any(name in one.measures for one in found))


def _measure(name: str, found: Sequence[LogRows]) -> DescribedMeasure:
    counts: Counter[int] = Counter()
    values: set[float] = set()
    better: list[Literal["higher", "lower"]] = []
    for one in found:
        counts.update(one.measures.get(name, Counter()))
        measures = one.labels("measure")
        rows = np.array([measure == name for measure in measures.names], dtype=np.bool_)[measures.codes]
        scored = one.values[rows & (one.marks == SCORED)]
        values.update(np.unique(scored)[:3].tolist())
        said = one.facts.directions.get(name) or one.facts.direction
        better.extend([said] if said is not None and rows.any() else [])
    kind: Literal["right or wrong", "number", "missing", "no scores of items"] = "number"
    if not counts[SCORED]:
        kind = "missing" if scorable(counts) else "no scores of items"
    elif values <= {0.0, 1.0}:
        kind = "right or wrong"
    primary = any(one.facts.primary == name for one in found)
    return DescribedMeasure(name, kind, better[0] if len(set(better)) == 1 else None, primary)


def _axes(found: Sequence[LogRows]) -> tuple[DescribedAxis, ...]:
    axes = {axis.name: axis for one in found for axis in one.axes}
    values = {
        name: dict.fromkeys(value for one in found if name in one.texts for value in one.column(name) if value)
        for name in axes
    }
    return tuple(
        DescribedAxis(name, tuple(met), axes[name].forced and axes[name].neutral is None and len(met) > 1)
        for name, met in values.items()
        if met
    )


def _clusters(found: Sequence[LogRows], items: int) -> tuple[DescribedCluster, ...]:
    groups: dict[str, set[str]] = {}
    for one in found:
        for key, values in one.keys.items():
            groups.setdefault(key, set()).update(values)
    declared = {one.facts.cluster for one in found} - {None}
    scores = {name for one in found for name, counts in one.measures.items() if counts[SCORED]}
    return tuple(
        DescribedCluster(key, len(values), key in declared or key.rpartition(".")[2] in declared)
        for key, values in groups.items()
        if 1 < len(values) < items and key not in scores
    )


def _skipped(harvest: CollectedLogs) -> tuple[SkippedFiles, ...]:
    return tuple(SkippedFiles(what, len(files), why, files[0]) for (what, why), files in harvest.skipped.found.items())
