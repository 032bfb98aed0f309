"""Phrases about the size of a planned study: raters, clusters, uncertainty bands and multiple comparisons."""

from typing import Any

from tellapart.answers.plan import Plan, PlanRow, SearchedDesigns
from tellapart.answers.plan.grid import is_grid
from tellapart.foundation.formatting import amount, percent, significant, thousands

# Powers, and bands of what was solved for: over past systems where some were seen, else over what is
# possible or expected.

_BANDS = {"overlap_from_evidence", "spread_from_evidence"}
"""Notes that say what a band holds, and whether it was measured."""


def band_sentence(answer: Plan) -> str:
    """The range that evidence leaves open, quoted wherever the number is."""
    if len(answer.rows) == 1 and unreachable(answer):
        words = unreachable_words(answer)
        return f" {words[0].upper()}{words[1:]}."
    band = _band_ends(answer)
    return f" Over {_band_name(answer) or 'the band of this evidence'}: {band}." if band else ""


def band_in_brackets(answer: Plan) -> str:
    band = _band_ends(answer)
    return f" ({band} over {_band_name(answer) or 'the band of past systems'})" if band else ""


def _band_name(answer: Plan) -> str:
    """The boards that a band covers, or what it is where nothing was measured; nothing where one board was measured."""
    noted = [note.values for note in answer.notes if note.code in _BANDS]
    boards = dict.fromkeys(board for values in noted for board in values.get("boards", ()))
    if boards:
        return and_list(list(boards)) if len(answer.rows) == 1 else "the boards that fit"
    bands = [one for values in noted for one in values.get("supposed", [values])]
    if all(one["measured"] for one in bands):
        return ""
    if any(one["measured"] for one in bands):
        return "the band of this evidence"
    return " and ".join(dict.fromkeys(one["band"] for one in bands))


def and_list(names: list[str]) -> str:
    """Names with commas and an "and" before the last.

    >>> and_list(["a"]), and_list(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *most, last = names or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _band_ends(answer: Plan) -> str:
    """Between which numbers the ones that were solved for lie, where they stand on evidence; nothing elsewhere."""
    rows = [row for row in (answer.rows if is_grid(answer) else answer.rows[:1]) if "evidence" in row.options]
    if not rows:
        return ""
    if answer.solved_for == "power":
        return f"{share(min(row.power_low for row in rows))} to {share(max(row.power_high for row in rows))}"
    lows, highs = ([getattr(row, end) for row in rows] for end in ("solved_low", "solved_high"))
    if None in {*lows, *highs}:
        return ""
    if answer.solved_for == "items":
        return f"{thousands(round(min(lows)))} to {thousands(round(max(highs)))} {rows[0].counts}"
    return f"{significant(min(lows), 3)} to {significant(max(highs), 3)}"


def unreachable(answer: Plan) -> bool:
    """Whether no number is enough at the pessimistic end of what evidence leaves open."""
    row = answer.rows[0]
    return "evidence" in row.options and row.solved_low is not None and row.solved_high is None


def unreachable_words(answer: Plan) -> str:
    """That the wanted power may be out of reach."""
    row = answer.rows[0]
    raters = "" if row.raters is None else f"{amount(row.raters, 'rater')} may be too few: "
    power = "the power" if answer.target_power is None else f"{percent(answer.target_power)} power"
    what = f"no number of {row.counts}" if answer.solved_for == "items" else "no effect"
    return f"{raters}at the wide end of the evidence {what} reaches {power}"


def share(power: float) -> str:
    """A power in percent to one decimal, never rounded up to certainty.

    >>> share(0.8), share(0.99999), share(1e-6)
    ('80 %', 'more than 99.9 %', 'less than 0.1 %')
    """
    if 0.9995 <= power < 1.0:
        return "more than 99.9 %"
    return "less than 0.1 %" if 0.0 < power < 0.0005 else percent(round(power, 3))


CLUSTER_OPTIONS = frozenset({"size", "clusters"})
"""Options of a population in clusters that its number of items says already."""


def clusters_of(row: PlanRow) -> str:
    """How many clusters the items make; nothing where they are independent."""
    each = row.cluster_size
    return "" if each is None else f"{thousands(row.clusters)} clusters of {thousands(each)}"


def size(row: PlanRow) -> str:
    """How large a study is."""
    items, clusters = f"{thousands(row.items)} {row.counts}", clusters_of(row)
    if clusters:
        return f"{clusters} {row.counts}"
    if row.raters is None:
        return items
    per_item = row.options.get("per_item")
    shared = "" if per_item is None else f", {amount(per_item, 'rater')} per item,"
    return f"{thousands(row.raters)} raters and {items}{shared}"


# What the level is shared between: all pairs of several systems, or a number of comparisons.


def family_in_headline(answer: Plan) -> str:
    values = _family_values(answer)
    if "systems" in values:
        return f" for all {thousands(values['pairs'])} pairs of {thousands(values['systems'])} systems"
    return f" for each of {thousands(values['comparisons'])} comparisons" if values else ""


def family_sentence(answer: Plan) -> str:
    """The correction, and the result for one comparison alone."""
    values = _family_values(answer)
    if not values:
        return ""
    alone = "" if values["alone"] is None else f"; one comparison alone {_alone_words(answer, values['alone'])}"
    shared = (
        f"all {thousands(values['pairs'])} pairs of {thousands(values['systems'])} systems (max-T"
        if "systems" in values
        else f"{thousands(values['comparisons'])} comparisons (Bonferroni"
    )
    return f" Corrected for {shared}, {percent(values['alpha'])} together{alone})."


def _alone_words(answer: Plan, alone: float) -> str:
    if answer.solved_for == "items":
        return f"takes {thousands(round(alone))} {answer.rows[0].counts}"
    return f"detects {significant(alone, 3)}" if answer.solved_for == "effect" else f"has {share(alone)} power"


def _family_values(answer: Plan) -> dict[str, Any]:
    codes = {"all_pairs_share_alpha", "comparisons_share_alpha"}
    return next((note.values for note in answer.notes if note.code in codes), {})


def scale_words(row: PlanRow) -> str:
    """The range of the ratings, where it is known."""
    scale = row.options.get("range")
    return "" if scale is None else f"ratings from {scale[0]:g} to {scale[1]:g}"


def said_of_raters(row: PlanRow) -> set[str]:
    """The options that are said where the size is, or that count for nothing: in this design, or in power."""
    if row.raters is None:
        return set()
    counted = {"raters", "per_item", "better", "range"}
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
    """The cost of a design, in ratings where nothing has a price."""
    return amount(row.ratings or 0, "rating") if row.cost is None else money(row.cost)


def money(cost: float) -> str:
    """A cost without the rounding of sums: 399.6."""
    return f"{cost:.10g}" if cost < 1e6 else significant(cost, 7)
