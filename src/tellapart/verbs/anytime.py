"""Anytime-valid comparisons: options and checks of sequential tests by betting, on items in order of arrival."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Any, TypeVar

import numpy as np

from tellapart.answers.plan.file import PlanFile
from tellapart.data.rows import show_item
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray
from tellapart.foundation.errors import DataError, ReadError, Unsuitable, UsageError
from tellapart.foundation.files import text_of
from tellapart.foundation.formatting import amount
from tellapart.foundation.spelling import Question, Range, setting
from tellapart.foundation.surfaces import option, verb
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.betting import Betting
from tellapart.metrics import Metric
from tellapart.populations import Population

UNIT = "0:1"
"""The default range of scores."""
FEWEST_SORTED = 7
"""Items whose names rise by chance once in 5,040 orders."""


@dataclass(frozen=True)
class AnytimeOptions(Question):
    """Whether the answer holds at every moment, and about which items."""

    anytime: bool = setting(
        default=False,
        help="Valid at whatever moment one looks and stops: bets on the items in the order of their rows, in place of a test that looks once.",
    )
    of: int | None = setting(
        None,
        "With --anytime: the items of a benchmark that is run in random order; the claim is about these items alone, and certain when all were run.",
        range=Range(least=2),
        metavar="N",
    )
    range: str | None = setting(
        None, f"With --anytime: the lowest and highest possible score (default: {UNIT}).", metavar="L:H"
    )
    item_order: str | None = setting(
        None,
        "With --anytime: the items in the random order they are run in, one a line; only its complete beginning counts.",
        metavar="FILE",
    )


Asked = TypeVar("Asked", bound=Any)


@dataclass(frozen=True, eq=False)
class AtAnyTime:
    """The scores in order of arrival, with the question that has bets for its test."""

    scores: Scores
    question: Any
    waiting: int
    """Items that both systems completed before an earlier one of the order."""
    sorted_by: str = ""
    """What the rows are sorted by, where they look sorted and no order was given."""
    untuned: bool = False
    """Whether an effect was given that says nothing of the spread, by which bets could suit it."""


def refuse_alone(question: AnytimeOptions) -> None:
    """Options that mean nothing without bets."""
    for name in ("of", "range", "item_order"):
        if getattr(question, name) is not None and not question.anytime:
            raise UsageError(f"{option(name)} only works with {option('anytime')}; add that, or leave it out")


def at_any_time(scores: Scores, names: tuple[str, str], metric: Metric, question: Any) -> AtAnyTime:
    """Bets as the test, with the largest difference and the benchmark that the question names."""
    _refuse(scores, metric, question)
    waiting, order = 0, question.item_order
    if order is not None:
        scores, waiting = _in_order(scores, names, listed_items(order))
    low, high = score_limits(question.range)
    _check_range(scores, names, low, high, given=question.range is not None)
    both = int((scores.scored(names[0]) & scores.scored(names[1])).sum())
    if question.of is not None and both > question.of:
        raise UsageError(
            f"{amount(both, 'item')} were scored, more than {option('of', str(question.of))} says there are; raise that number"
        )
    named = Betting() if question.test is None else Procedure.parse(question.test)
    followed = question.followed
    stake = getattr(named, "stake", None) if followed is None else stake_of_plan(followed.plan, high - low)
    test = named.replace(width=high - low, benchmark=question.of, stake=stake)
    settled = {"interval": None, "effect": None, "plan": None}
    left = {name: value for name, value in settled.items() if hasattr(question, name)}
    untuned = getattr(question, "effect", None) is not None and stake is None
    sorted_by = "" if order is not None else _sorted_by(scores)
    return AtAnyTime(scores, replace(question, test=test, **left), waiting, sorted_by, untuned)


def stake_of_plan(plan: PlanFile, width: float) -> float:
    """The share of the capital that grows fastest if the effect and the spread are as the plan supposed."""
    population = Population.parse(plan.population).with_effect(plan.effect)
    chances = population.discordant_probabilities()
    spread = population.sd_difference if chances is None else math.sqrt(sum(chances))
    if spread is None or spread == 0.0:
        raise Unsuitable(
            f"the plan does not say how differences spread ({plan.population}), by which bets could suit its effect; leave {option('plan')} out"
        )
    return min(float(f"{abs(plan.effect) * width / spread**2:.6g}"), 1.0)


def _sorted_by(scores: Scores) -> str:
    """Dataset by dataset, or by rising names of items; arrays whose items have no names say nothing."""
    arrived = range(len(scores.items)) if scores.arrival is None else np.argsort(scores.arrival, kind="stable").tolist()
    homes = [home for home, _ in groupby(scores.items[place][0] for place in arrived)]
    if len(homes) == len(set(homes)) > 1:
        return "dataset"
    names = (scores.items[place][1] for place in arrived)
    if len(arrived) < FEWEST_SORTED or (scores.reading is None and scores.items[0][1].isdigit()):
        return ""
    return "name" if all(one < other for one, other in pairwise(map(_in_numbers, names))) else ""


def _in_numbers(name: str) -> list[tuple[float, str]]:
    """The parts of a name, so that q9 comes before q10."""
    return [(float(part), "") if part.isdecimal() else (np.inf, part) for part in re.split(r"(\d+)", name)]


def _refuse(scores: Scores, metric: Metric, question: Any) -> None:
    """Refuse questions that bets cannot answer, with the way out."""
    instead = f"leave {option('anytime')} out and test once, when all planned items are there"
    planned = f"or plan when to look ({verb('plan')} with {option('looks', '5')})"
    for name in ("test", "interval"):
        method = getattr(question, name, None)
        if method is not None and str(method).partition("(")[0] != "betting":
            raise UsageError(
                f"{option(name, str(method))} is valid for one look only, and {option('anytime')} uses bets; leave one of them out"
            )
    if scores.seed_runs is not None:
        raise Unsuitable(
            f"bets cannot account for several trainings of a system; pass {option('seeds_as', 'fixed')}, or {instead}"
        )
    if scores.groups is not None:
        raise Unsuitable(f"changes between groups cannot be tested at any moment; {instead}")
    if getattr(question, "each", None) is not None:
        raise Unsuitable(f"single datasets cannot be tested at any moment; leave {option('each')} out, or {instead}")
    if getattr(question, "slices", ()):
        raise Unsuitable(f"slices cannot be tested at any moment; leave {option('slice')} out, or {instead}")
    if scores.clusters is not None:
        raise Unsuitable(f"items come in clusters, and bets take all items as independent; {instead}, {planned}")
    if not metric.linear:
        raise Unsuitable(f"bets work on means of scores, and {metric} is not one; {instead}, {planned}")


def score_limits(spelled: str | None) -> tuple[float, float]:
    """The lowest and the highest possible score."""
    try:
        low, high = (float(part) for part in str(UNIT if spelled is None else spelled).split(":"))
    except ValueError:
        low = high = float("nan")
    if not (np.isfinite([low, high]).all() and low < high):
        raise UsageError(f"range is {spelled!r}; it should be the lowest and the highest possible score, such as 1:5")
    return low, high


def _check_range(scores: Scores, names: tuple[str, str], low: float, high: float, *, given: bool) -> None:
    """Bets need to know what scores can be, before any is seen."""
    for name in names:
        values = scores.values[scores.system(name), :, :, 0]
        outside = (values < low) | (values > high)
        if outside.any():
            item, run = np.argwhere(outside)[0]
            way = "Widen it" if given else f"Say what scores can be: {option('range', '…')}"
            raise DataError(
                f"{name!r} scores {values[item, run]:g} on item {scores.show(int(item))!r}, which lies outside {low:g} to {high:g}. {way}"
            )


# The order that items are run in, where a file says it: quick items finish first, and are no random sample.


def listed_items(path: str) -> list[str]:
    """The items of a file, one a line."""
    listed = [line.strip() for line in text_of(path, "order").splitlines() if line.strip()]
    met: dict[str, int] = {}
    for line, item in enumerate(listed, 1):
        if item in met:
            raise ReadError(
                f"{path}: item {item!r} comes twice (first as number {met[item]}, again as number {line}); list each item once"
            )
        met[item] = line
    return listed


def _in_order(scores: Scores, names: tuple[str, str], listed: Sequence[str]) -> tuple[Scores, int]:
    """The scores of the longest beginning that both systems completed, and how many complete items come later."""
    place = {item: i for i, item in enumerate(listed)}
    shown = [show_item(key) for key in scores.items]
    complete = scores.scored(names[0]) & scores.scored(names[1])
    strange = next(
        (item for item, has in zip(shown, complete.tolist(), strict=True) if has and item not in place), None
    )
    if strange is not None:
        raise ReadError(f"item {strange!r} has scores but is not in the order; list every item of the run")
    done = {item for item, has in zip(shown, complete.tolist(), strict=True) if has}
    reached = next((i for i, item in enumerate(listed) if item not in done), len(listed))
    arrival = np.array([place.get(item, len(listed)) for item in shown], dtype=np.int64)
    kept: BoolArray = complete & (arrival < reached)
    if kept.sum() < 2:
        raise DataError(
            f"both systems completed only {amount(int(kept.sum()), 'item')} at the start of the order: "
            f"{listed[min(reached, len(listed) - 1)]!r} is missing. Run items in that order"
        )
    return replace(scores, arrival=arrival).only(kept), len(done) - int(kept.sum())


def refuse_people(question: AnytimeOptions) -> None:
    """Ratings by several raters, and votes, share raters: items are not drawn one by one."""
    if question.anytime:
        raise Unsuitable(
            f"{option('anytime')} is about scores of items, and these are ratings or votes. Leave it out, pass "
            f"{option('raters_as', 'fixed')} to speak of these raters only, or pass scores without raters"
        )
