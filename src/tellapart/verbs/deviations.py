"""Deviations of a study from its plan file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from tellapart import __version__
from tellapart.answers.arena import Arena
from tellapart.answers.comparison import Comparison
from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.parts import Note
from tellapart.answers.plan.file import Deviation, PlanCheck, PlanFile
from tellapart.data.provenance import Better
from tellapart.data.scores import Scores
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.planned_question import CHOSEN, Followed
from tellapart.verbs.rank.question import RankQuestion

_DASHED = re.compile(r"T(\d\d)-(\d\d)-(\d\d)")


@dataclass(frozen=True)
class StudyRun:
    """The study as run, in the terms of a plan file."""

    test: str | None
    """None where many tests are judged together: a plan of one has nothing to say of them."""
    alpha: float
    comparisons: int
    """As many as there are where alpha is that of all together, else one of those planned."""
    items: int
    dropped: int
    margin: float | None
    measure: str
    dataset: str | None
    direction: Better
    family: bool = False
    looks: tuple[Deviation, ...] | None = None
    """How planned looks were kept; None of a plan without, whose items are all looked at once."""
    rules: tuple[str, ...] = ()
    """Of a decision about several measures."""
    created: tuple[str, ...] = ()
    """When the files of the scores say that they were made."""


def check(followed: Followed, run: StudyRun) -> PlanCheck:
    """Every difference, those that change what may be claimed first."""
    plan = followed.plan
    found = sorted(_found(followed, run), key=lambda one: not one.matters)
    if plan.version != __version__:
        found.append(Deviation("version", plan.version, __version__, matters=False))
    # Another version of the program does not change what was planned.
    as_planned = all(one.what == "version" for one in found)
    return PlanCheck(followed.file, plan.intact, as_planned, tuple(found))


def _found(followed: Followed, run: StudyRun) -> Iterator[Deviation]:
    plan = followed.plan
    if not plan.intact:
        yield Deviation("file", plan.signature, plan.content, matters=True)
    yield from _test(followed, run)
    yield from _unlike("alpha", plan.alpha if run.family else plan.level, run.alpha)
    yield from _unlike("margin", plan.margin, run.margin)
    if plan.measure is not None:
        yield from _unlike("measure", plan.measure, run.measure)
    if plan.dataset is not None:
        yield from _unlike("dataset", plan.dataset, run.dataset)
    yield from _unlike("direction", plan.direction, run.direction)
    yield from _unlike("rules", *(", ".join(sorted(rules)) or None for rules in (plan.rules or (), run.rules)))
    if run.comparisons > plan.comparisons:
        yield Deviation("comparisons", plan.comparisons, run.comparisons, matters=True)
    yield from _items(plan, run)
    yield from _date(plan, run)


def _test(followed: Followed, run: StudyRun) -> Iterator[Deviation]:
    """Where the choice itself was planned, any test that was not named is as planned."""
    plan = followed.plan
    if run.test is None:
        return
    if plan.test == CHOSEN:
        if "test" in followed.named:
            yield Deviation("test", CHOSEN, run.test, matters=True)
    elif plan.test != run.test:
        yield Deviation("test", plan.test, run.test, matters=True)


def _date(plan: PlanFile, run: StudyRun) -> Iterator[Deviation]:
    """A log that was there before the plan: what it says may have been seen."""
    fixed = _moment(plan.made)
    earlier = [when for when in run.created if fixed and (made := _moment(when)) and made < fixed]
    if earlier:
        yield Deviation("date", plan.made, min(earlier), matters=True)


def _moment(text: str) -> datetime | None:
    """A date as ISO 8601 has it, in UTC where it names no zone; None where it is spelled otherwise.

    Names of files have dashes where a clock has colons.

    >>> _moment("2024-06-11T10-30-12.25") == _moment("2024-06-11T10:30:12.25+00:00")
    True
    """
    try:
        found = datetime.fromisoformat(_DASHED.sub(r"T\1:\2:\3", text))
    except ValueError:
        return None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _unlike(what: str, planned: object, found: object) -> Iterator[Deviation]:
    if planned != found:
        yield Deviation(what, planned, found, matters=True)


def _items(plan: PlanFile, run: StudyRun) -> Iterator[Deviation]:
    """Fewer detect less than was planned; more are no fault by themselves; dropped ones may be those that went wrong."""
    if run.looks is not None:
        yield from run.looks
    elif run.items != plan.items:
        yield Deviation("items", plan.items, run.items, matters=run.items < plan.items)
    if run.dropped:
        yield Deviation("dropped items", 0, run.dropped, matters=True)


def created(scores: Any) -> tuple[str, ...]:
    """When the files say that they were made, where the scores are of logs."""
    reading = scores.reading if isinstance(scores, Scores) else None
    return () if reading is None else reading.created


def only_dataset(scores: Any) -> str | None:
    """The dataset that all items are of, if it has a name."""
    homes = {home for home, _ in scores.items} if isinstance(scores, Scores) else {""}
    return homes.pop() or None if len(homes) == 1 else None


# A comparison beside its plan.


def comparison_beside_plan(
    answer: Comparison, scores: Scores, question: CompareQuestion, looks: tuple[Deviation, ...] | None = None
) -> Comparison:
    followed = question.followed
    assert followed is not None
    run = StudyRun(
        test=answer.test,
        alpha=answer.alpha,
        comparisons=1,
        items=answer.items,
        dropped=sum(answer.lost.values()),
        margin=followed.plan.margin if question.rules else answer.margin,
        measure=answer.measure,
        dataset=only_dataset(scores),
        created=created(scores),
        direction="lower" if answer.lower_is_better else "higher",
        looks=looks,
        rules=question.rule_texts if question.rules else (),
    )
    return replace(answer, plan=check(followed, run), notes=(*answer.notes, *peeking(followed, run)))


def peeking(followed: Followed, run: StudyRun) -> Iterator[Note]:
    """Items that are still to come: this may be one of several looks."""
    planned = followed.plan.items
    if run.looks is None and run.items + run.dropped < planned:
        yield Note("peeking", {"items": run.items, "planned": planned})


# A board beside its plan.


def board_beside_plan(answer: Leaderboard, scores: Scores, question: RankQuestion) -> Leaderboard:
    run = StudyRun(
        **_as_family(answer, question),
        items=answer.items,
        dropped=len(scores.items) - answer.items,
        measure=answer.measure,
        dataset=only_dataset(scores),
        created=created(scores),
        direction="lower" if answer.lower_is_better else "higher",
    )
    return replace(answer, plan=check(_followed(question), run))


def arena_beside_plan(answer: Arena, question: RankQuestion) -> Arena:
    """Votes are what was planned as items."""
    plan = _followed(question).plan
    family = _as_family(answer, question)
    run = StudyRun(
        **family, items=answer.votes, dropped=0, measure=plan.measure or "", dataset=plan.dataset, direction="higher"
    )
    return replace(answer, plan=check(_followed(question), run))


def _followed(question: RankQuestion) -> Followed:
    followed = question.followed
    assert followed is not None, "asked of questions with a plan"
    return followed


def _as_family(answer: Leaderboard | Arena, question: RankQuestion) -> dict[str, Any]:
    """What is the same of boards of scores and of votes: many tests, which share alpha."""
    margin = answer.margin if answer.baseline is not None else _followed(question).plan.margin
    return {"test": None, "alpha": answer.alpha, "comparisons": len(answer.pairs), "margin": margin, "family": True}
