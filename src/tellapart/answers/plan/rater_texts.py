"""Plans of ratings in words: how many raters rate how many items, and what was searched for."""

from tellapart.answers.plan import Plan, PlanRow, SearchedDesigns
from tellapart.foundation.formatting import amount, percent, significant, thousands

# Powers, and bands of what was solved for: over past systems where some were seen, else over what is
# possible or expected.

_BANDS = {"overlap_from_evidence", "spread_from_evidence"}
"""Notes that say what a band holds, and whether it was measured."""


def band_sentence(answer: Plan) -> str:
    """What evidence leaves open is said with the number that stands on it, wherever that is quoted."""
    band, unseen = _band_ends(answer), _unseen(answer)
    return f" Over {unseen or 'the band of this evidence'}: {band}." if band else ""


def band_in_brackets(answer: Plan) -> str:
    band, unseen = _band_ends(answer), _unseen(answer)
    return f" ({band} over {unseen or 'the band of past systems'})" if band else ""


def _unseen(answer: Plan) -> str:
    """What the band is where nothing was measured; nothing where all was."""
    noted = (note.values for note in answer.notes if note.code in _BANDS)
    bands = [one for values in noted for one in values.get("supposed", [values])]
    if all(one["measured"] for one in bands):
        return ""
    if any(one["measured"] for one in bands):
        return "the band of this evidence"
    return " and ".join(dict.fromkeys(one["band"] for one in bands))


def _band_ends(answer: Plan) -> str:
    """Between which numbers the one that was solved for lies, where it stands on evidence; nothing elsewhere."""
    row = answer.rows[0]
    if "evidence" not in row.options:
        return ""
    if answer.solved_for == "power":
        return f"{share(row.power_low)} to {share(row.power_high)}"
    if row.solved_low is None or row.solved_high is None:
        return ""
    if answer.solved_for == "items":
        return f"{thousands(round(row.solved_low))} to {thousands(round(row.solved_high))} {row.counts}"
    return f"{significant(row.solved_low, 3)} to {significant(row.solved_high, 3)}"


def share(power: float) -> str:
    """A power in percent to one decimal, never rounded up to certainty.

    >>> share(0.8), share(0.99999), share(1e-6)
    ('80 %', 'more than 99.9 %', 'less than 0.1 %')
    """
    if 0.9995 <= power < 1.0:
        return "more than 99.9 %"
    return "less than 0.1 %" if 0.0 < power < 0.0005 else percent(round(power, 3))


def size(row: PlanRow) -> str:
    """How large a study is."""
    items = f"{thousands(row.items)} {row.counts}"
    if row.raters is None:
        return items
    per_item = row.options.get("per_item")
    shared = "" if per_item is None else f", {amount(per_item, 'rater')} per item,"
    return f"{thousands(row.raters)} raters and {items}{shared}"


def said_of_raters(row: PlanRow) -> set[str]:
    """The options that are said where the size is, or that count for nothing: in this design, or in power."""
    if row.raters is None:
        return set()
    counted = {"raters", "per_item", "better"}
    return counted if row.options.get("design") != "crossed" else {*counted, "design", "rater_sd", "item_sd"}


def best_design(searched: SearchedDesigns, row: PlanRow) -> str:
    per_item = row.options.get("per_item")
    shared = "all of them" if per_item is None else amount(per_item, "rater")
    design = f"{thousands(row.raters or 0)} raters, {thousands(row.items)} items, {shared} per item"
    if searched.budget is not None:
        return f"best design for {searched.budget:g}: {design}, power {share(row.power)}"
    if row.cost is None:
        return f"fewest ratings: {design}, {amount(row.ratings or 0, 'rating')}"
    return f"cheapest design: {design}, for {money(row.cost)}"


def searched_words(answer: Plan) -> str:
    """Among what the first row is the best, and how far the best full crossing is behind."""
    searched = answer.searched
    if searched is None:
        return ""
    raters = (
        f"{searched.fewest_raters} to {searched.most_raters}"
        if searched.fewest_raters < searched.most_raters
        else f"{searched.most_raters}"
    )
    if searched.budget is not None:
        best = f" Of the designs with {raters} raters that cost no more than {searched.budget:g}, this one has the most power"
    else:
        least = "costs least" if answer.rows[0].cost is not None else "takes the fewest ratings"
        best = f" Of the designs with {raters} raters and this power, this one {least} ({_spent(answer.rows[0])})"
    if len(answer.rows) < 2:
        return f"{best}; every rater rates every item."
    row = answer.rows[1]
    told = f"power {share(row.power)}" if searched.budget is not None else f"for {_spent(row)}"
    return f"{best}; with every rater on every item the best is {size(row)}, {told}."


def _spent(row: PlanRow) -> str:
    """What a design costs, in ratings where nothing has a price."""
    return amount(row.ratings or 0, "rating") if row.cost is None else money(row.cost)


def money(cost: float) -> str:
    """A cost without the rounding of sums: 399.6."""
    return f"{cost:.10g}" if cost < 1e6 else significant(cost, 7)
