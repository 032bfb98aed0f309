"""Published tables recomputed in their order: simulated ones block by block by all workers together, others each by one of them."""

import itertools
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import astuple, replace
from typing import Any

from tellapart.reproduce.judgement import Ours, judge
from tellapart.reproduce.published import PublishedTable, rows, sources
from tellapart.reproduce.table import RECOMPUTED, SIMULATED, Setting, nothing
from tellapart.results.reproduction import TableResult
from tellapart.workers import Call, Filed, Filing, Runner, Work
from tellapart.workers.naming import name_of

OurNumbers = tuple[Ours | None, ...]
"""Ours for every row of a table; None where there is none."""


def recomputed(
    asked: Sequence[PublishedTable], setting: Setting, runner: Runner
) -> Generator[OurNumbers, None, None]:
    for simulated, group in itertools.groupby(asked, lambda source: source.name in SIMULATED):
        tables = list(group)
        if simulated:
            here = replace(setting, runner=runner)
            yield from (numbers(source.name, here) for source in tables)
        else:
            with closing(runner.in_order(_work(tables, setting, runner))) as results:
                yield from results


def numbers(name: str, setting: Setting) -> OurNumbers:
    """What a worker is asked for."""
    recompute = nothing if setting.lacks(sources()[name].needs) else RECOMPUTED[name]
    return tuple(recompute(rows(name), setting))


def judged(source: PublishedTable, ours: OurNumbers, setting: Setting) -> TableResult:
    """Theirs beside ours."""
    printed, absent = rows(source.name), setting.lacks(source.needs)
    cells = tuple(judge(row, our, source.replicates) for row, our in zip(printed, ours, strict=True))
    return TableResult(source.name, source.words, source.title, cells, tuple(absent))


def shortened(source: PublishedTable, ours: OurNumbers, setting: Setting) -> int | None:
    """From how many simulated evaluations a table is, where these are fewer than were asked for."""
    drawn = [our.replicates for our in ours if our is not None and our.replicates is not None]
    fewer = source.name in SIMULATED and min(drawn, default=setting.replicates) < setting.replicates
    return min(drawn) if fewer else None


def _work(tables: Sequence[PublishedTable], setting: Setting, runner: Runner) -> Work[OurNumbers]:
    calls = [(source.name, setting) for source in tables]
    kept = None if runner.store is None else _filing(setting)
    return Work(numbers, calls, count=len(calls), named=_named, filing=kept)


def _filing(setting: Setting) -> Filing[OurNumbers]:
    """A table is one block: what it simulates itself takes no longer where more is asked for."""

    def filed(call: Call) -> Filed:
        needs = sources()[call[0]].needs
        data = None if not needs or setting.lacks(needs) else setting.digest(needs)
        told = {"study": call[0], "data": data, "alpha": None, "seed": setting.seed}
        return Filed(name_of("reproduce", replicates=setting.replicates, **told), 1, 0, 1)

    return Filing(filed, _written, _read)


def _written(found: OurNumbers) -> Any:
    return [None if ours is None else astuple(ours) for ours in found]


def _read(written: Any) -> OurNumbers:
    return tuple(None if ours is None else Ours(*ours) for ours in written)


def _named(call: Call) -> str:
    return f"the table {call[0]}"
