"""What a reproduction says in words: whether published numbers hold, and what is missing to recompute some."""

from dataclasses import replace

from tellapart.doors import option
from tellapart.results.reproduction import CellResult, Reproduction, TableResult
from tellapart.wording import thousands


def told(answer: Reproduction) -> Reproduction:
    tables = tuple(map(_table, answer.tables))
    return replace(answer, headline=_headline(answer), sentence=_sentence(answer), tables=tables)


def _headline(answer: Reproduction) -> str:
    if answer.failures:
        return "published numbers differ and nobody knows why"
    if not answer.recomputed:
        return "nothing was recomputed: shown as published"
    return "every published number agrees with ours or has a known reason not to"


def _sentence(answer: Reproduction) -> str:
    counts, failed = answer.counts, len(answer.failures)
    parts = {
        "agree": counts["agrees"],
        "differ by rounding": counts["differs by rounding"],
        "differ for a known reason": counts["differs"] - failed,
        "are shown as published": counts["as published"],
        "differ and nobody knows why": failed,
    }
    said = ", ".join(f"{count} {words}" for words, count in parts.items() if count)
    where = "one table" if len(answer.tables) == 1 else f"{len(answer.tables)} tables"
    return f"{thousands(sum(counts.values()))} published numbers in {where}: {said}."


def _table(table: TableResult) -> TableResult:
    skipped = _needs(" and ".join(table.lacks)) if table.lacks else None
    cells = tuple(replace(cell, reason=skipped or _reason(cell)) for cell in table.cells)
    return replace(table, skipped=skipped, cells=cells)


def _reason(cell: CellResult) -> str:
    return cell.why or (_needs("real data") if cell.ours is None else "")


def _needs(data: str) -> str:
    return f"needs {data}: give their folder with {option('data')}"
