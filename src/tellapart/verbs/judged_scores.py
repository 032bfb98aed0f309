"""A judge with a few human labels: options, and the reading of both scores."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellapart.data.judged_pair import BY_JUDGE, JudgedScores
from tellapart.data.pair import Missing
from tellapart.data.ratings import Ratings
from tellapart.data.roles import JUDGES
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ReadError, TellapartError, Unsuitable, UsageError
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import option
from tellapart.metrics import Metric
from tellapart.numerics.judge_regression import FEW_DIFFER, FEWEST_CLUSTERS, FEWEST_LABELS
from tellapart.readers.storage.files import keep_pipes
from tellapart.readers.tables.assembly import Read
from tellapart.readers.tables.columns import folded


@dataclass(frozen=True)
class JudgeColumns(Question):
    """Which score people gave, and which the judge."""

    human: str | None = setting(
        None,
        "The score that people gave, blank where nobody looked: the judge's score on all items is then corrected by it. A column, a measure, a "
        "pattern of columns such as *_human, or raters such as ann,ben.",
        metavar="COL",
    )
    judge: str | None = setting(
        None,
        f"With --human: the score that the judge gave on every item (default: the other score, or one called {', '.join(JUDGES)}).",
        metavar="COL",
    )


@dataclass(frozen=True)
class JudgedOptions(JudgeColumns):
    """A judge on all items with people's labels on some."""

    strata: str | None = setting(
        None,
        f"With --human: labels were drawn stratum by stratum, at random within each. A column, or {BY_JUDGE} for what the judge sees.",
        metavar=f"{BY_JUDGE}|COL",
    )


def check_judge_options(question: Any) -> None:
    """Refuse what is not answered with a judge and labels, or means nothing without."""
    check_judge_columns(question)
    if question.human is not None:
        _refuse_plain_questions(question)


def check_judge_columns(question: Any) -> None:
    """Refuse columns that mean nothing without people's scores, and names that name one score twice."""
    for name in ("judge", "strata"):
        if question.human is None and getattr(question, name, None) is not None:
            raise UsageError(
                f"{option(name)} is about a judge corrected by people's labels; name the labels with {option('human')}, or leave it out"
            )
    if question.human is None:
        return
    if question.judge is not None and folded(question.human) == folded(question.judge):
        raise UsageError(
            f"{option('human')} and {option('judge')} both name {question.human!r}; name two different scores"
        )
    if "*" in question.human and question.judge is None:
        raise UsageError(
            f"{option('human', question.human)} names a column per system; name the judge's likewise: {option('judge', '*_judge')}"
        )


def _refuse_plain_questions(question: Any) -> None:
    """Questions that are asked of plain scores alone."""
    if question.metric is not None and not Metric.parse(question.metric).linear:
        raise UsageError(f"a judge's scores are corrected as means; leave {option('metric')} out")
    options = (
        "by",
        "labels",
        "slices",
        "each",
        "measures",
        "rules",
        "anytime",
        "plan",
        "record",
        "runs_as",
        "seeds_as",
    )
    for name in options:
        if getattr(question, name, None):
            raise UsageError(
                f"{option('slice' if name == 'slices' else name)} does not work with labels and a judge; leave it "
                f"out, or compare people's scores alone: {option('measure', question.human)}"
            )
    if getattr(question, "effect", None) is not None:
        raise UsageError(
            f"the labels needed depend on the judge too; leave {option('effect')} out, and use `tellapart plan judged`"
        )
    if str(getattr(question, "test", None)) == "all":
        raise UsageError(f"one test suits labels and a judge; leave {option('test', 'all')} out")


@keep_pipes()
def read_judged(read: Callable[..., Read], question: Any) -> JudgedScores:
    """Both scores of the same files; `read` takes the measure, the columns that are scores and those of strata."""
    check_judge_columns(question)
    assert question.human is not None
    scored = (question.human, question.judge or JUDGES[0])
    try:
        human = read(measure=question.human, scored=scored)
    except ReadError:
        if (found := _by_raters(read, question)) is None:
            raise
        return found
    strata = getattr(question, "strata", None)
    slices = () if strata in {None, BY_JUDGE} else (strata,)
    if question.judge is None:
        judge = _likely_judge(read, question.human, scored, slices)
    else:
        judge = read(measure=question.judge, scored=scored, slices=slices)
    people = len(human.raters) if isinstance(human, Ratings) else 1
    return JudgedScores(_averaged_over_people(human), _averaged_over_people(judge), people)


def _by_raters(read: Callable[..., Read], question: Any) -> JudgedScores | None:
    """Scores of a table that says who rated, where judge and people are among the raters."""
    try:
        found = read(measure=None)
    except ReadError:
        return None
    people = tuple(name.strip() for name in question.human.split(","))
    known = isinstance(found, Ratings) and question.judge is not None and {question.judge, *people} <= {*found.raters}
    return judged_by_raters(found, question.judge, people) if known else None


def judged_by_raters(ratings: Ratings, judge: str, people: tuple[str, ...]) -> JudgedScores:
    """One rater as the judge, the mean of others as people's score."""
    by_people, by_judge = (
        replace(
            ratings.rows(np.isin(np.array(ratings.raters)[ratings.rater], names)).averaged(),
            measure=", ".join(names),
            remarks=(),
        )
        for names in (people, (judge,))
    )
    return JudgedScores(by_people, by_judge, len(people), raters=True)


def correctable(given: JudgedScores, names: tuple[str, str]) -> Missing | None:
    """How items that lack a score are treated where these labels are enough, but not all, to correct the judge; None elsewhere."""
    ways: tuple[Missing, ...] = ("error", "drop")
    for missing in ways:
        with suppress(TellapartError):
            pair = given.pair(*names, missing)
            judge, human = (one.b.mean(axis=(-2, -1)) - one.a.mean(axis=(-2, -1)) for one in (pair.judge, pair.human))
            enough = FEWEST_LABELS <= len(human) < len(judge) and np.ptp(judge) > 0.0
            if (clusters := pair.human.clusters) is not None:
                enough &= len(np.unique(clusters)) >= FEWEST_CLUSTERS and np.count_nonzero(human) >= FEW_DIFFER
            if enough:
                return missing
    return None


def measure_of_pattern(measure: str) -> str:
    """The name of scores; of a pattern of columns what stands beside the systems.

    >>> measure_of_pattern("*_human"), measure_of_pattern("human score: *"), measure_of_pattern("accuracy")
    ('human', 'human score', 'accuracy')
    """
    return measure.replace("*", "").strip(" _-.:/") if "*" in measure else measure


def _averaged_over_people(found: Read) -> Scores:
    """Scores of several people as their mean."""
    if isinstance(found, Ratings):
        return replace(found.averaged(), measure=measure_of_pattern(found.measure), remarks=())
    if not isinstance(found, Scores):
        raise Unsuitable(f"these are votes, and a judge is corrected by scores only; leave {option('human')} out")
    return replace(found, measure=measure_of_pattern(found.measure))


def _likely_judge(read: Callable[..., Read], human: str, scored: tuple[str, ...], slices: tuple[str, ...]) -> Read:
    """The only other score, or the one that is called like a judge's."""
    try:
        found = read(measure=None, scored=scored, slices=slices)
    except ReadError as error:
        others = [name for name in error.columns if folded(name) != folded(human)]
        likely = [name for name in others if folded(name) in JUDGES] or others
        if len(likely) != 1:
            raise ReadError(f"{error.message}. Name the judge's score: {option('judge')}") from None
        return read(measure=likely[0], scored=scored, slices=slices)
    if folded(found.measure) == folded(human):
        raise ReadError(f"no score but {human!r} was found. Name the judge's: {option('judge')}")
    return found
