"""Recompute published tables and set ours beside theirs."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

from tellapart.errors import ReadError, UsageError
from tellapart.progress import stepped
from tellapart.reproduce.judgement import judge
from tellapart.reproduce.published import PublishedTable, rows, selected, sources
from tellapart.reproduce.table import RECOMPUTED, Setting, beside_checkout, nothing
from tellapart.results.note import Note
from tellapart.results.reproduction import CellVerdict, DocumentResult, Reproduction, TableResult
from tellapart.verbs.signature import sign
from tellapart.verbs.workers_notes import workers_notes
from tellapart.words import tell
from tellapart.workers import Call, Runner, Work, Workers

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
    time_limit: float | str | None = None,
) -> Reproduction:
    """Every published table, or one, or those of one document, recomputed by the engines that answer users.

    What was simulated is simulated again, what has a formula or can be enumerated is computed. `data` is the folder of
    the real data that a few tables need; without them those are shown as published. `executor` is who does it, as in `plan`; whoever does, the answer
    is the same. Stopped by Ctrl-C or by the `time_limit`, it answers with the tables that it has, each of them whole, and says that it is partial.
    """
    if replicates < 100:
        raise UsageError(f"replicates={replicates} should be at least 100")
    if data is not None and not Path(data).is_dir():
        raise ReadError(f"{data}: there is no such folder of data. Check the path")
    setting = Setting(seed, replicates, beside_checkout() if data is None else Path(data))
    asked = selected(name)
    work = Work(_table, [(source.name, setting) for source in asked], count=len(asked), named=_named)
    found: list[TableResult] = []
    with (
        Runner(executor, mixed=mixed, partial=True, time_limit=time_limit) as runner,
        runner.cut_short(lambda: bool(found)),
        closing(runner.in_order(work)) as results,
    ):
        for table in stepped("recomputing tables", results, len(asked)):
            found.append(table)
            if len(found) < len(asked):
                runner.look_at_clock(lambda: bool(found))
    counts = Counter(cell.verdict for table in found for cell in table.cells)
    failures = tuple(f"{t.name}: {cell.label}" for t in found for cell in t.cells if cell.failed)
    answer = Reproduction(
        tuple(found),
        _documents(asked[: len(found)]),
        {verdict: counts[verdict] for verdict in get_args(CellVerdict)},
        failures,
        any(cell.ours is not None for table in found for cell in table.cells),
        sign(
            "reproduce",
            "as published",
            **_signed(found, asked, runner),
            tables=name,
            seed=seed,
            replicates=replicates,
        ),
        partial=runner.interrupted,
        stopped=runner.stopped,
        notes=(*_notes(found, asked, runner), *workers_notes(runner)),
    )
    return tell(answer)


def _signed(found: Sequence[TableResult], asked: Sequence[PublishedTable], runner: Runner) -> dict[str, Any]:
    """What tells a partial answer, which cannot be had again, from a whole one."""
    return {"done": f"{len(found)} of {len(asked)} tables", "partial": True} if runner.interrupted else {}


def _notes(found: Sequence[TableResult], asked: Sequence[PublishedTable], runner: Runner) -> Iterator[Note]:
    if runner.interrupted:
        code = "time_limit" if runner.stopped == "time" else "interrupted"
        yield Note(code, {"answered": len(found), "asked": len(asked)})


def _documents(asked: Sequence[PublishedTable]) -> tuple[DocumentResult, ...]:
    """The documents that these tables stand in, each with the places that are covered."""
    of = {source.document: source for source in asked}
    covers = {name: dict.fromkeys(s.where for s in asked if s.document == name) for name in of}
    return tuple(
        DocumentResult(name, of[name].citation, tuple(covers[name]), of[name].without) for name in of
    )


def _named(call: Call) -> str:
    return f"the table {call[0]}"


def _table(name: str, setting: Setting) -> TableResult:
    source = sources()[name]
    printed = rows(source.name)
    absent = setting.lacks(source.needs)
    recompute = nothing if absent else RECOMPUTED[source.name]
    ours = recompute(printed, setting)
    cells = tuple(judge(row, our, source.replicates) for row, our in zip(printed, ours, strict=True))
    return TableResult(source.name, source.words, source.title, cells, tuple(absent))
