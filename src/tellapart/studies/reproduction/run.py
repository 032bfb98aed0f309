"""The reproduction run: published tables recomputed, with a verdict for each printed number."""

import itertools
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any, get_args

from tellapart.answers.parts import Note
from tellapart.answers.reproduction import CellVerdict, DocumentResult, Reproduction, TableResult
from tellapart.answers.texts import add_text
from tellapart.compute import BlockKey, CachePolicy, Call, Runner, Work, Workers
from tellapart.compute.cache_key import study_name
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.progress import with_progress
from tellapart.studies.reproduction.published import PublishedTable, rows, selected, sources
from tellapart.studies.reproduction.table import RECOMPUTED, SIMULATED, Ours, Setting, beside_checkout, judge, nothing
from tellapart.verbs.signature import sign
from tellapart.verbs.work_options import open_store
from tellapart.verbs.workers import workers_notes

# Published tables recomputed in their order: simulated ones block by block by all workers together, others
# each by one of them.

OurNumbers = tuple[Ours | None, ...]
"""Ours for every row of a table; None where there is none."""


def recomputed(asked: Sequence[PublishedTable], setting: Setting, runner: Runner) -> Generator[OurNumbers, None, None]:
    for simulated, group in itertools.groupby(asked, lambda source: source.name in SIMULATED):
        tables = list(group)
        if simulated:
            here = replace(setting, runner=runner)
            yield from (numbers(source.name, here) for source in tables)
        else:
            with closing(runner.in_order(_work(tables, setting, runner))) as results:
                yield from results


def numbers(name: str, setting: Setting) -> OurNumbers:
    """The numbers of one table, as a worker computes them."""
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
    kept = None if runner.store is None else _table_cache_policy(setting)
    return Work(numbers, calls, count=len(calls), named=_table_words, cache=kept)


def _table_cache_policy(setting: Setting) -> CachePolicy[OurNumbers]:
    """A table is one block: what it simulates itself takes no longer where more is asked for."""

    def filed(call: Call) -> BlockKey:
        needs = sources()[call[0]].needs
        data = None if not needs or setting.lacks(needs) else setting.digest(needs)
        told = {"study": call[0], "data": data, "alpha": None, "seed": setting.seed}
        return BlockKey(study_name("reproduce", replicates=setting.replicates, **told), 1, 0, 1)

    return CachePolicy(filed, _stored_numbers, _read_numbers)


def _stored_numbers(found: OurNumbers) -> Any:
    return [None if ours is None else astuple(ours) for ours in found]


def _read_numbers(written: Any) -> OurNumbers:
    return tuple(None if ours is None else Ours(*ours) for ours in written)


def _table_words(call: Call) -> str:
    return f"the table {call[0]}"


REPLICATES = 10_000
"""Of each simulated number: the standard error of a power is half a percentage point at most."""


def reproduce(  # noqa: PLR0913  (a door: who computes is said in two words)
    name: str | None = None,
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
    data: str | Path | None = None,
    executor: Workers = None,
    mixed: bool = False,
    store: str | Path | None = None,
    time_limit: float | str | None = None,
) -> Reproduction:
    """Every published table, or one, or those of one document, recomputed by the engines that answer users.

    What was simulated is simulated again, what has a formula or can be enumerated is computed. `data` is the folder of
    the real data that a few tables need; without them those are shown as published. `executor` is who does it, as in `plan`; whoever does, the answer
    is the same. `store` is a file in which finished blocks are kept: asked again, only what it lacks is computed. Stopped by Ctrl-C or by the
    `time_limit`, it answers with the tables that it has, the last of them from fewer simulated evaluations, and says that it is partial.
    """
    if replicates < 100:
        raise UsageError(f"replicates={replicates} should be at least 100")
    if data is not None and not Path(data).is_dir():
        raise ReadError(f"{data}: there is no such folder of data. Check the path")
    setting = Setting(seed, replicates, beside_checkout() if data is None else Path(data))
    asked = selected(name)
    found: list[TableResult] = []
    with (
        open_store(store, mixed=mixed) as kept,
        Runner(executor, mixed=mixed, partial=True, store=kept, time_limit=time_limit) as runner,
    ):
        short = _take_in_tables(found, asked, setting, runner)
    done = {"answered": len(found), "asked": len(asked), "replicates": short, "asked_replicates": replicates}
    signature = sign(
        "reproduce",
        "as published",
        **_reproduction_signature(found, asked, runner),
        tables=name,
        seed=seed,
        replicates=replicates,
    )
    return add_text(
        replace(
            _reproduction_answer(found, asked, signature),
            partial=runner.interrupted,
            stopped=runner.stopped,
            notes=(*_reproduction_notes(runner, done), *workers_notes(runner)),
        )
    )


def _reproduction_answer(found: Sequence[TableResult], asked: Sequence[PublishedTable], signature: str) -> Reproduction:
    counts = Counter(cell.verdict for table in found for cell in table.cells)
    return Reproduction(
        tuple(found),
        _documents(asked[: len(found)]),
        {verdict: counts[verdict] for verdict in get_args(CellVerdict)},
        tuple(f"{t.name}: {cell.label}" for t in found for cell in t.cells if cell.failed),
        any(cell.ours is not None for table in found for cell in table.cells),
        signature,
    )


def _take_in_tables(
    found: list[TableResult], asked: Sequence[PublishedTable], setting: Setting, runner: Runner
) -> int | None:
    """Table after table; one that was being simulated when the work was stopped is the last, and from how many evaluations is given back."""
    with runner.cut_short(lambda: bool(found)), closing(recomputed(asked, setting, runner)) as results:
        for source, ours in zip(asked, with_progress("recomputing tables", results, len(asked)), strict=False):
            found.append(judged(source, ours, setting))
            if runner.interrupted:
                return shortened(source, ours, setting)
            if len(found) < len(asked):
                runner.look_at_clock(lambda: bool(found))
    return None


def _reproduction_signature(
    found: Sequence[TableResult], asked: Sequence[PublishedTable], runner: Runner
) -> dict[str, Any]:
    """Marks a partial answer, which cannot be reproduced, in its signature."""
    return {"done": f"{len(found)} of {len(asked)} tables", "partial": True} if runner.interrupted else {}


def _reproduction_notes(runner: Runner, done: dict[str, int | None]) -> Iterator[Note]:
    if runner.interrupted:
        yield Note("time_limit" if runner.stopped == "time" else "interrupted", done)


def _documents(asked: Sequence[PublishedTable]) -> tuple[DocumentResult, ...]:
    """The documents that these tables stand in, each with the places that are covered."""
    of = {source.document: source for source in asked}
    covers = {name: dict.fromkeys(s.where for s in asked if s.document == name) for name in of}
    return tuple(DocumentResult(name, of[name].citation, tuple(covers[name]), of[name].without) for name in of)
