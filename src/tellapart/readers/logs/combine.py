"""Combination of the rows of all log files into one table, with checks for copied files and group labels."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from tellapart.data.array_input import sort_groups
from tellapart.data.pairing import pair_by_text
from tellapart.data.provenance import Remark
from tellapart.data.rows import Labels, Records, unfit_name
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import ReadError, UsageError, nearest
from tellapart.foundation.surfaces import option, verb
from tellapart.readers.logs.log_rows import LogRows
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.naming import refuse_unfit_labels
from tellapart.readers.tables.raters import refuse_raters_as_groups
from tellapart.readers.tables.values import FAILED

# A file that repeats the records of another one under another name.


def remarks_on_copies(found: Sequence[LogRows]) -> tuple[Remark, ...]:
    """Refuse a copy that a folder holds; of two files that the caller named, or that are in two groups, only tell."""
    seen: dict[bytes, list[LogRows]] = {}
    remarks = []
    sums = Counter(map(_rows_and_sum, found))
    # A file of one item is like another one by chance; most are told apart by their sums.
    for one in (one for one in found if len(one) > 1 and sums[_rows_and_sum(one)] > 1):
        for other in seen.setdefault(_scores_digest(one), []):
            # What one of two groups repeats of the other may be meant: a system that was not run again.
            if (one.named and other.named) or one.facts.group != other.facts.group:
                remarks.append(Remark("equal_records", {"files": [other.origin.name, one.origin.name]}))
            elif _content_digest(one) == _content_digest(other):
                raise _same_records_error(one.origin.name, other.origin.name)
        seen[_scores_digest(one)].append(one)
    return tuple(remarks)


def _same_records_error(name: str, other: str) -> ReadError:
    if Path(name).resolve() == Path(other).resolve():
        return ReadError(f"{name}: this file is given twice, with a folder that it lies in. Pass it once")
    return ReadError(f"{name}: the same records as in {other}, under another name. Remove one of them")


def _rows_and_sum(one: LogRows) -> tuple[int, float]:
    return len(one), float(np.nansum(one.values))


def _scores_digest(one: LogRows) -> bytes:
    """A quick digest of the scores, which tells most files apart without reading them again."""
    digest = hashlib.blake2b(digest_size=16)
    order = sorted(range(len(one)), key=one.column("item").__getitem__)
    values = one.values[order]
    digest.update("\0".join(one.column("item")[i] for i in order).encode(errors="replace"))
    digest.update(values.tobytes())
    digest.update(one.marks[order].tobytes())
    return digest.digest()


def _content_digest(one: LogRows) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    with one.origin.binary() as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.digest()


@dataclass(frozen=True, eq=False)
class _Places:
    """The file and record that each row came from."""

    found: Sequence[LogRows]

    @cached_property
    def _ends(self) -> IntArray:
        return np.cumsum([len(one) for one in self.found])

    def __call__(self, row: int, /) -> str:
        file = int(np.searchsorted(self._ends, row, side="right"))
        return self.found[file].place(row - (int(self._ends[file - 1]) if file else 0))

    @property
    def arrival(self) -> IntArray:
        return np.arange(int(self._ends[-1]), dtype=np.int64)


def combine_rows(
    found: Sequence[LogRows], measure: str, asked: LogRequest
) -> tuple[Records, tuple[Remark, ...], str | None]:
    """All rows, on items that are the same questions for all systems, and the key by which these are grouped."""
    places = _Places(found)
    columns = {
        "system": _concatenate([one.system_of_rows() for one in found]),
        "item": _concatenate([one.column("item") for one in found]),
    }
    datasets = _concatenate([one.dataset_of_rows() for one in found])
    if any(datasets):
        columns["dataset"] = datasets
        _refuse_blank_dataset(found)
    for role in ("run", "seed", "rater", "cluster", "text"):
        if not asked.off(role) and any(role in one.texts for one in found):
            absent = "1" if role in {"run", "seed"} else ""
            columns[role] = _concatenate([one.column(role, absent) for one in found])
    # What the files group by themselves serves nobody where it is one group.
    if "cluster" in columns and asked.role("cluster") is None and len(set(columns["cluster"])) < 2:
        del columns["cluster"]
    for role, key in asked.sliced.items():
        columns[role] = _concatenate([one.column(role) for one in found])
        if not any(columns[role]):
            known = dict.fromkeys(name for one in found for name in (*one.said, *one.keys))
            raise ReadError(f"{found[0].origin.name}: no record has a key {key!r}; {nearest(key, list(known))}")
    groups = groups_of_rows(found, columns, asked)
    if groups is not None:
        columns["group"] = groups
    _refuse_unnamed_rows(columns, places)
    values = np.concatenate([one.values for one in found])
    if asked.errors == "zero":
        values[np.concatenate([one.marks for one in found]) == FAILED] = 0.0
    labels = {role: Labels.of(column) for role, column in columns.items()}
    if groups is not None:
        of_rows = labels["group"]
        labels["group"] = replace(of_rows, ordered=True) if asked.labels else sort_groups(of_rows)
    rows, remarks = pair_by_text(Records(values[:, np.newaxis], labels, places))
    return rows, remarks, _cluster_key(found, measure, asked) if "cluster" in columns else None


def _concatenate(columns: Sequence[list[str]]) -> list[str]:
    return [cell for column in columns for cell in column]


def _cluster_key(found: Sequence[LogRows], measure: str, asked: LogRequest) -> str | None:
    said = (one.facts.about(measure).cluster for one in found)
    return asked.role("cluster") or next((key for key in said if key), "cluster")


def _refuse_blank_dataset(found: Sequence[LogRows]) -> None:
    silent = next((one for one in found if not any(one.dataset_of_rows())), None)
    if silent is not None:
        other = next(one for one in found if any(one.dataset_of_rows()))
        raise ReadError(
            f"{silent.origin.name} names no dataset, and {other.origin.name} does ({other.dataset_of_rows()[0]!r}); items are paired "
            "by dataset and name. Name it in both, or in none"
        )


def _refuse_unnamed_rows(columns: dict[str, list[str]], places: _Places) -> None:
    for role in ("system", "item", *(["group"] if "group" in columns else [])):
        text = "".join(columns[role])
        if all(columns[role]) and text.isascii() and "\0" not in text:
            continue
        for row, name in enumerate(columns[role]):
            if not name or unfit_name(name):
                named = option("by") if role == "group" else option("column", f"{role}=…")
                raise ReadError(
                    f"{places(row)}: found {unfit_name(name) or 'a blank'} for the {role}; wanted a name. If another "
                    f"column has it, name it: {named}"
                )


def refuse_unfit_groups(asked: LogRequest, paths: int, by: str | None) -> None:
    """Labels that are no label per path, or that stand beside a key that says the group too."""
    if not asked.labels:
        return
    refuse_unfit_labels(asked.labels, paths)
    if by is not None:
        raise UsageError(
            f"{option('labels')} makes each path a group, and {option('by', by)} groups rows by a field; leave one out"
        )


def by_label(found: Sequence[LogRows]) -> list[list[LogRows]]:
    """The files of each path that has a label; all of them together where none has."""
    return [list(files) for _, files in groupby(found, key=lambda one: one.facts.group)]


def groups_of_rows(found: Sequence[LogRows], columns: Mapping[str, list[str]], asked: LogRequest) -> list[str] | None:
    """The group of every row; None without groups."""
    role = asked.grouping_role
    if role is None:
        cells = [cell for one in found for cell in one.group_of_rows()]
        return cells if any(cells) else None
    if role not in columns:
        had = ", ".join(dict.fromkeys(name for one in found for name in one.said)) or "none of its kind"
        raise ReadError(
            f"{found[0].origin.name}: no row says its {role}, so {option('by', role)} makes no groups. Group by a "
            f"key of the records ({verb('describe')} lists them), or by a field of the rows: {had}"
        )
    refuse_raters_as_groups([{"group": role, "rater": "rater"}])
    return columns[role]
