"""All that logs hold as tidy rows, in the order of files."""

from collections.abc import Iterator, Sequence
from typing import Any

from tellapart.readers.formats.tidy import BESIDE, COLUMNS
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.choice import keep_where, pick_dataset
from tellapart.readers.logs.found import Found
from tellapart.readers.logs.harvest import Harvest, harvested, refuse_unfinished
from tellapart.readers.logs.marks import ABSENT, FAILED, SCORED
from tellapart.readers.logs.reading import nothing_in
from tellapart.readers.logs.runs import settle_runs
from tellapart.readers.logs.universe import fill_universe
from tellapart.readers.storage.origin import Origin

_STATUS = {SCORED: "scored", ABSENT: "missing", FAILED: "error"}


def tidy_rows(origins: Sequence[Origin], asked: Asked) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """The names of the columns, and the rows; of what is no score of a single item there are none."""
    return tidied(harvested(origins, asked), origins, asked)


def tidied(
    harvest: Harvest, origins: Sequence[Origin], asked: Asked
) -> tuple[tuple[str, ...], list[dict[str, Any]]]:
    """The same of what was read already."""
    found = harvest.found
    pick_dataset(found, asked, harvest.other_datasets)
    keep_where(found, asked.where)
    found = [one for one in found if len(one)]
    if not found:
        raise nothing_in(origins, harvest)
    refuse_unfinished(found, asked)
    fill_universe(found, asked)
    settle_runs(found, asked)
    axes = dict.fromkeys(axis.name for one in found for axis in one.axes)
    return (*COLUMNS, *BESIDE, *axes), [row for one in found for row in _rows(one, tuple(axes), asked)]


def _rows(one: Found, axes: tuple[str, ...], asked: Asked) -> Iterator[dict[str, Any]]:
    names = ("item", "measure", "run", "rater", "cluster", *axes)
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
            "cluster_key": (asked.role("cluster") or one.facts.about(measure).cluster or "")
            if grouped
            else "",
            **{axis: columns[axis][row] for axis in axes},
        }
