"""Captions of the charts of a plan."""

from tellapart.answers.plan import Plan
from tellapart.answers.plan.rater_texts import share
from tellapart.foundation.formatting import amount, percent, significant, thousands

NO_LIMIT = 0.9995
"""From which on a power is written as 100 %."""


FROM_EVIDENCE = {"spread_from_evidence", "overlap_from_evidence", "ratings_from_evidence"}
"""Notes of a plan whose assumptions are bounded by evidence."""

DESIGNS = {"crossed": "every rater rates every item", "alone": "one rater per item", "shared": "some raters per item"}
"""Kinds of designs of ratings."""


def cost(answer: Plan) -> str:
    searched, first = answer.searched, answer.rows[0]
    assert searched is not None, "drawn of a search alone"
    given = (
        f"the wanted power, {percent(searched.power)}"
        if searched.power is not None
        else f"the budget, {searched.budget:g}"
    )
    spent = "" if first.cost is None else f" for {first.cost:g}"
    return (
        f"The strongest design of each kind for less and for more money. {_first_size(answer)[:1].upper()}{_first_size(answer)[1:]}{spent} have "
        f"{share(first.power)} power (ring). The dashed line is {given}."
    )


def looks(_: Plan) -> str:
    return (
        "At each look the p-value of the items so far must reach the boundary for a claim, smaller p-values higher up."
    )


def power(answer: Plan) -> str:
    return _power_over("items", answer)


def power_by_effect(answer: Plan) -> str:
    return _power_over("effect", answer)


def power_by_raters(answer: Plan) -> str:
    return _power_over("raters", answer)


def _power_over(along: str, answer: Plan) -> str:
    return f"{_solved_words(answer)}{_target_words(answer)}{_band_words(answer, along)}{_ceiling_words(answer, along)}"


def ceiling(answer: Plan, along: str) -> float | None:
    """The power that more of these alone could not exceed, where that is known and is not all there is."""
    first = answer.rows[0]
    most = {"items": first.ceiling_items, "raters": first.ceiling_raters}.get(along)
    return most if answer.curve is not None and most is not None and most < NO_LIMIT else None


def _ceiling_words(answer: Plan, along: str) -> str:
    most = ceiling(answer, along)
    if most is None:
        return ""
    return f" The dotted line is what more {along} alone cannot exceed, {share(most)}."


def detectable(answer: Plan) -> str:
    wanted = "" if answer.target_power is None else f" found with {percent(answer.target_power)} power"
    return f"Items and the effect{wanted}, in {_studies(answer)}; both axes are logarithmic."


def solved(answer: Plan) -> str:
    wanted = {"items": "Items needed", "effect": "Smallest effects that are detected", "power": "Power"}[
        answer.solved_for
    ]
    return f"{wanted} in {_studies(answer)}."


def type_m(answer: Plan) -> str:
    first = answer.rows[0]
    by = "" if first.type_m is None else f": with {_first_size(answer)}, {significant(first.type_m, 3)} times as large"
    return f"An effect that is found to be significant looks larger than it is, on average{by}."


def type_s(answer: Plan) -> str:
    first = answer.rows[0]
    wrong = "" if first.type_s is None else f": with {_first_size(answer)}, {percent(first.type_s, 2)}"
    return f"Of effects that are found to be significant, some point the wrong way{wrong}."


def _solved_words(answer: Plan) -> str:
    first = answer.rows[0]
    if answer.curve is None:
        return f"Power of {_studies(answer)}."
    return f"{_first_size(answer)[:1].upper()}{_first_size(answer)[1:]} find an effect of {significant(first.effect)} with {share(first.power)} power (ring)."


def _first_size(answer: Plan) -> str:
    first = answer.rows[0]
    rated = "" if first.raters is None else f"{thousands(first.raters)} raters and "
    return f"{rated}{thousands(first.items)} {first.counts}"


def _studies(answer: Plan) -> str:
    return amount(len(answer.rows), "study")


def _target_words(answer: Plan) -> str:
    if answer.target_power is None:
        return ""
    return f" The dashed line is the wanted power, {percent(answer.target_power)}."


def _band_words(answer: Plan, along: str) -> str:
    open_ = [*_assumption_sources(answer), *_replicates_words(answer, along)]
    if not open_:
        return ""
    return f" Bands are what {' and '.join(open_)} {'leaves' if len(open_) == 1 else 'leave'} open."


def _assumption_sources(answer: Plan) -> list[str]:
    """Sources of a curve's band besides chance; rows of a grid have no bands unless power was solved."""
    if answer.curve is None and answer.solved_for != "power":
        return []
    evidence = any(note.code in FROM_EVIDENCE for note in answer.notes)
    return ["evidence"] * evidence + ["the pilot"] * (answer.pilot_items is not None)


def _replicates_words(answer: Plan, along: str) -> list[str]:
    """The number of simulated evaluations, where points have any, from the fewest to the most."""
    points = answer.rows if answer.curve is None else [one for one in answer.curve if one.over == along]
    numbers = sorted({one.replicates for one in points if one.replicates is not None})
    if not numbers:
        return []
    told = " to ".join(thousands(number) for number in dict.fromkeys((numbers[0], numbers[-1])))
    return [f"the number of simulated evaluations ({told} per point)"]
