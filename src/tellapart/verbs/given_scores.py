"""Scores in whatever form they are given: already read, as a file or files, as a frame, or as one array per system."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, TypeAlias, TypeVar

from tellapart.doors import option
from tellapart.errors import SpellingError
from tellapart.metrics import Metric
from tellapart.readers import read
from tellapart.scores import Scores
from tellapart.verbs.judged import Judged

Asked = TypeVar("Asked", bound=Judged)
Answered = TypeVar("Answered")


class Frame(Protocol):
    """A table of pandas, polars, pyarrow or another library that narwhals reads."""

    @property
    def columns(self) -> Any: ...


GivenScores: TypeAlias = (
    Scores | str | PathLike[str] | Sequence[str | PathLike[str]] | Mapping[str, Any] | Frame
)


def on_given_scores(
    answer: Callable[[Scores, Asked], Answered],
    systems: Callable[[Asked], tuple[str | None, ...]] = lambda _: (),
) -> Callable[[GivenScores, Asked], Answered]:
    """A verb on scores as a verb on whatever holds them; `systems` are those that a question asks about, if not about all."""

    def take(scores: GivenScores, question: Asked) -> Answered:
        return answer(scores_of(scores, question.metric, systems(question)), question)

    # No `functools.wraps`: help would show the parameters of what is wrapped, and with them fewer forms than are taken.
    take.__doc__, take.__module__ = answer.__doc__, answer.__module__
    take.__annotations__["return"] = answer.__annotations__["return"]
    return take


def scores_of(given: GivenScores, metric: Metric | str | None, systems: Sequence[str | None]) -> Scores:
    """What is given, as scores; where all the systems asked about are named, rows and columns of others may hold anything."""
    if isinstance(given, Scores):
        return given
    parts = ("score",) if metric is None else parts_of(metric)
    if isinstance(given, Mapping):
        return Scores.from_arrays(given, parts=parts)
    return read(given, parts=parts, systems=systems)


def parts_of(metric: Metric | str) -> tuple[str, ...]:
    """What a score is made of where it becomes one number by this metric."""
    try:
        return Metric.parse(metric).parts()
    except SpellingError as error:
        stop = "" if error.message.endswith("?") else "."
        raise SpellingError(
            f"{error.message}{stop} A score is picked by its name with {option('measure')}"
        ) from None
