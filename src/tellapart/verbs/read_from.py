"""What an answer says of the files its scores were read from."""

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tellapart.results.note import Note
from tellapart.scores import Scores
from tellapart.sources import Direction
from tellapart.verbs.judged import Judged

if TYPE_CHECKING:
    from tellapart.results.comparison import Comparison
    from tellapart.results.leaderboard import Leaderboard

Answered = TypeVar("Answered", "Comparison", "Leaderboard")


def with_sources(answer: Answered, scores: Scores, question: Judged) -> Answered:
    """The answer with its sources, which way is up and who says so, what groups the items, and notes on what was met."""
    reading = scores.reading
    if reading is None:
        return answer
    if reading.plain:
        return replace(answer, sources=reading.sources, cluster=reading.cluster)
    direction: Direction = _direction(question, reading.better)
    return replace(
        answer,
        sources=reading.sources,
        direction=direction,
        cluster=reading.cluster,
        notes=(*answer.notes, *([Note("direction_assumed")] if direction.source == "assumed" else [])),
    )


def _direction(question: Judged, said: str | None) -> Direction:
    if question.lower_is_better or question.higher_is_better:
        return Direction("lower" if question.lower_is_better else "higher", "flag")
    if said is None:
        return Direction("higher", "assumed")
    return Direction("lower" if said == "lower" else "higher", "file")
