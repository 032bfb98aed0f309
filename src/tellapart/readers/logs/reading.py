"""Entry point for logs: from files and folders to the rows of one measure, with their sources and remarks."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tellapart.data.provenance import Better, Reading, Remark, Source
from tellapart.data.rows import Records
from tellapart.foundation.errors import ReadError, UnknownSystem, nearest
from tellapart.foundation.formatting import counted
from tellapart.foundation.surfaces import option, verb
from tellapart.readers.formats.tidy import BESIDE, COLUMNS, TEXT
from tellapart.readers.logs.collect import CollectedLogs, collect_logs, refuse_unfinished
from tellapart.readers.logs.combine import combine_rows, remarks_on_copies
from tellapart.readers.logs.log_rows import LogRows
from tellapart.readers.logs.repeated_runs import resolve_runs
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.logs.selection import choose, keep_where, pick_dataset
from tellapart.readers.logs.universe import fill_universe
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.values import ABSENT, FAILED, SCORED

# What every file gave, which way its measure points, and what is odd about it.


def sources_of(found: Sequence[LogRows]) -> tuple[Source, ...]:
    """A count per file, system and dataset; files that give no row are none."""
    counted: list[Source] = []
    for one in found:
        counts: dict[tuple[str, str], Counter[int]] = {}
        if not {"system", "dataset"} & one.texts.keys() and len(one):
            key = (one.facts.system or one.label, one.facts.dataset or "")
            counts[key] = Counter(dict(enumerate(np.bincount(one.marks, minlength=3).tolist())))
        if not counts:
            cells = zip(one.system_of_rows(), one.dataset_of_rows(), one.marks.tolist(), strict=True)
            for (system, dataset, mark), times in Counter(cells).items():
                counts.setdefault((system, dataset), Counter())[mark] = times
        counted.extend(
            Source(
                one.origin.name, one.format.name, system, dataset or None, sum(by.values()),
                by[SCORED], by[ABSENT], by[FAILED],
            )
            for (system, dataset), by in counts.items()
        )  # fmt: skip
    return tuple(counted)


def better_of(found: Sequence[LogRows], measure: str) -> Better | None:
    """Which scores are better, as far as the files say; two that say otherwise are refused."""
    said: dict[Better, LogRows] = {}
    for one in found:
        own = one.facts.directions.get(one.format.parse_measure(measure)[0]) or one.facts.direction
        if own is not None and len(one):
            said.setdefault(own, one)
    if len(said) > 1:
        up, down = (said[which].origin.name for which in ("higher", "lower"))
        raise ReadError(
            f"higher scores of {measure!r} are better in {up} and lower ones in {down}. Say which: "
            f"{option('higher_is_better')} or {option('lower_is_better')}"
        )
    return next(iter(said), None)


def remarks_on(found: Sequence[LogRows], reading: Reading) -> tuple[Remark, ...]:
    """Remarks on unfinished and failed samples."""
    unfinished = [one for one in found if one.facts.status in {"unfinished", "withdrawn"} and len(one)]
    failed = [
        Remark(
            "failures_as_zero" if reading.zeroed else "failures_left_out",
            {"system": source.system, "errors": source.errors, "of": source.rows},
            source.system,
        )
        for source in reading.sources
        if source.errors
    ]
    return (
        *(Remark("unfinished_source", {"file": one.origin.name, "because": one.facts.because}) for one in unfinished),
        *failed,
    )


class LogRecords(NamedTuple):
    """Rows of one measure, and how they were read."""

    rows: Records
    measure: str
    reading: Reading
    remarks: tuple[Remark, ...]


def read_logs(origins: Sequence[Origin], asked: LogRequest) -> LogRecords:
    """The rows that are asked for, of one measure, each system and run by its name."""
    return select_rows(collect_logs(origins, asked), origins, asked)


def select_rows(harvest: CollectedLogs, origins: Sequence[Origin], asked: LogRequest) -> LogRecords:
    """Of all that was met what is asked for."""
    found = harvest.found
    pick_dataset(found, asked, harvest.other_datasets)
    _keep_systems(found, asked.systems)
    found = [one for one in found if len(one) or one.measures]
    if not found:
        raise nothing_in(origins, harvest)
    met = found
    measure, remarks = choose(met, asked)
    found = [one for one in met if len(one)]
    if not found:
        raise _nothing_left(met, measure, asked)
    refuse_unfinished(found, asked)
    copies = remarks_on_copies(found)
    fill_universe(found, asked)
    resolve_runs(found, asked)
    found = [one for one in found if len(one)]
    _refuse_unknown(found, asked.systems)
    better = better_of(found, measure)
    rows, by_text, cluster = combine_rows(found, measure, asked)
    created = tuple(one.facts.created for one in found if one.facts.created is not None)
    reading = Reading(sources_of(found), better, cluster, asked.errors == "zero", created, _axis_values(found))
    return LogRecords(rows, measure, reading, (*remarks, *copies, *by_text, *remarks_on(found, reading)))


def _keep_systems(found: Sequence[LogRows], systems: tuple[str, ...]) -> None:
    """Only rows of systems that are asked for; a name may still get an addition where two runs share it."""
    if len(systems) < 2:
        return
    known = {name for one in found for name in one.system_of_rows()}
    wanted = {name for name in known if name in systems or any(asked.startswith(f"{name} (") for asked in systems)}
    if len(wanted) < 1:
        return
    for one in found:
        one.only(np.array([name in wanted for name in one.system_of_rows()], dtype=np.bool_))


def _refuse_unknown(found: Sequence[LogRows], systems: tuple[str, ...]) -> None:
    known = dict.fromkeys(name for one in found for name in one.system_of_rows()) if systems else {}
    for name in systems:
        if name not in known:
            raise UnknownSystem(f"no system is called {name!r}; {nearest(name, known)}")


def nothing_in(origins: Sequence[Origin], harvest: CollectedLogs) -> ReadError:
    """Nothing was found that could be read, and what was there instead."""
    names = ", ".join(origin.name for origin in origins)
    met = "; ".join(
        f"{counted(len(files), what)}, {why} (first: {files[0]})"
        for (what, why), files in harvest.skipped.found.items()
    )
    return ReadError(f"{names}: found no items{f': {met}' if met else ''}. Pass files of scores or logs")


def _nothing_left(met: Sequence[LogRows], measure: str, asked: LogRequest) -> ReadError:
    """Each choice has rows, and together they have none."""
    chosen = [
        *([f"{option('dataset', asked.dataset)}"] if asked.dataset is not None else []),
        f"{option('measure', measure)}",
        *(option("where", f"{axis}={value}") for axis, value in asked.where.items()),
    ]
    return ReadError(
        f"{', '.join(one.origin.name for one in met[:3])}: no row fits all that was picked ({', '.join(chosen)}). "
        f"{verb('describe')} lists what goes together"
    )


def _axis_values(found: Sequence[LogRows]) -> dict[str, frozenset[str]]:
    """Values of further axes, such as the filter, where only one value fits."""
    met: dict[str, frozenset[str]] = {}
    for one in found:
        for axis in (axis.name for axis in one.axes if axis.forced):
            met[axis] = met.get(axis, frozenset()) | frozenset(one.column(axis))
    return met


_STATUS = {SCORED: "scored", ABSENT: "missing", FAILED: "error"}


def tidy_rows(origins: Sequence[Origin], asked: LogRequest) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """The names of the columns, and the rows; of what is no score of a single item there are none."""
    return select_tidy_rows(collect_logs(origins, asked), origins, asked)


def select_tidy_rows(
    harvest: CollectedLogs, origins: Sequence[Origin], asked: LogRequest
) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """`select_rows` for logs that are read already."""
    found = harvest.found
    pick_dataset(found, asked, harvest.other_datasets)
    keep_where(found, asked.where)
    found = [one for one in found if len(one)]
    if not found:
        raise nothing_in(origins, harvest)
    refuse_unfinished(found, asked)
    fill_universe(found, asked)
    resolve_runs(found, asked)
    axes = dict.fromkeys(axis.name for one in found for axis in one.axes)
    extra = (*((TEXT,) if any(TEXT in one.texts for one in found) else ()), *axes)
    return (*COLUMNS, *BESIDE, *extra), [row for one in found for row in _rows(one, extra, asked)]


def _rows(one: LogRows, extra: tuple[str, ...], asked: LogRequest) -> Iterator[dict[str, Any]]:
    names = ("item", "measure", "run", "rater", "cluster", *extra)
    columns = {name: one.column(name) for name in names}
    systems, datasets = one.system_of_rows(), one.dataset_of_rows()
    grouped = "cluster" in one.texts
    for row in range(len(one)):
        mark = int(one.marks[row])
        if mark not in _STATUS:
            continue
        measure = columns["measure"][row]
        yield {
            "system": systems[row],
            "dataset": datasets[row],
            "item": columns["item"][row],
            "measure": measure,
            "score": float(one.values[row]) if mark == SCORED else None,
            "run": columns["run"][row],
            "cluster": columns["cluster"][row],
            "rater": columns["rater"][row],
            "status": _STATUS[mark],
            "better": one.facts.directions.get(measure) or one.facts.direction or "",
            "source": one.origin.name,
            "format": one.format.name,
            "primary": one.facts.primary or "",
            "cluster_key": (asked.role("cluster") or one.facts.about(measure).cluster or "") if grouped else "",
            **{name: columns[name][row] for name in extra},
        }
