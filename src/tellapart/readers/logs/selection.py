"""Selection of one measure and one value per axis: the caller's choice, the program's main one, or an error."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.foundation.errors import DataError, ReadError, UsageError, nearest
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option
from tellapart.readers.format import Axis
from tellapart.readers.logs.log_rows import LogRows, scorable
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.tables.score_columns import correct_judge, remark_on_judge
from tellapart.readers.tables.values import UNFIT

MOST_LISTED = 20


def choose(found: Sequence[LogRows], asked: LogRequest) -> tuple[str, tuple[Remark, ...]]:
    """The measure that all rows left are of, and what a reader should know of the choice."""
    measure, where, remarks = _pick_measure(found, asked)
    for one in found:
        meant = {measure, one.format.parse_measure(measure)[0]}
        if not meant.issuperset(one.column("measure")):
            one.only(np.array([name in meant for name in one.column("measure")], dtype=np.bool_))
    _refuse_unfit(found, measure)
    remarks.extend(_pick_axes(found, {**asked.where, **where}))
    return measure, tuple(remarks)


def pick_dataset(found: Sequence[LogRows], asked: LogRequest, others: Iterable[str]) -> None:
    """Only the rows of the dataset that is asked for."""
    dataset = asked.dataset
    if dataset is None:
        return
    rows = (name for one in found for name in one.dataset_of_rows())
    known = dict.fromkeys([*others, *rows, *(name for one in found for name in sorted(one.datasets))])
    if dataset not in known:
        names = [name for name in known if name]
        raise DataError(
            f"no dataset is called {dataset!r}; {nearest(dataset, names)}"
            if names
            else f"no dataset is called {dataset!r}: these files name none. Leave {option('dataset')} out"
        )
    for one in found:
        one.only(np.array([name == dataset for name in one.dataset_of_rows()], dtype=np.bool_))
        # Where rows of all measures are at hand, those of other datasets are none to choose from.
        if asked.measure is None and len(one):
            one.recount()


def _pick_measure(found: Sequence[LogRows], asked: LogRequest) -> tuple[str, dict[str, str], list[Remark]]:
    met: dict[str, Counter[int]] = {}
    for one in found:
        for name, counts in one.measures.items():
            met.setdefault(name, Counter()).update(counts)
    if asked.measure is not None:
        measure, where, remarks = _requested_measure(found, asked.measure, met)
        return measure, where, [*remarks, *remark_on_judge(measure, met)]
    offered = {name for one in found for name in one.facts.measures or one.measures}
    met = {name: counts for name, counts in met.items() if name in offered}
    fit = [name for name, counts in met.items() if scorable(counts)]
    primary = {one.facts.primary for one in found}
    (first, *more) = primary
    if first is not None and not more and first in met:
        others = sorted(set(met) - {first})
        remark = Remark(
            "default_measure",
            {"measure": first, "others": others[:MOST_LISTED], "more": max(0, len(others) - MOST_LISTED)},
        )
        return first, {}, [remark] if others else []
    if len(fit) == 1:
        return fit[0], {}, []
    raise _open_measure(found, met)


def _requested_measure(
    found: Sequence[LogRows], asked: str, met: dict[str, Counter[int]]
) -> tuple[str, dict[str, str], list[Remark]]:
    where: dict[str, str] = {}
    measure = asked
    if asked not in met:
        measure, where = next(
            (meant for one in found if (meant := one.format.parse_measure(asked))[0] in one.measures), (asked, {})
        )
    if measure not in met:
        raise ReadError(f"{_file_names(found)}: no measure is called {asked!r}; {nearest(asked, met)}")
    return measure, where, []


def _refuse_unfit(found: Sequence[LogRows], measure: str) -> None:
    """Pairs and lists become one number over all items only; they are no scores of single items."""
    for one in found:
        bad = np.flatnonzero(one.marks == UNFIT)
        if len(bad):
            others = {name: counts for name, counts in one.measures.items() if scorable(counts) and name != measure}
            way = (
                f"Pick another with {option('measure')}: {_listed_measures(others)}"
                if others
                else "There is no other measure"
            )
            raise ReadError(
                f"{one.place(int(bad[0]))}: {measure!r} is a pair, a list or a word here, not a number. {way}"
            )


def _open_measure(found: Sequence[LogRows], met: dict[str, Counter[int]]) -> ReadError:
    if not met:
        return ReadError(f"{_file_names(found)}: found no scores")
    fit = [name for name, counts in met.items() if scorable(counts)]
    if not fit:
        return ReadError(
            f"{_file_names(found)}: holds no scores of single items, only pairs, lists or words: {_listed_measures(met)}"
        )
    ways = f"Pick one with {option('measure', fit[0])}{correct_judge(fit)}"
    return ReadError(f"{_file_names(found)}: several measures: {_listed_measures(met)}. {ways}", tuple(fit))


def _listed_measures(met: dict[str, Counter[int]]) -> str:
    shown = [f"{name!r}{'' if scorable(counts) else ' (no scores of single items)'}" for name, counts in met.items()]
    return first_of(shown, MOST_LISTED)


def _pick_axes(found: Sequence[LogRows], where: dict[str, str]) -> list[Remark]:
    axes = {axis.name: axis for one in found for axis in one.axes}
    _refuse_unknown_axes(where, axes)
    remarks: list[Remark] = []
    for axis in axes.values():
        remarks.extend(_pick_axis(found, axis, where.get(axis.name)))
    return remarks


def keep_where(found: Sequence[LogRows], where: Mapping[str, str]) -> None:
    """Only the rows that were asked for, and no choice forced."""
    axes = {axis.name: axis for one in found for axis in one.axes}
    _refuse_unknown_axes(where, axes)
    for name, value in where.items():
        _pick_axis(found, axes[name], value)


def _refuse_unknown_axes(where: Mapping[str, str], axes: Mapping[str, Axis]) -> None:
    for name in where:
        if name not in axes:
            raise UsageError(
                f"{option('where', f'{name}=…')}: no field of that name varies here;  {nearest(name, axes)}"
            )


def _pick_axis(found: Sequence[LogRows], axis: Axis, asked: str | None) -> list[Remark]:
    own = [one for one in found if axis.name in {a.name for a in one.axes}]
    values = dict.fromkeys(chain.from_iterable(one.column(axis.name) for one in own))
    if asked is not None:
        if asked not in values:
            known = [value for value in values if value]
            raise ReadError(f"{_file_names(own)}: {axis.name} is nowhere {asked!r}; {nearest(asked, known)}")
        _keep(own, axis.name, asked)
        return []
    if axis.neutral is not None and axis.neutral in values:
        _keep(own, axis.name, axis.neutral)
        others = sorted(value for value in values if value != axis.neutral)
        told = axis.forced and others
        return (
            [Remark("default_axis", {"axis": axis.name, "value": axis.neutral, "others": others[:MOST_LISTED]})]
            if told
            else []
        )
    if axis.forced and len(values) > 1:
        shown = ", ".join(map(repr, list(values)[:MOST_LISTED]))
        raise ReadError(
            f"{_file_names(own)}: several values of {axis.name}: {shown}. Pick one: {option('where', f'{axis.name}={next(iter(values))}')}"
        )
    return []


def _keep(found: Sequence[LogRows], axis: str, value: str) -> None:
    for one in found:
        cells = one.column(axis)
        if cells.count(value) < len(cells):
            one.only(np.array([cell == value for cell in cells], dtype=np.bool_))


def _file_names(found: Sequence[LogRows]) -> str:
    return first_of([one.origin.name for one in found], 3)
