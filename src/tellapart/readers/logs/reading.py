"""The way of logs: files and folders in, rows of one measure out, with what they came from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tellapart.doors import option, verb
from tellapart.errors import ReadError, UnknownSystem, nearest
from tellapart.readers.detect import barren, detect, surest
from tellapart.readers.files import Folder
from tellapart.readers.format import FORMATS, Certainty, Format
from tellapart.readers.kind import Kind
from tellapart.readers.log import Log
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.choice import choose, pick_dataset
from tellapart.readers.logs.copies import remarks_on_copies
from tellapart.readers.logs.entries import NO_FORMAT, NO_ITEMS, Skipped, files_in
from tellapart.readers.logs.found import Found, gather
from tellapart.readers.logs.kinds import of_kind, refuse_votes
from tellapart.readers.logs.members import members_of
from tellapart.readers.logs.merged import merged
from tellapart.readers.logs.runs import settle_runs
from tellapart.readers.logs.sources import better_of, remarks_on, sources_of
from tellapart.readers.logs.tables import of_table
from tellapart.readers.logs.universe import fill_universe
from tellapart.readers.naming import name_systems, stem
from tellapart.readers.origin import Origin
from tellapart.records import Records
from tellapart.remarks import Remark
from tellapart.shelf import refuse_rows
from tellapart.sources import Reading
from tellapart.wording import counted


class LogRecords(NamedTuple):
    """Rows of one measure, and how they were read."""

    rows: Records
    measure: str
    reading: Reading
    remarks: tuple[Remark, ...]


@dataclass
class Harvest:
    """All files that were met: what they hold, what was passed over, and the datasets that nobody asked for."""

    found: list[Found] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    other_datasets: dict[str, None] = field(default_factory=dict)
    alone: bool = False
    """Whether one file was named, which may then hold several systems side by side."""


def read_logs(origins: Sequence[Origin], asked: Asked) -> LogRecords:
    """The rows that are asked for, of one measure, each system and run by its name."""
    return settled(harvested(origins, asked), origins, asked)


def settled(harvest: Harvest, origins: Sequence[Origin], asked: Asked) -> LogRecords:
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
    fill_universe(found, asked)
    copies = remarks_on_copies(found)
    settle_runs(found, asked)
    found = [one for one in found if len(one)]
    _refuse_unknown(found, asked.systems)
    better = better_of(found, measure)
    rows, cluster = merged(found, measure, asked)
    created = tuple(one.facts.created for one in found if one.facts.created is not None)
    reading = Reading(sources_of(found), better, cluster, asked.errors == "zero", created, _axes(found))
    return LogRecords(rows, measure, reading, (*remarks, *copies, *remarks_on(found, reading)))


def harvested(origins: Sequence[Origin], asked: Asked) -> Harvest:
    """What all the files hold, whatever is asked for later."""
    harvest = Harvest(alone=len(origins) == 1)
    for origin, format_, named in _files(origins, asked, harvest):
        found = _found(origin, format_, asked, harvest, named=named)
        if found is not None and found.measures:
            harvest.found.append(found)
            refuse_rows(sum(map(len, harvest.found)))
        elif found is not None and named and not asked.survey:
            refuse_unfinished([found], asked)
            raise ReadError(
                f"{origin.name}: holds no items ({format_.label}). Was the evaluation finished, and scored?"
            )
        elif found is not None:
            harvest.skipped.add(*_without_items(found), origin.name)
    _label(harvest.found)
    return harvest


def _without_items(found: Found) -> tuple[str, str]:
    """What a log without items is passed over for: that it is none of a finished evaluation, where it says so."""
    what, why = NO_ITEMS
    return (what, f"{why}: {found.facts.because}") if found.facts.because else (what, why)


def _found(origin: Origin, format_: Format, asked: Asked, harvest: Harvest, *, named: bool) -> Found | None:
    """What a file holds; nothing where it is all of a dataset that nobody asks for."""
    if isinstance(format_, Kind):
        if asked.survey:
            return of_kind(origin, format_, named=named)
        refuse_votes(origin, format_)
    if not isinstance(format_, Log):
        return of_table(origin, format_, asked, alone=harvest.alone)
    opened = format_.opened(origin)
    dataset = opened.facts.dataset
    if asked.dataset is not None and dataset is not None and dataset != asked.dataset:
        harvest.other_datasets[dataset] = None
        return None
    facts = opened.facts.about(asked.measure)
    return gather(Found(origin, format_, facts, "", named), format_, opened, asked)


def _label(found: Sequence[Found]) -> None:
    """Files that say no system are called after their names."""
    unnamed = [one for one in found if one.facts.system is None and "system" not in one.texts]
    paths = [one.origin.name for one in unnamed]
    ends = [one.format.label_of(one.origin.path) for one in unnamed]
    # Two files of one folder that are called after it are told apart by their own names.
    places = Counter((str(Path(path).parent), end) for path, end in zip(paths, ends, strict=True))
    ends = [
        end if places[str(Path(one.origin.name).parent), end] == 1 else stem(one.origin.path)
        for one, end in zip(unnamed, ends, strict=True)
    ]
    for one, label in zip(unnamed, name_systems(paths, ends), strict=True):
        one.label = label


def _files(
    origins: Sequence[Origin], asked: Asked, harvest: Harvest
) -> Iterator[tuple[Origin, Format, bool]]:
    for origin in origins:
        inner: Iterable[Origin] | None = None
        known = FORMATS[asked.format]() if asked.format else None
        if isinstance(origin, Folder):
            inner = files_in(origin.name, origin.limits, harvest.skipped)
        elif origin.sight.kind == "zip":
            format_, certainty = surest(origin)
            if certainty < Certainty.CERTAIN:
                inner = members_of(origin)
            known = known or format_
        if inner is None:
            yield origin, known or detect(origin), True
            continue
        for file in inner:
            format_ = _quietly(file, asked, harvest.skipped)
            if format_ is not None:
                yield file, format_, False


def _claim(origin: Origin, asked: Asked) -> tuple[Format | None, Certainty]:
    """The format that is asked for, or the one that is surest."""
    return (FORMATS[asked.format](), Certainty.CERTAIN) if asked.format else surest(origin)


def _quietly(origin: Origin, asked: Asked, skipped: Skipped) -> Format | None:
    """The format of a file in a folder, if there is one; what cannot be read there stops nobody."""
    try:
        format_, certainty = _claim(origin, asked)
    except ReadError:
        skipped.add(*NO_FORMAT, origin.name)
        return None
    if isinstance(format_, Log) and certainty == Certainty.CERTAIN:
        return format_
    if isinstance(format_, Kind) and certainty == Certainty.CERTAIN:
        if asked.survey:
            return format_
        skipped.add("files", f"{format_.label}; {format_.way}", origin.name)
        return None
    said = barren(origin)
    skipped.add(*(NO_FORMAT if said is None else ("files without items", said)), origin.name)
    return None


def _keep_systems(found: Sequence[Found], systems: tuple[str, ...]) -> None:
    """Only rows of systems that are asked for; a name may still get an addition where two runs share it."""
    if len(systems) < 2:
        return
    known = {name for one in found for name in one.system_of_rows()}
    wanted = {
        name for name in known if name in systems or any(asked.startswith(f"{name} (") for asked in systems)
    }
    if len(wanted) < 1:
        return
    for one in found:
        one.only(np.array([name in wanted for name in one.system_of_rows()], dtype=np.bool_))


def _refuse_unknown(found: Sequence[Found], systems: tuple[str, ...]) -> None:
    known = dict.fromkeys(name for one in found for name in one.system_of_rows())
    for name in systems:
        if name not in known:
            raise UnknownSystem(f"no system is called {name!r}; {nearest(name, known)}")


def refuse_unfinished(found: Sequence[Found], asked: Asked) -> None:
    """Half an evaluation is read only by who asks for it."""
    for one in found:
        if one.facts.status in {"unfinished", "withdrawn"} and not asked.partial:
            raise ReadError(
                f"{one.origin.name}: the evaluation did not come to its end ({one.facts.because}). To read what there is of it, "
                f"pass {option('partial')}"
            )


def nothing_in(origins: Sequence[Origin], harvest: Harvest) -> ReadError:
    """Nothing was found that could be read, and what was there instead."""
    names = ", ".join(origin.name for origin in origins)
    met = "; ".join(
        f"{counted(len(files), what)}, {why} (first: {files[0]})"
        for (what, why), files in harvest.skipped.found.items()
    )
    return ReadError(f"{names}: found no items{f': {met}' if met else ''}. Pass files of scores or logs")


def _nothing_left(met: Sequence[Found], measure: str, asked: Asked) -> ReadError:
    """Each choice has rows, and together they have none."""
    chosen = [
        *([f"{option('dataset', asked.dataset)}"] if asked.dataset is not None else []),
        f"{option('measure', measure)}",
        *(option("where", f"{axis}={value}") for axis, value in asked.where.items()),
    ]
    return ReadError(
        f"{', '.join(one.origin.name for one in met[:3])}: no row is of all that was picked ({', '.join(chosen)}). {verb('describe')} says "
        "what goes together"
    )


def _axes(found: Sequence[Found]) -> dict[str, frozenset[str]]:
    """What else the rows are of, such as the filter, where only one value of it can be meant."""
    met: dict[str, frozenset[str]] = {}
    for one in found:
        for axis in (axis.name for axis in one.axes if axis.forced):
            met[axis] = met.get(axis, frozenset()) | frozenset(one.column(axis))
    return met
