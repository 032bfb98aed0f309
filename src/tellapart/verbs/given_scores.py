"""Scores from any form of input: scores already read, one or several files, a data frame, or one array per system."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from inspect import signature
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from tellapart.data.array_input import sort_groups
from tellapart.data.judged_pair import JudgedScores
from tellapart.data.ratings import Ratings
from tellapart.data.rows import Labels
from tellapart.data.scores import Scores
from tellapart.data.votes import Votes
from tellapart.foundation.errors import SpellingError, TellapartError, UsageError, nearest
from tellapart.foundation.spelling import name_of, options
from tellapart.foundation.surfaces import arguments_named, option, verb
from tellapart.metrics import METRICS, Metric
from tellapart.readers import read
from tellapart.readers.tables.assembly import Read
from tellapart.readers.tables.json_object import outer_are_columns
from tellapart.verbs.judged_scores import check_judge_options, read_judged
from tellapart.verbs.judging_options import JudgingOptions

Asked = TypeVar("Asked", bound=JudgingOptions)
Answered = TypeVar("Answered")


class Frame(Protocol):
    """A table of pandas, polars, pyarrow or another library that narwhals reads."""

    @property
    def columns(self) -> Any: ...


GivenScores: TypeAlias = (
    "Scores | Ratings | Votes | str | PathLike[str] | Sequence[str | PathLike[str]] | Mapping[str, Any] | Frame"
)


class Grouping(NamedTuple):
    """The groups to compare: the values of a column, or files by their labels; and the columns of slices."""

    by: str | None = None
    labels: tuple[str, ...] = ()
    slices: tuple[str, ...] = ()


UNGROUPED = Grouping()


def on_given_scores(
    answer: Callable[[Any, Asked], Answered],
    systems: Callable[[Asked], tuple[str | None, ...]] = lambda _: (),
    grouping: Callable[[Asked], Grouping] = lambda _: UNGROUPED,
    measures: Callable[[Asked], tuple[str, ...]] = lambda _: (),
) -> Callable[[GivenScores, Asked], Answered]:
    """A verb on scores as a verb on whatever holds them; `systems` are those that a question asks about, if not about all."""

    def take(scores: GivenScores, question: Asked) -> Answered:
        try:
            judged = _labelled_and_judged(scores, question, systems(question))
            if judged is not None:
                return answer(judged, question)
            asked = question.metric, systems(question), grouping(question)
            if names := measures(question):
                return answer(_by_measure(scores, names, asked), question)
            return answer(scores_of(scores, *asked), question)
        except TellapartError as error:
            if (meant := _one_list(scores, systems(question))) is None:
                raise _said_of_reading(error, question) from None
            raise meant from error

    # No `functools.wraps`: help would show the parameters of what is wrapped, and with them fewer forms than are taken.
    take.__doc__, take.__module__ = answer.__doc__, answer.__module__
    take.__annotations__["return"] = answer.__annotations__["return"]
    return take


def _by_measure(
    given: Any, names: Sequence[str], asked: tuple[Metric | str | None, Sequence[str | None], Grouping]
) -> dict[str, Read]:
    """The scores by each measure: read again for each, or given by its name."""
    if isinstance(given, Scores):
        raise UsageError(
            f"these scores are of one measure, {given.measure!r}; give the file or frame that holds several, or scores by measure: "
            "{'accuracy': …, 'cost': …}"
        )
    if isinstance(given, Mapping) and all(isinstance(one, Scores) for one in given.values()):
        missing = next((name for name in names if name not in given), None)
        if missing is not None:
            raise UsageError(f"there are no scores of {missing!r}; {nearest(missing, list(given))}")
        return {name: given[name] for name in names}
    return {name: scores_of(given, *asked, name) for name in names}


def _labelled_and_judged(given: GivenScores, question: Any, systems: tuple[str | None, ...]) -> Any:
    """Scores of a judge and of people, where the question names these."""
    if not any(getattr(question, name, None) is not None for name in ("human", "judge", "strata")):
        return None
    check_judge_options(question)
    return judged_scores_of(given, question, systems)


def judged_scores_of(given: GivenScores, question: Any, systems: tuple[str | None, ...]) -> JudgedScores:
    """Scores of a judge and of people."""
    if isinstance(given, JudgedScores):
        return given
    if isinstance(given, Scores | Mapping) or (not isinstance(given, str) and _by_people(given)):
        raise UsageError(
            f"{option('human')} names a score of a file or a frame, and this is a {type(given).__name__} that was read already; pass the file or frame"
        )
    return read_judged(partial(read, given, systems=systems), question)


def scores_of(
    given: GivenScores,
    metric: Metric | str | None,
    systems: Sequence[str | None],
    grouping: Grouping = UNGROUPED,
    measure: str | None = None,
) -> Read:
    """The given input as scores, ratings or votes; if all systems asked about are named, rows and columns of others may hold anything."""
    if isinstance(given, Scores):
        if set(grouping.slices) <= set(given.slices) and grouping[:2] == UNGROUPED[:2]:
            return given
        return _regrouped(given, grouping)
    if not isinstance(given, str) and _by_people(given):
        return given
    if isinstance(given, Mapping):
        return _from_arrays(given, ("score",) if metric is None else named_metric(metric).parts(), grouping)
    _refuse_nameless(given)
    counting = None if metric is None else named_metric(metric)
    by, labels, slices = grouping
    return read(given, measure=measure, metric=counting, systems=systems, by=by, labels=labels, slices=slices)


def _refuse_nameless(given: Any) -> None:
    """Numbers without the name of a system; a frame has names in its columns, and a list of paths is one of texts."""
    array = hasattr(given, "__array__") and not hasattr(given, "columns")
    entries = given if isinstance(given, list | tuple) else ()
    if array or any(hasattr(one, "__array__") or isinstance(one, int | float | list | tuple) for one in entries):
        raise UsageError(
            f"found a {type(given).__name__} of numbers without system names; give an array per system: {{'base': …, 'new': …}}"
        )


def _one_list(given: Any, systems: Sequence[str | None]) -> UsageError | None:
    """The error where a second file was given in the place of a system's name."""
    if not isinstance(given, str | PathLike):  # a frame is equal to nothing, and has no truth value
        return None
    files = [name for name in systems if isinstance(name, str) and name != given and Path(name).is_file()]
    if not files:
        return None
    several = ", ".join(map(repr, (str(given), *files)))
    return UsageError(
        f"{files[0]!r} is a file, and a and b are names of systems; several files are one list: [{several}]"
    )


def _said_of_reading(error: TellapartError, question: JudgingOptions) -> TellapartError:
    """An error that advises what only `read` takes says so: a verb that is given a file or a frame has no such argument."""
    taken = signature(read).parameters.keys() - {one.name for one in options(type(question))}
    said = ", ".join(f"{name}=…" for name in arguments_named(error.message) if name in taken)
    if said:
        error.args = (f"{error.message}. Pass this to {verb('read')} instead: read(…, {said})",)
    return error


def _by_people(given: Any) -> bool:
    """Whether these are ratings or votes already."""
    return isinstance(given, Ratings | Votes)


def _regrouped(scores: Scores, grouping: Grouping) -> Scores:
    """Scores that were read know their datasets, and the groups that they were read with."""
    if grouping.slices:
        missing = next(column for column in grouping.slices if column not in scores.slices)
        raise UsageError(
            f"these scores were read without slices of {missing!r}; pass the file or frame itself, or read it with slices=({missing!r},)"
        )
    if grouping.by == "dataset" and not grouping.labels and scores.groups is None:
        return replace(scores, groups=sort_groups(Labels.of([dataset for dataset, _ in scores.items])))
    if scores.groups is not None and not grouping.labels:
        return scores
    raise UsageError(
        f"these scores were read without groups; pass the file or frame itself, read it with {option('by')} or {option('labels')}, "
        "or give Scores.from_arrays its groups"
    )


def _from_arrays(given: Mapping[str, Any], parts: tuple[str, ...], grouping: Grouping) -> Scores:
    if grouping.labels:
        raise UsageError(f"{option('labels')} is for files, one label each; for arrays use {option('by')}")
    beside = [name for name in (grouping.by, *grouping.slices) if name is not None]
    for name in beside:
        if name not in given:
            raise UsageError(f"there is no array {name!r}; {nearest(name, list(given))}")
    systems = _by_system({name: values for name, values in given.items() if name not in beside})
    groups = None if grouping.by is None else given[grouping.by]
    slices = {column: given[column] for column in grouping.slices}
    return Scores.from_arrays(systems, groups=groups, slices=slices, parts=parts)


def _by_system(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """`{item: {system: score}}` turned as in a file of it; where names and numbers of both levels leave it open the outer ones are systems."""
    if not given or not all(isinstance(one, Mapping) for one in given.values()):
        return given
    inner = dict.fromkeys(system for scores in given.values() for system in scores)
    as_text = {str(name): dict.fromkeys(map(str, scores)) for name, scores in given.items()}
    if len(given) == len(inner) or outer_are_columns("this dict", as_text):
        return given
    return {system: {item: scores[system] for item, scores in given.items() if system in scores} for system in inner}


def named_metric(metric: Metric | str) -> Metric:
    """The metric that is meant; the name of a score is none."""
    try:
        return Metric.parse(metric)
    except SpellingError as error:
        if name_of(str(metric)) in METRICS:  # an option of it is wrong, and no score was meant
            raise
        stop = "" if error.message.endswith("?") else "."
        raise SpellingError(f"{error.message}{stop} A score is picked by its name with {option('measure')}") from None
