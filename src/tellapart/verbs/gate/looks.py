"""A gate at a planned look: one-sided at the level of that look, answered over all looks."""

from collections.abc import Callable
from dataclasses import replace

from tellapart.answers.gate import Check, Gate
from tellapart.data.scores import Scores
from tellapart.verbs.compare import comparison, look_answer
from tellapart.verbs.compare.systems import pair_of
from tellapart.verbs.gate.question import GateQuestion
from tellapart.verbs.judging_options import SMALLEST_ALPHA
from tellapart.verbs.looks import CurrentLook, current_look, refuse_unlike_looks

Judge = Callable[[Scores, GateQuestion], Gate]


def gate_at_look(
    scores: Scores, question: GateQuestion, names: tuple[str, str], judge: Judge
) -> tuple[Gate, CurrentLook]:
    """The gate's answer at the look that the scores are at, which is then recorded."""
    refuse_unlike_looks(question, scores)
    look = current_look(question, pair_of(scores, names, None, question.missing), names)
    test = question.test if question.test is not None or look.test is None else look.test
    level = max(look.nominal(1), SMALLEST_ALPHA)
    alone = judge(scores, replace(question, plan=None, record=None, alpha=level, test=test))
    compared = look_answer(scores, replace(question, record=None).comparing(names), look, comparison)
    assert compared.sequential is not None
    at = f"alpha={look.alpha} | look={look.number}/{len(look.planned)}"
    sequential = replace(
        compared.sequential,
        stop=look.last or alone.verdict != "undetermined",
        record=question.record,
        path=look.path(alone.checks[0].not_worse_pvalue, 1),
    )
    answer = replace(
        alone,
        alpha=look.alpha,
        level=1.0 - look.alpha,
        needed_items=None,
        checks=tuple(_check_over_looks(check, look) for check in alone.checks),
        comparison=replace(compared, sequential=sequential),
        signature=alone.signature.replace(f"alpha={level}", at),
    )
    if question.record is not None:
        check = answer.checks[0]
        look.recorded(
            question.record,
            a=names[0],
            b=names[1],
            nominal=look.nominal(1),
            spent=look.spent(1),
            pvalue=alone.checks[0].not_worse_pvalue,
            repeated_pvalue=check.not_worse_pvalue,
            verdict=answer.verdict,
            test=compared.test,
        )
    return answer, look


def _check_over_looks(check: Check, look: CurrentLook) -> Check:
    """Its p-values over all looks; that of a loss is two-sided, of one-sided boundaries on either side."""
    loss = min(2.0 * (look.repeated(0.5 * check.pvalue, 1) or 1.0), 1.0)
    return replace(
        check,
        not_worse_pvalue=look.repeated(check.not_worse_pvalue, 1) or 1.0,
        pvalue=loss,
        adjusted_pvalue=loss,
        needed_items=None,
    )
