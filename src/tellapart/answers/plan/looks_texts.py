"""Headline and sentence of a plan with looks."""

from tellapart.answers.plan import Plan, PlanRow
from tellapart.answers.plan.grid_texts import option_amount
from tellapart.foundation.formatting import percent, thousands

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
