"""What an answer says of the files its scores were read from."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tellapart.answers.parts import BadRow, Note
from tellapart.data.provenance import Direction, Remark
from tellapart.data.scores import Scores
from tellapart.foundation.errors import TellapartError
from tellapart.verbs.judging_options import JudgingOptions

if TYPE_CHECKING:
    from tellapart.answers.comparison.fields import Comparison
    from tellapart.answers.leaderboard.fields import Leaderboard

LESS_IS_BETTER = frozenset(
    [
        "latency",
        "loss",
        "error",
        "errors",
        "wer",
        "cer",
        "ter",
        "ppl",
        "perplexity",
        "nll",
        "brier",
        "rmse",
        "mse",
        "mae",
        "ms",
        "seconds",
        "secs",
        "duration",
        "runtime",
        "cost",
    ]
)
"""Words in names of scores, or of columns of them, of which less is usually better."""
WORD = re.compile(r"[a-z]+")

Answered = TypeVar("Answered", "Comparison", "Leaderboard")


def with_sources(answer: Answered, scores: Scores, question: JudgingOptions) -> Answered:
    """The answer with its sources, which way is up and who says so, what groups the items, and notes on what was met."""
    reading = scores.reading
    if reading is None:
        return asking_back(answer, scores, question)
    if reading.plain:
        sourced = replace(answer, sources=reading.sources, cluster=reading.cluster)
        return asking_back(sourced, scores, question)
    direction: Direction = _direction(question, reading.better)
    return replace(
        answer,
        sources=reading.sources,
        direction=direction,
        cluster=reading.cluster,
        notes=(*answer.notes, *([Note("direction_assumed")] if direction.source == "assumed" else [])),
    )


def asking_back(answer: Answered, scores: Scores, question: JudgingOptions) -> Answered:
    """Whether less is better, where a name sounds like that and nobody said so: the winner would be the loser."""
    # Votes come here too, and are no scores of anything.
    if answer.lower_is_better or question.higher_is_better or not hasattr(scores, "measure"):
        return answer
    names = (scores.measure, *scores.systems)
    named = next((name for name in names if not LESS_IS_BETTER.isdisjoint(WORD.findall(name.lower()))), None)
    return (
        answer
        if named is None
        else replace(answer, notes=(Note("perhaps_lower", {"name": named}), *answer.notes))
    )


def _direction(question: JudgingOptions, said: str | None) -> Direction:
    if question.lower_is_better or question.higher_is_better:
        return Direction("lower" if question.lower_is_better else "higher", "flag")
    if said is None:
        return Direction("higher", "assumed")
    return Direction("lower" if said == "lower" else "higher", "file")


# What reading the scores left to say, as notes of the answer that is made of them.


def reading_notes(remarks: Iterable[Remark]) -> tuple[Note, ...]:
    return tuple([Note(remark.code, dict(remark.values)) for remark in remarks])


# Rows of a table of reported numbers, each made into what it is about; those that cannot be are told by
# their line.

if TYPE_CHECKING:
    from tellapart.readers.tables.reported import ReportedRow, ReportedTable

T = TypeVar("T")


def usable_rows(
    table: "ReportedTable", make: "Callable[[ReportedRow], T]"
) -> tuple[tuple[T, ...], tuple[BadRow, ...]]:
    """What can be made of the rows, and the rows of which nothing can; a bad row stops none of the others."""
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
