"""Saving a design to a plan file, before the data are seen."""

import math
from datetime import UTC, datetime
from pathlib import Path

from tellapart import __version__
from tellapart.answers.arena_plan import ArenaPlan
from tellapart.answers.parts import Note
from tellapart.answers.plan import Plan
from tellapart.answers.plan.file import PlanFile
from tellapart.data.provenance import Better
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.formatting import amount, thousands
from tellapart.foundation.seeds import stream
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.margins import Margin
from tellapart.verbs.anytime import listed_items
from tellapart.verbs.judging_options import sounds_lower
from tellapart.verbs.measure_rules import SeveralMeasures
from tellapart.verbs.plan.case import PlanCase
from tellapart.verbs.plan.question import PlanQuestion, several
from tellapart.verbs.planned_question import CHOSEN, is_rule, rule_options


def refuse_several(cases: list[PlanCase], question: PlanQuestion) -> None:
    """A plan is one design; said before anything is computed, like a place that cannot be written to."""
    refuse_unsaved(question.save, len(cases) * len(several(question.looks)))
    _planned_direction(cases[0], question)


def refuse_unsaved(path: str, designs: int) -> None:
    """Several designs, or a place that cannot be written to."""
    if designs > 1:
        raise UsageError(
            f"{option('save')} fixes one design, and {designs} were asked about; name one value of each option"
        )
    refuse_unwritable(Path(path))


def save_arena(answer: ArenaPlan, path: str) -> None:
    """A leaderboard of votes for `rank` to follow: the gap or lead in points, all pairs at one alpha."""
    row = answer.rows[0]
    told = {"systems": answer.systems, "top": answer.top, "ties": row.ties, "spread": answer.spread}
    plan = PlanFile(
        population=f"arena({', '.join(f'{name}={value:g}' for name, value in told.items() if value)})",
        test=CHOSEN,
        alpha=answer.alpha,
        comparisons=answer.pairs,
        items=row.votes,
        effect=row.gap,
        power=row.power,
        margin=None,
        measure=None,
        dataset=None,
        direction="higher",
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
    )
    write_whole(Path(path), plan.signed().to_json())


def save(answer: Plan, case: PlanCase, question: PlanQuestion) -> None:
    if answer.partial:
        raise UsageError(f"the plan was interrupted, so nothing was written to {question.save}")
    write_whole(Path(question.save), plan_file(answer, case, question).to_json())


def write_order(most: int, question: PlanQuestion) -> Note:
    """All items of the universe in the random order to run them in, which depends on the seed and not on the order of the list."""
    assert question.universe is not None
    assert question.item_order is not None
    listed = sorted(listed_items(question.universe))
    if len(listed) < most:
        raise UsageError(
            f"{question.universe} lists {amount(len(listed), 'item')}, and {thousands(most)} are planned; list all, or ask what these can find: "
            f"{option('items', str(len(listed)))}"
        )
    order = stream(question.seed).permutation(len(listed)).tolist()
    write_whole(Path(question.item_order), "".join(f"{listed[place]}\n" for place in order))
    return Note("order_written", {"file": question.item_order, "items": len(listed), "seed": question.seed})


def plan_file(answer: Plan, case: PlanCase, question: PlanQuestion) -> PlanFile:
    """What will be run; where no test was named, whichever `compare` chooses is as planned."""
    row = answer.rows[0]
    if (unknown := next((one for one in question.rules if not is_rule(one)), None)) is not None:
        raise UsageError(
            f"{unknown!r} is not a rule; wanted better=M, not-worse=M:0.01, any_better or direction=M=lower"
        )
    named = question.test is not None
    of_test = case.test.margin if isinstance(case.test, Margin) else None
    if None not in {of_test, question.margin} and of_test != question.margin:
        raise UsageError(f"{case.test} has a margin of its own, and {question.margin:g} was given too; leave one out")
    return PlanFile(
        population=row.population,
        test=row.test if named else CHOSEN,
        alpha=question.alpha,
        comparisons=question.comparisons if question.systems is None else math.comb(question.systems, 2),
        items=row.items,
        effect=row.effect,
        power=row.power,
        margin=of_test if question.margin is None else question.margin,
        measure=question.measure,
        dataset=question.dataset,
        direction=_planned_direction(case, question),
        made=datetime.now(UTC).isoformat(timespec="seconds"),
        version=__version__,
        items_at_looks=row.items_at_looks,
        spending=row.spending,
        rules=SeveralMeasures(**rule_options(question.rules)).rule_texts or None,
    ).signed()


def _planned_direction(case: PlanCase, question: PlanQuestion) -> Better:
    """The metric's own, or that of the pilot's log, for `compare` will take that."""
    metric, said = case.population.metric, case.population.better
    if metric.knows_direction and question.lower_is_better and not metric.lower_is_better:
        raise UsageError(f"{option('lower_is_better')} was given, but higher {metric} is better; leave it out")
    by_name = said is None and not metric.knows_direction and sounds_lower(question.measure or "")
    lower = question.lower_is_better or metric.lower_is_better or said == "lower" or by_name
    return "lower" if lower else "higher"
