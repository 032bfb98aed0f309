"""Sentences about deviations from a plan file: what was planned and what was run."""

from dataclasses import replace

from tellapart.answers.plan.file import Deviation, PlanCheck
from tellapart.foundation.formatting import amount, one_line

_LEFT_OPEN = "nothing"


def checked(check: PlanCheck) -> PlanCheck:
    told = tuple(replace(one, text=_deviation_text(one)) for one in check.deviations)
    return replace(check, deviations=told, sentence=_check_sentence(check, told))


def _deviation_text(one: Deviation) -> str:
    planned, found = _deviation_value(one.planned), _deviation_value(one.found)
    if one.what == "file":
        return f"the plan file was changed after it was written (its signature is {planned}, its content has {found})"
    if one.what == "version":
        return f"the plan was made by tellapart {planned}, and this is {found}"
    if one.what == "date":
        return f"the scores are of {found}, before the plan of {planned}"
    if one.what == "changed items":
        return f"{amount(one.found, 'item')} of earlier looks {'have' if one.found > 1 else 'has'} changed since, or cannot be found"
    return f"{one.what}: planned {planned}, found {found}"


def _deviation_value(value: object) -> str:
    if value is None:
        return _LEFT_OPEN
    return one_line(str(value)) if isinstance(value, str) else f"{value:g}" if isinstance(value, float) else str(value)


def _check_sentence(check: PlanCheck, told: tuple[Deviation, ...]) -> str:
    if check.as_planned:
        return "This is as planned."
    return f"Not as planned: {'; '.join(one.text for one in told)}."
