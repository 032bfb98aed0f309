"""What the charts of a plan find."""

from collections.abc import Callable

from tellapart.results.plan import Plan
from tellapart.wording import amount, percent, significant, thousands

NO_LIMIT = 0.9995
"""From which on a power is written as 100 %."""


def power(answer: Plan) -> str:
    return f"{power_by_effect(answer)}{_limit(answer, 'items')}"


def power_by_effect(answer: Plan) -> str:
    return f"{_first(answer)}{_target(answer)}{_band(answer)}"


def power_by_raters(answer: Plan) -> str:
    return f"{power_by_effect(answer)}{_limit(answer, 'raters')}"


def ceiling(answer: Plan, along: str) -> float | None:
    """The power that more of these alone could not exceed, where that is known and is not all there is."""
    first = answer.rows[0]
    most = {"items": first.ceiling_items, "raters": first.ceiling_raters}.get(along)
    return most if answer.curve is not None and most is not None and most < NO_LIMIT else None


def _limit(answer: Plan, along: str) -> str:
    most = ceiling(answer, along)
    if most is None:
        return ""
    return f" The dotted line is what more {along} alone cannot exceed, {percent(most, 3)}."


def detectable(answer: Plan) -> str:
    wanted = "" if answer.target_power is None else f" found with {percent(answer.target_power)} power"
    return f"Items and the effect{wanted}, in {_studies(answer)}; both axes are logarithmic."


def type_m(answer: Plan) -> str:
    first = answer.rows[0]
    by = (
        ""
        if first.type_m is None
        else f": with {_size(answer)}, {significant(first.type_m, 3)} times as large"
    )
    return f"An effect that is found to be significant looks larger than it is, on average{by}."


def type_s(answer: Plan) -> str:
    first = answer.rows[0]
    share = "" if first.type_s is None else f": with {_size(answer)}, {percent(first.type_s, 2)}"
    return f"Of effects that are found to be significant, some point the wrong way{share}."


def _first(answer: Plan) -> str:
    first = answer.rows[0]
    if answer.curve is None:
        return f"Power of {_studies(answer)}."
    return f"{_size(answer)[:1].upper()}{_size(answer)[1:]} find an effect of {significant(first.effect)} with {percent(first.power, 3)} power (ring)."


def _size(answer: Plan) -> str:
    first = answer.rows[0]
    rated = "" if first.raters is None else f"{thousands(first.raters)} raters and "
    return f"{rated}{thousands(first.items)} {first.counts}"


def _studies(answer: Plan) -> str:
    return amount(len(answer.rows), "study").replace("studys", "studies")


def _target(answer: Plan) -> str:
    if answer.target_power is None:
        return ""
    return f" The dashed line is the wanted power, {percent(answer.target_power)}."


def _band(answer: Plan) -> str:
    simulated = any(row.replicates for row in answer.rows)
    return " Bands are what the number of simulated evaluations leaves open." if simulated else ""


CAPTIONS: dict[str, Callable[[Plan], str]] = {
    "power": power,
    "power_by_effect": power_by_effect,
    "power_by_raters": power_by_raters,
    "detectable": detectable,
    "type_m": type_m,
    "type_s": type_s,
}
