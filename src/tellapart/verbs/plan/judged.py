"""`plan judged`: labels, judged items, effect or power of a judge that people's labels correct; the best mix for a budget."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Protocol, cast

import numpy as np

from tellapart.answers.judged_plan import JudgedPilot, JudgedPlan, JudgedPlanRow, WidthPoint
from tellapart.answers.parts import Note
from tellapart.data.judged_pair import JudgedPair, JudgedScores
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.judge_regression import Judged
from tellapart.numerics.judge_planning import (
    FEW_EXPECTED,
    MOST_ITEMS,
    REPLICATES,
    JudgedDesign,
    best_mix,
    fewest_enough,
    half_width,
)
from tellapart.numerics.judge_regression import FEWEST_CLUSTERS, FEWEST_LABELS, LITTLE
from tellapart.numerics.null_laws.noncentral_t import t_shift
from tellapart.verbs.compare import judge_report, judged_analysis
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.systems import two_of
from tellapart.verbs.given_scores import judged_scores_of
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.plan.judged_question import JudgedPlanQuestion, refuse_columns_alone, require_human
from tellapart.verbs.plan.question import several
from tellapart.verbs.python_verb import SubjectOptions, python_verb
from tellapart.verbs.signature import sign

POINTS = 30
RARE, GOOD = 0.15, 0.6
"""Discordance up to which, and correlation from which on, labels drawn by what the judge sees tell much more."""
PRICES = ("budget", "cost_label", "cost_judgement")


def planned_judged(given: JudgedScores | None, question: JudgedPlanQuestion) -> JudgedPlan:
    """How many labels beside a judge, which effect they find, or how often.

    >>> from tellapart import plan_judged
    >>> answer = plan_judged(sd_difference=0.45, judge_correlation=0.7, labels=100, items=1000, effect=0.1)
    >>> round(answer.rows[0].power, 3)
    0.834
    """
    pilot = None if given is None else _seen_in_pilot(given, question)
    question = question if pilot is None else _filled_in(question, pilot)
    effects, solved, rows = several(question.effect), question.solved_for, []
    for effect in effects:
        design = _judged_design(question, pilot, effect)
        if solved == "mix":
            rows.append(_best_mix_of_budget(design, question, effect))
            continue
        sizes = itertools.product(several(question.labels), several(question.items))
        rows += [_solved(design, question, effect, *each) for each in sizes]
    design = _judged_design(question, pilot, effects[0])
    return JudgedPlan(
        solved_for=solved,
        rows=tuple(rows),
        sd_difference=design.spread,
        judge_correlation=design.correlation,
        discordance=design.discordance,
        alpha=question.alpha,
        **{name: getattr(question, name) for name in PRICES},
        pilot=pilot,
        curve=tuple(_curve(design, rows[0])),
        notes=tuple(_judged_plan_notes(design, rows, pilot)),
        signature=_sign_judged_plan(question, design),
    )


class _PlanningJudges(Protocol):
    """The pilot may be left out."""

    def __call__(self, pilot: Any = None, /, **options: Any) -> JudgedPlan: ...


def _of_pilot(pilot: Any, question: JudgedPlanQuestion) -> JudgedPlan:
    if pilot is None:
        refuse_columns_alone(question)
        return planned_judged(None, question)
    require_human(question)
    return planned_judged(judged_scores_of(pilot, question, (question.a, question.b)), question)


plan_judged = cast(
    _PlanningJudges,
    python_verb("plan_judged", JudgedPlanQuestion, _of_pilot, SubjectOptions((), lambda pilot, _: pilot)),
)


def _seen_in_pilot(given: JudgedScores, question: JudgedPlanQuestion) -> JudgedPilot:
    """Spread and correlation of a file that holds both scores."""
    for name in ("sd_difference", "discordance", "judge_correlation"):
        if getattr(question, name) is not None:
            raise UsageError(
                f"the pilot already gives the {name.replace('_', ' ')}; leave {option(name)} or the file out"
            )
    a, b = two_of(given.systems, question.a, question.b)
    pair, clusters = _items_apart(given.pair(a, b, question.missing))
    analysis = judged_analysis(pair, CompareQuestion(human=question.human, alpha=question.alpha))
    report, spread = judge_report(given, analysis), analysis.sd_difference
    seen = report.correlation["differences"]
    if seen is None or not spread:
        raise Unsuitable(
            "people's or the judge's differences do not vary on the labelled items, so nothing can be planned from them; label more"
        )
    return JudgedPilot(
        a=a,
        b=b,
        labels=report.labels,
        items=report.judged,
        sd_difference=spread,
        discordance=analysis.discordance,
        correlation=seen.value,
        correlation_low=seen.low,
        correlation_high=seen.high,
        clusters=clusters,
        cluster_factor=None
        if clusters is None
        else _cluster_factor(analysis.judged, given.pair(a, b, question.missing)),
    )


def _items_apart(pair: JudgedPair) -> tuple[JudgedPair, int | None]:
    """The pair as if items were independent, and how many clusters are labelled."""
    if (found := pair.human.clusters) is None:
        return pair, None
    apart = replace(pair, human=replace(pair.human, clusters=None), judge=replace(pair.judge, clusters=None))
    return apart, len(np.unique(found))


def _cluster_factor(apart: Judged, pair: JudgedPair) -> float | None:
    """The standard error with the pilot's clusters over the one without; None of fewer clusters than are compared."""
    clustered = replace(apart, clusters=pair.judge.clusters)
    assert clustered.clusters is not None
    if len(np.unique(clustered.clusters[clustered.place])) < FEWEST_CLUSTERS or bool(apart.plus_two):
        return None
    return float(clustered.estimate.error / apart.estimate.error)


def _filled_in(question: JudgedPlanQuestion, pilot: JudgedPilot) -> JudgedPlanQuestion:
    """As many judged items as the pilot has, where that is left open and no price is."""
    open_items = question.items is None and question.budget is None
    labels_given = question.labels is not None and question.effect is not None and question.power is not None
    return replace(question, items=pilot.items) if open_items and not labels_given else question


def _judged_design(question: JudgedPlanQuestion, pilot: JudgedPilot | None, effect: float | None) -> JudgedDesign:
    if pilot is not None:
        return JudgedDesign(pilot.sd_difference, pilot.correlation, pilot.discordance, question.alpha, question.seed)
    if question.judge_correlation is None:
        raise UsageError(
            f"say how the judge's differences correlate with people's: {option('judge_correlation', '0.5')}, or pass a pilot that holds both scores"
        )
    if question.sd_difference is None and question.discordance is None:
        raise UsageError(f"say how people's differences spread: {option('sd_difference')} or {option('discordance')}")
    share = question.discordance
    if share is not None and (effect or 0.0) > share:
        raise UsageError(f"an effect of {effect:g} takes a discordance of at least that, and {share:g} was given")
    spread = question.sd_difference if share is None else math.sqrt(share - (effect or 0.0) ** 2)
    if not spread:
        raise UsageError(f"with {option('discordance')} as large as the effect nothing varies; give a larger one")
    return JudgedDesign(spread, question.judge_correlation, share, question.alpha, question.seed)


# One design: what is solved, and its numbers.


def _solved(
    design: JudgedDesign, question: JudgedPlanQuestion, effect: float | None, labels: int | None, items: int | None
) -> JudgedPlanRow:
    solved, aim = question.solved_for, POWER if question.power is None else question.power
    if items is None and solved != "items":
        raise UsageError(f"say how many items are judged: {option('items')}, or {option('budget')} with prices")
    if solved == "items":
        items = _enough_items(design, cast(float, effect), cast(int, labels), aim)
    elif solved == "labels":
        labels = _enough_labels(design, cast(float, effect), cast(int, items), aim)
    count, judged = cast(int, labels), cast(int, items)
    if count > judged:
        more = option("items")
        raise UsageError(f"{count} labels of {judged} judged items: labelled items are judged too; raise {more}")
    if effect is None:
        effect = _found_effect(design, count, judged, aim)
    return _planned_design(design, question, effect, count, judged)


def _planned_design(
    design: JudgedDesign, question: JudgedPlanQuestion, effect: float | None, labels: int, items: int
) -> JudgedPlanRow:
    error = design.error(labels, items)
    power, simulated = None, effect is not None and design.simulated(labels)
    if effect is not None:
        power = design.simulate(effect, labels, items) if simulated else design.power(effect, labels, items)
    worth = (design.spread / error) ** 2
    same = round(worth) if effect is None or power is None or power > 1.0 - 1e-9 else design.labels_alone(effect, power)
    return JudgedPlanRow(
        labels=labels,
        items=items,
        effect=effect,
        power=power,
        standard_error=error,
        half_width=float(half_width(error, labels, design.alpha)),
        worth=worth,
        labels_alone_power=design.alone(effect, labels),
        labels_alone_for_same=same,
        cost=_cost_of_design(question, labels, items),
        floor=design.spread * abs(design.correlation) / math.sqrt(items),
        engine="monte_carlo" if simulated else "formula",
    )


def _cost_of_design(question: JudgedPlanQuestion, labels: int, items: int) -> float | None:
    if question.cost_label is None and question.cost_judgement is None:
        return None
    return (question.cost_label or 0.0) * labels + (question.cost_judgement or 0.0) * items


def _best_mix_of_budget(design: JudgedDesign, question: JudgedPlanQuestion, effect: float | None) -> JudgedPlanRow:
    """The best labels and judged items for the budget, or labels alone where the judge does not pay."""
    budget, label, judgement = (
        float(x or 0.0) for x in (question.budget, question.cost_label, question.cost_judgement)
    )
    found = best_mix(design.correlation, budget, label, judgement)
    if found.pays:
        return _planned_design(design, question, effect, found.labels, found.items)
    if found.alone < FEWEST_LABELS:
        raise UsageError(
            f"the budget buys {found.alone} labels; the method was checked with {FEWEST_LABELS} or more. Raise {option('budget')}"
        )
    labels, error = found.alone, design.spread / math.sqrt(found.alone)
    power, width = design.alone(effect, labels), design.alone_width(labels)
    return JudgedPlanRow(labels, 0, effect, power, error, width, float(labels), power, labels, label * labels, None)


def _curve(design: JudgedDesign, first: JudgedPlanRow) -> Iterator[WidthPoint]:
    """Half widths from few labels to all items of the first design, with and without the judge."""
    if not first.items:
        return
    for labels in np.unique(np.geomspace(FEWEST_LABELS, max(first.items, 2 * FEWEST_LABELS), POINTS).round()).tolist():
        width = float(half_width(design.error(labels, max(first.items, labels)), labels, design.alpha))
        yield WidthPoint(int(labels), width, design.alone_width(labels))


def _enough_labels(design: JudgedDesign, effect: float, items: int, aim: float) -> int:
    """Labels that reach the power; refused where all judged items, labelled, do not."""
    if design.power(effect, items, items) < aim:
        needed = design.labels_alone(effect, aim)
        raise UsageError(
            f"no number of labels is enough with {items:,} judged items: even all labelled, they find {effect:g} too "
            f"rarely. Judge at least {needed:,} items, or ask for a larger {option('effect')}"
        )
    found = fewest_enough(lambda n: design.power(effect, n, items) >= aim, FEWEST_LABELS, items)
    while design.simulated(found) and found < items and design.simulate(effect, found, items) < aim:
        found = min(items, found + max(1, found // 20))
    return found


def _enough_items(design: JudgedDesign, effect: float, labels: int, aim: float) -> int:
    endless = MOST_ITEMS
    if design.power(effect, labels, endless) < aim:
        raise UsageError(
            f"{labels:,} labels find {effect:g} too rarely, however many items are judged; give more {option('labels')}"
        )
    return fewest_enough(lambda m: design.power(effect, labels, m) >= aim, labels, endless)


def _found_effect(design: JudgedDesign, labels: int, items: int, aim: float) -> float:
    """The smallest effect that is found with the power, by the formula."""
    shift = float(t_shift(aim, labels - 2.0, design.alpha, "two-sided"))
    return shift * design.error(labels, items)


def _judged_plan_notes(design: JudgedDesign, rows: list[JudgedPlanRow], pilot: JudgedPilot | None) -> Iterator[Note]:
    first = rows[0]
    if pilot is not None:
        yield Note(
            "judge_of_pilot",
            {"labels": pilot.labels, "low": pilot.correlation_low, "high": pilot.correlation_high},
        )
    if pilot is not None and pilot.clusters is not None:
        times = pilot.cluster_factor
        spread = None if times is None else times * pilot.sd_difference
        yield Note("pilot_clusters", {"clusters": pilot.clusters, "times": times, "spread": spread})
    if first.items and first.labels < 30:
        yield Note("few_labels", {"labels": first.labels, "below": 30})
    if first.items and first.worth < LITTLE * first.labels:
        yield Note("judge_adds_little", {"labels": first.labels, "worth": first.worth})
    if design.discordance is not None and design.discordance <= RARE and abs(design.correlation) >= GOOD:
        yield Note("draw_labels_by_judge", {"discordance": design.discordance})
    if any(row.engine == "monte_carlo" for row in rows):
        yield Note("labels_simulated", {"replicates": REPLICATES, "below": FEW_EXPECTED})


def _sign_judged_plan(question: JudgedPlanQuestion, design: JudgedDesign) -> str:
    asked = ("labels", "items", "effect", "power", *PRICES, "alpha", "seed")
    return sign(
        "plan",
        "judged",
        sd_difference=design.spread,
        judge_correlation=design.correlation,
        discordance=design.discordance,
        **{name: getattr(question, name) for name in asked},
    )
