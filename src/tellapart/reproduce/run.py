"""Recompute published tables and set ours beside theirs."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from tellapart.errors import ReadError, UsageError
from tellapart.progress import stepped
from tellapart.reproduce.judgement import judge
from tellapart.reproduce.published import PublishedTable, rows, selected, sources
from tellapart.reproduce.table import RECOMPUTED, Setting, beside_checkout, nothing
from tellapart.results.reproduction import CellVerdict, DocumentResult, Reproduction, TableResult
from tellapart.verbs.signature import sign
from tellapart.words import tell
from tellapart.workers import Call, Runner, Work, Workers

REPLICATES = 10_000


def reproduce(  # noqa: PLR0913  (a door: who computes is said in two words)
    name: str | None = None,
    *,
    seed: int = 0,
    replicates: int = REPLICATES,
    data: str | Path | None = None,
    executor: Workers = None,
    mixed: bool = False,
) -> Reproduction:
    """Every published table, or one, or those of one document, recomputed by the engines that answer users.

    What was simulated is simulated again, what has a formula or can be enumerated is computed. `data` is the folder of
    the real data that a few tables need; without them those are shown as published. `executor` is who does it, as in `plan`; whoever does, the answer
    is the same.
    """
    if replicates < 100:
        raise UsageError(f"replicates={replicates} should be at least 100")
    if data is not None and not Path(data).is_dir():
        raise ReadError(f"{data}: there is no such folder of data. Check the path")
    setting = Setting(seed, replicates, beside_checkout() if data is None else Path(data))
    asked = selected(name)
    work = Work(_table, [(source.name, setting) for source in asked], count=len(asked), named=_named)
    with Runner(executor, mixed=mixed) as runner:
        found = tuple(stepped("recomputing tables", runner.in_order(work), len(asked)))
    counts = Counter(cell.verdict for table in found for cell in table.cells)
    failures = tuple(f"{t.name}: {cell.label}" for t in found for cell in t.cells if cell.failed)
    answer = Reproduction(
        found,
        _documents(asked),
        {verdict: counts[verdict] for verdict in get_args(CellVerdict)},
        failures,
        any(cell.ours is not None for table in found for cell in table.cells),
        sign("reproduce", "as published", tables=name, seed=seed, replicates=replicates),
    )
    return tell(answer)


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
