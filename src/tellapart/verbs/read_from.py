"""What an answer says of the files its scores were read from."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from tellapart.results.note import Note
from tellapart.scores import Scores
from tellapart.sources import Direction
from tellapart.verbs.judged import Judged

if TYPE_CHECKING:
    from tellapart.results.comparison import Comparison
    from tellapart.results.leaderboard import Leaderboard

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


def with_sources(answer: Answered, scores: Scores, question: Judged) -> Answered:
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


def asking_back(answer: Answered, scores: Scores, question: Judged) -> Answered:
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


def _direction(question: Judged, said: str | None) -> Direction:
    if question.lower_is_better or question.higher_is_better:
        return Direction("lower" if question.lower_is_better else "higher", "flag")
    if said is None:
        return Direction("higher", "assumed")
    return Direction("lower" if said == "lower" else "higher", "file")
