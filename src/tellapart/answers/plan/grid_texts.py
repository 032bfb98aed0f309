"""Sentences about a grid of studies, and about planned looks: the range of the answers, and the assumptions that matter most."""

from typing import Any

from tellapart.answers.plan import Plan, PlanRow
from tellapart.answers.plan.grid import grid_axes, solved_value, strongest_axes
from tellapart.answers.plan.rater_texts import band_in_brackets, share
from tellapart.foundation.formatting import minus, percent, significant, thousands


def grid_headline(answer: Plan) -> str:
    """The range of the answers, and what they depend on most."""
    low, high = (_number(answer, row) for row in _ends(answer))
    between = low if low == high else f"{low} to {high}"
    told = {
        "items": f"{between} {answer.rows[0].counts} needed",
        "effect": f"smallest detectable effects: {between}",
        "power": f"power: {between}",
    }[answer.solved_for]
    return f"{told}{band_in_brackets(answer)}{_driver_words(answer)}"


def grid_sentence(answer: Plan, assumed: str) -> str:
    """All rows in one sentence: the smallest answer and the largest, each with its setting."""
    low, high = _ends(answer)
    ends = [_number_with_unit(answer, low), _number_with_unit(answer, high)]
    if ends[0] == ends[1]:
        named = f"{ends[0]} in each of {thousands(len(answer.rows))} studies"
        return f"{_solved_for_words(answer, named)}{assumed}."
    named = f"{ends[0]} ({_setting_words(answer, low)}) to {ends[1]} ({_setting_words(answer, high)})"
    return f"{_solved_for_words(answer, named)}{assumed}{_driver_words(answer)}."


def _driver_words(answer: Plan) -> str:
    names = [_axis_name(name) for name in strongest_axes(answer)]
    return f"; {' and '.join(names)} matter{'s' if len(names) == 1 else ''} most" if names else ""


def _solved_for_words(answer: Plan, named: str) -> str:
    axes, row = grid_axes(answer), answer.rows[0]
    power = "" if "power" in axes or answer.target_power is None else f" with {percent(answer.target_power)} power"
    effect = "" if "effect" in axes or answer.solved_for == "effect" else option_amount(row.effect)
    if answer.solved_for == "effect":
        return f"The smallest effects that are detected{power} are {named}"
    if answer.tested.claim != "difference":
        shown = f" if the true effect is {effect}" if effect else ""
        verb = "It takes" if answer.solved_for == "items" else "The power to show"
        between = (
            f"{named} to show {answer.tested.label}{power}"
            if verb == "It takes"
            else f"{answer.tested.label} is {named}"
        )
        return f"{verb} {between}{shown}"
    if answer.solved_for == "items":
        return f"It takes {named} to detect {effect or 'these effects'}{power}"
    return f"The power to detect {effect or 'these effects'} is {named}"


def _ends(answer: Plan) -> tuple[PlanRow, PlanRow]:
    by_size = sorted(answer.rows, key=lambda row: solved_value(answer, row))
    return by_size[0], by_size[-1]


def _number(answer: Plan, row: PlanRow) -> str:
    if answer.solved_for == "items":
        return thousands(row.items)
    return minus(significant(row.effect, 3)) if answer.solved_for == "effect" else share(row.power)


def _number_with_unit(answer: Plan, row: PlanRow) -> str:
    return f"{_number(answer, row)} {row.counts}" if answer.solved_for == "items" else _number(answer, row)


def _setting_words(answer: Plan, row: PlanRow) -> str:
    values = {name: axis(row) for name, axis in grid_axes(answer).items()}
    return ", ".join(_axis_words(row, name, value) for name, value in values.items() if value is not None)


def _axis_words(row: PlanRow, name: str, value: Any) -> str:
    if name == "items":
        return f"{thousands(value)} {row.counts}"
    if name == "looks":
        return f"{value} looks"
    if name == "effect":
        return f"an effect of {option_amount(value)}"
    if name == "power":
        return f"{percent(value)} power"
    return str(value) if name in {"test", "population"} else f"{name} {option_amount(value)}"


def option_amount(value: Any) -> str:
    """The value of an option in a sentence."""
    if isinstance(value, float):
        return minus(f"{value:.4g}")
    return ":".join(map(option_amount, value)) if isinstance(value, tuple) else str(value)


def _axis_name(name: str) -> str:
    """An assumption as the subject of a sentence."""
    names = {"population": "the kind of scores", "items": "the number of items", "power": "the power asked for"}
    return names.get(name, f"the {name.replace('_', ' ')}")


# Plans with looks.

SPENDINGS = {"obf": "O'Brien–Fleming-type spending", "pocock": "Pocock-type spending"}


def looks_headline(answer: Plan, row: PlanRow) -> str:
    """The most items, and how many are taken on average."""
    none = "" if row.expected_items_none is None else f", {thousands(round(row.expected_items_none))} if there is none"
    power = f"power: {percent(round(row.power, 4))} with " if answer.solved_for == "power" else ""
    return (
        f"{power}at most {thousands(row.items)} items in {row.looks} looks; {thousands(round(row.expected_items or 0.0))} on average if the effect is "
        f"{option_amount(row.effect)}{none}"
    )


def looks_sentence(answer: Plan, row: PlanRow, power: str, assumed: str) -> str:
    """The power of the design, beside a design with a single look."""
    once = "" if row.fixed_items is None else f"; a design without looks takes {thousands(row.fixed_items)}"
    found = "detect" if answer.tested.claim == "difference" else f"show {answer.tested.label} at a true effect of"
    spending = SPENDINGS[row.spending or "obf"]
    return (
        f"Up to {thousands(row.items)} items in {row.looks} looks ({spending}) {found} {option_amount(row.effect)} with {power} "
        f"({assumed}){once}. Expected: {thousands(round(row.expected_items or 0.0))} items{_fewer(row)} at this effect."
    )


def _fewer(row: PlanRow) -> str:
    return "" if row.saved_share is None else f" ({percent(round(row.saved_share, 2))} fewer)"
