"""Names of systems and groups: taken from columns or file names, or given by the caller."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from tellapart.data.rows import Labels, Records
from tellapart.foundation.errors import DataError, UnknownSystem, UsageError, nearest
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.columns import folded
from tellapart.readers.tables.table import Table

# Letters only: what follows the point of llama-3.1 is no suffix.
_SUFFIX = re.compile(r"\.[A-Za-z]{1,8}$")


def name_systems(paths: Sequence[str], stems: Sequence[str] | None = None) -> list[str]:
    """A name for each path: its stem, with as much of the folders as it takes to tell them apart.

    >>> name_systems(["runs/old.csv", "runs/new.jsonl.gz", "more/old.csv"])
    ['runs/old', 'new', 'more/old']
    """
    ends = [stem(path) for path in paths] if stems is None else stems
    names = list(ends)
    depth = 1
    while repeated := {name for name, times in Counter(names).items() if times > 1}:
        alike = [i for i, name in enumerate(names) if name in repeated]
        deeper = {i: _with_folders(paths[i], ends[i], depth) for i in alike}
        # No folder is left that could tell them apart: the whole path has to.
        if all(deeper[i] == names[i] for i in alike):
            return [paths[i] if i in deeper else name for i, name in enumerate(names)]
        names = [deeper.get(i, name) for i, name in enumerate(names)]
        depth += 1
    return names


def stem(path: str) -> str:
    """The name without .gz and without its suffix; what follows the point in `llama-3.1` is none."""
    if path == "-":
        return "stdin"
    sheet = re.search(r"\.xls[xm]#(.+)$", path, flags=re.IGNORECASE)
    if sheet:
        return sheet[1]
    name = re.sub(r"\.(gz|zst)$", "", Path(path).name, flags=re.IGNORECASE)
    return _SUFFIX.sub("", name) or name


def rename_systems(rows: Records, names: Mapping[str, str], also_met: Collection[str]) -> Records:
    """The rows with other names for some systems, old to new; a system that was left out may be named in vain."""
    if not names:
        return rows
    system = Labels(tuple(new_names(rows.system.names, names, also_met)), rows.system.codes)
    return replace(rows, labels={**rows.labels, "system": system})


def new_names(met: Sequence[str], names: Mapping[str, str], also_met: Collection[str]) -> list[str]:
    """New names of the systems found."""
    for old in names:
        if old not in met and old not in also_met:
            raise UnknownSystem(f"no system is called {old!r}, so it cannot be renamed; {nearest(old, met)}")
    called = [names.get(name, name) for name in met]
    for name, times in Counter(called).items():
        if times > 1:
            both = " and ".join(repr(old) for old, new in zip(met, called, strict=True) if new == name)
            raise DataError(f"systems {both} would both be called {name!r}; give each a name of its own")
    return called


def _with_folders(path: str, end: str, depth: int) -> str:
    folders = Path(path).absolute().parent.parts[1:]
    return "/".join([*folders[max(0, len(folders) - depth) :], end])


# Each file a group of its own, by the label that the caller gives it.


def label_groups(tables: list[Table], labels: Sequence[str]) -> list[Table]:
    """The tables, each as the group with its label; as they are where there are no labels."""
    if not labels:
        return tables
    refuse_unfit_labels(labels, len(tables))
    return [
        replace(table, facts=replace(table.facts, group=label)) for table, label in zip(tables, labels, strict=True)
    ]


def refuse_unfit_labels(labels: Sequence[str], files: int) -> None:
    """Refuse labels that are not one distinct name per file or folder."""
    if len(labels) != files:
        raise UsageError(
            f"{option('labels')} gives {amount(len(labels), 'label')} ({', '.join(labels)}) for {amount(files, 'file')}; "
            "give one per file, in their order"
        )
    for label, times in Counter(labels).items():
        if times > 1 or not label:
            found = f"{label!r} {times} times" if label else "a blank"
            raise UsageError(f"{option('labels')} holds {found}; give each file a label of its own")


def refuse_labelled_column(tables: Iterable[tuple[str, Sequence[str]]], by: str) -> None:
    """A label and a column that both say the group."""
    for source, names in tables:
        if folded(by) in map(folded, names):
            raise UsageError(f"{source} has a column {by!r}, and {option('labels')} names groups too; leave one out")
