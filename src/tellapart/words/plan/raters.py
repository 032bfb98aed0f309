"""Plans of ratings in words: how many raters rate how many items, and what was searched for."""

from tellapart.results.plan import Plan, PlanRow, SearchedDesigns
from tellapart.wording import amount, significant, thousands
from tellapart.words.plan.bands import share


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
