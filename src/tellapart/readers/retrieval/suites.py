"""Retrieval runs on several datasets, matched with their judgements and systems by file and folder names."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tellapart.data.provenance import Reading
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, ReadError
from tellapart.foundation.formatting import first_of
from tellapart.readers.formats.trec_run import is_judgements, is_run
from tellapart.readers.logs.folders import Skipped, files_in
from tellapart.readers.naming import stem
from tellapart.readers.storage.files import Folder
from tellapart.readers.storage.origin import Origin

SPLITS = ("test", "dev", "validation", "train")
"""Of several files of judgements of one dataset the first of these is meant."""
_UNSAID = frozenset(("", "qrels", "qrel", "judgements", "judgments", *SPLITS))
"""Names of judgement files and folders that name no dataset."""
_OF_QRELS = re.compile(r"(^|[._-])qrels?([._-]|$)", re.IGNORECASE)


class RunFile(NamedTuple):
    """A run, the dataset that it is on, and the system whose it is."""

    dataset: str
    system: str
    origin: Origin


def judgements_at(origins: Sequence[Origin]) -> dict[str, Origin]:
    """Files of judgements by dataset, which their names or folders say; a single file is of no named one."""
    if len(origins) == 1 and not isinstance(origins[0], Folder):
        return {"": origins[0]}
    found: dict[str, Origin] = {}
    for origin in origins:
        own = _in_folder(origin) if isinstance(origin, Folder) else {_OF_QRELS.sub("", stem(origin.name)): origin}
        for dataset in own.keys() & found.keys():
            raise ReadError(
                f"{found[dataset].name} and {own[dataset].name} would both be the judgements of {dataset!r}. Pass one of them, or name each "
                "after its dataset"
            )
        found |= own
    return found


def _in_folder(origin: Folder) -> dict[str, Origin]:
    found: dict[str, list[tuple[str, Origin]]] = {}
    for file in files_in(origin.name, origin.limits, Skipped()):
        if is_judgements(file):
            split, dataset = _said_by(file, origin)
            found.setdefault(dataset, []).append((split, file))
    if not found:
        raise ReadError(f"{origin.name}: found no relevance judgements. Pass their file or folder")
    return {dataset: _of_one_split(files) for dataset, files in sorted(found.items())}


def _said_by(file: Origin, folder: Origin) -> tuple[str, str]:
    """The split and the dataset that the name of a file and its folders say."""
    name = _OF_QRELS.sub("", stem(file.name))
    parts = Path(file.name).relative_to(folder.name).parent.parts
    said = [one for one in (name, *reversed(parts)) if one.casefold() not in _UNSAID]
    return name.casefold(), said[0] if said else ""


def _of_one_split(files: Sequence[tuple[str, Origin]]) -> Origin:
    order = {split: place for place, split in enumerate(SPLITS)}
    return min(files, key=lambda one: order.get(one[0], -1))[1]


def runs_at(origins: Sequence[Origin], datasets: Sequence[str]) -> list[RunFile]:
    """Every run below these paths, with the dataset and the system that its path says."""
    return [
        _run_file(file, origin, datasets)
        for origin in origins
        for file in (files_in(origin.name, origin.limits, Skipped()) if isinstance(origin, Folder) else (origin,))
        if not isinstance(origin, Folder) or is_run(file)
    ]


def _run_file(file: Origin, origin: Origin, datasets: Sequence[str]) -> RunFile:
    """By a folder that is called like a dataset, by the name of the file, or by a part of that name."""
    inside = isinstance(origin, Folder)
    name = stem(file.name)
    folders = Path(file.name).relative_to(origin.name).parent.parts if inside else ()
    if tuple(datasets) == ("",):
        return RunFile("", "/".join((*folders, name)) if inside else origin.label, file)
    by_folder = next((one for one in datasets if one in folders), None)
    if by_folder is not None:
        return RunFile(by_folder, "/".join((*(one for one in folders if one != by_folder), name)), file)
    if name in datasets:
        return RunFile(name, "/".join(folders) or origin.label, file)
    for dataset in sorted(datasets, key=len, reverse=True):
        within = re.search(rf"(^|[._-]){re.escape(dataset)}([._-]|$)", name)
        if dataset and within:
            return RunFile(dataset, f"{name[: within.start()]}{name[within.end() :]}" or origin.label, file)
    if len(datasets) == 1:
        return RunFile(datasets[0], "/".join((*folders, name)) if inside else origin.label, file)
    raise ReadError(
        f"{file.name}: which judgements belong to this run? There are some for {first_of(list(datasets), 5)}: name "
        "the run's folder or file after one of these"
    )


def by_dataset(files: Sequence[RunFile], names: Mapping[str, str]) -> dict[str, dict[str, Origin]]:
    """The runs of each dataset by system, as these are to be called."""
    found: dict[str, dict[str, Origin]] = {}
    for one in files:
        runs, system = found.setdefault(one.dataset, {}), names.get(one.system, one.system)
        if system in runs:
            raise DataError(
                f"{runs[system].name} and {one.origin.name} would both be called {system!r}; give each a name of its own"
            )
        runs[system] = one.origin
    return dict(sorted(found.items()))


def joined(parts: Mapping[str, Scores]) -> Scores:
    """The scores on all datasets in one table; a system without a run on a dataset has no score there."""
    first = next(iter(parts.values()))
    systems = tuple(dict.fromkeys(system for part in parts.values() for system in part.systems))
    items = [(dataset, query) for dataset, part in parts.items() for _, query in part.items]
    values = np.full((len(systems), len(items), 1, 1), np.nan)
    start = 0
    for part in parts.values():
        rows = [systems.index(system) for system in part.systems]
        values[rows, start : start + len(part.items)] = part.values
        start += len(part.items)
    sources = tuple(
        replace(one, dataset=dataset or None)
        for dataset, part in parts.items()
        if part.reading is not None
        for one in part.reading.sources
    )
    return replace(
        first,
        systems=systems,
        items=tuple(items),
        values=values,
        remarks=tuple(remark for part in parts.values() for remark in part.remarks),
        reading=Reading(sources, plain=True),
    )
