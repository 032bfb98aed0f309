"""Sentences about a reproduction: whether published numbers hold, and which files are missing to recompute some."""

from collections.abc import Sequence
from dataclasses import replace

from tellapart.answers.reading_texts import STOPPED, cut_short
from tellapart.answers.reproduction import CellResult, Reproduction, TableResult
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import thousands
from tellapart.foundation.surfaces import option

INSTALLED_BY = {"sacrebleu": "pip install 'tellapart[mt]'"}
"""Libraries that a table may lack, and how they come."""


NOTES: NoteTexts[Reproduction] = NoteTexts(STOPPED)


def with_texts(answer: Reproduction) -> Reproduction:
    tables, notes = tuple(map(_table_with_text, answer.tables)), NOTES.with_texts(answer, answer.notes)
    return replace(
        answer,
        headline=("partial, " if answer.partial else "") + _reproduction_headline(answer),
        sentence=_reproduction_sentence(answer) + cut_short(notes),
        tables=tables,
        notes=notes,
    )


@NOTES
def interrupted(_: Reproduction, answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    return f"interrupted: {_left_undone(answered, asked, replicates, asked_replicates)}"


@NOTES
def time_limit(_: Reproduction, answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    return f"stopped when the time was up: {_left_undone(answered, asked, replicates, asked_replicates)}"


def _left_undone(answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    said = f"{answered} of {asked} tables and figures were recomputed"
    if replicates is None:
        return f"{said}, each of them whole"
    short = f"{thousands(replicates)} of {thousands(asked_replicates)} simulated evaluations"
    return f"{said}, the last of them from {short} per number, and what agrees with it is wider for it"


def _reproduction_headline(answer: Reproduction) -> str:
    where = _table_place(answer)
    if answer.failures:
        return f"{where}: published numbers differ for no known reason"
    if not answer.recomputed:
        return f"{where}: nothing was recomputed, shown as published"
    return f"{where}: every published number agrees with ours or has a known reason not to"


def _table_place(answer: Reproduction) -> str:
    """Which tables an answer is about: one by its place, else how many of which documents."""
    if len(answer.tables) == 1:
        (document,), (table,) = answer.documents, answer.tables
        return f"{table.name} ({', '.join(document.covers)})"
    documents = ", ".join(document.name for document in answer.documents)
    return f"{len(answer.tables)} tables and figures of {documents}"


def _reproduction_sentence(answer: Reproduction) -> str:
    counts, failed = answer.counts, len(answer.failures)
    parts = {
        "agree": counts["agrees"],
        "differ by rounding": counts["differs by rounding"],
        "differ for a known reason": answer.explained,
        "are shown as published": counts["as published"],
        "differ for no known reason": failed,
    }
    said = ", ".join(f"{count} {words}" for words, count in parts.items() if count)
    where = "one table" if len(answer.tables) == 1 else f"{len(answer.tables)} tables and figures"
    return f"{thousands(answer.numbers)} published numbers in {where}: {said}.{_uncovered(answer)}"


def _uncovered(answer: Reproduction) -> str:
    """Parts of the document that are not covered; empty for a single table."""
    out = [f"{document.name}'s {document.without}" for document in answer.documents if document.without]
    return f" Not covered: {'; '.join(out)}." if out and len(answer.tables) > 1 else ""


def _table_with_text(table: TableResult) -> TableResult:
    skipped = _lacks(table.lacks) if table.lacks else None
    cells = tuple(replace(cell, reason=skipped or _reason(cell)) for cell in table.cells)
    return replace(table, skipped=skipped, cells=cells)


def _reason(cell: CellResult) -> str:
    return cell.why or (_needs("real data") if cell.ours is None else "")


def _lacks(names: Sequence[str]) -> str:
    """Missing requirements: files of real data, or a library."""
    files = [name for name in names if name not in INSTALLED_BY]
    libraries = [f"needs {name}: {INSTALLED_BY[name]}" for name in names if name in INSTALLED_BY]
    return "; ".join([*([_needs(" and ".join(files))] if files else []), *libraries])


def _needs(data: str) -> str:
    return f"needs {data}: give their folder with {option('data')}"
