"""Notes and fields of an answer on the files that its scores were read from."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tellapart.answers.parts import BadRow, Note
from tellapart.data.provenance import Direction, Remark
from tellapart.data.scales import refuse_two_readings, refuse_wide_margin, score_range
from tellapart.data.scores import Scores
from tellapart.foundation.errors import TellapartError
from tellapart.verbs.judging_options import JudgingOptions, sounds_lower

if TYPE_CHECKING:
    from tellapart.answers.comparison import Comparison
    from tellapart.answers.leaderboard import Leaderboard

Answered = TypeVar("Answered", "Comparison", "Leaderboard")


class AnswerPart(NamedTuple):
    """Fields of an answer on one subject, such as its sources or its datasets, with notes for the head and the end of its list."""

    fields: dict[str, Any]
    notes: tuple[Note, ...] = ()
    last: tuple[Note, ...] = ()


EMPTY = AnswerPart({})
"""The part of an answer that does not apply to its scores."""


def source_parts(scores: Scores, question: JudgingOptions, *, lower_is_better: bool) -> AnswerPart:
    """The sources, what groups the items, and which way is up and who says so; `question` is the one that was asked."""
    reading, margin = scores.reading, getattr(question, "margin", None)
    if margin is not None and isinstance(scores, Scores):
        refuse_wide_margin(scores, margin)
    effect = getattr(question, "effect", None)
    if effect is not None and isinstance(scores, Scores):
        refuse_two_readings(scores, "effect", effect)
    wide = wide_margin(scores, margin)
    if reading is None:
        return AnswerPart({}, wide + _name_sounds_lower(scores, question, lower_is_better=lower_is_better))
    fields = {"sources": reading.sources, "cluster": reading.cluster}
    if reading.plain:
        return AnswerPart(fields, wide + _name_sounds_lower(scores, question, lower_is_better=lower_is_better))
    direction = _direction(question, reading.better, scores)
    assumed = (Note("direction_assumed"),) if direction.source == "assumed" else ()
    if direction.source == "name":
        assumed = (Note("direction_by_name", {"name": scores.measure}),)
    return AnswerPart({**fields, "direction": direction}, wide, last=assumed)


def with_sources(answer: Answered, scores: Scores, question: JudgingOptions) -> Answered:
    """The answer with what it says of its sources."""
    part: AnswerPart = source_parts(scores, question, lower_is_better=answer.lower_is_better)
    return replace(answer, **part.fields, notes=(*part.notes, *answer.notes, *part.last))


def _name_sounds_lower(scores: Scores, question: JudgingOptions, *, lower_is_better: bool) -> tuple[Note, ...]:
    """Whether a name says that less is better where nothing else does: that of the scores decides, that of a system may only be a hint."""
    # Votes have no measure.
    if question.lower_is_better or question.higher_is_better or not hasattr(scores, "measure"):
        return ()
    if lower_is_better:
        return (Note("direction_by_name", {"name": scores.measure}),) if question.by_name(scores) else ()
    return tuple([Note("perhaps_lower", {"name": name}) for name in scores.systems if sounds_lower(name)][:1])


def wide_margin(scores: Any, margin: float | None) -> tuple[Note, ...]:
    """A margin above half of what scores can differ by."""
    if margin is None or not isinstance(scores, Scores) or 2.0 * margin <= (width := score_range(scores)):
        return ()
    return (Note("wide_margin", {"margin": margin, "range": width}),)


def _direction(question: JudgingOptions, said: str | None, scores: Scores) -> Direction:
    if question.lower_is_better or question.higher_is_better:
        return Direction("lower" if question.lower_is_better else "higher", "flag")
    if said is None:
        return Direction("lower", "name") if question.by_name(scores) else Direction("higher", "assumed")
    return Direction("lower" if said == "lower" else "higher", "file")


# What reading the scores left to say, as notes of the answer that is made of them.


def reading_notes(remarks: Iterable[Remark]) -> tuple[Note, ...]:
    return tuple([Note(remark.code, dict(remark.values)) for remark in remarks])


# Rows of a table of reported numbers, each made into what it is about; those that cannot be are told by
# their line.

if TYPE_CHECKING:
    from tellapart.readers.tables.reported import ReportedRow, ReportedTable

T = TypeVar("T")


def usable_rows(table: "ReportedTable", make: "Callable[[ReportedRow], T]") -> tuple[tuple[T, ...], tuple[BadRow, ...]]:
    """Rows that can be used, and the errors of the others; a bad row stops none of the others."""
    made, bad = [], [BadRow(line, problem) for line, problem in table.ragged]
    for row in table.rows:
        try:
            made.append(make(row))
        except TellapartError as error:
            bad.append(BadRow(row.line, error.message))
    return tuple(made), in_order(bad)


def in_order(bad: list[BadRow]) -> tuple[BadRow, ...]:
    return tuple(sorted(bad, key=lambda row: row.line))


def unused_columns(columns: tuple[str, ...]) -> tuple[Note, ...]:
    return (Note("columns_not_used", {"columns": list(columns)}),) if columns else ()
