"""Sentences of the notes on how a plan was computed; notes on the sources of its assumptions join them."""

from tellapart.answers.plan import Plan
from tellapart.answers.plan.source_notes import SOURCES
from tellapart.answers.reading_texts import READING, STOPPED
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, percent, significant, thousands
from tellapart.foundation.surfaces import option, verb

NOTES: NoteTexts[Plan] = NoteTexts(READING, STOPPED, SOURCES)


@NOTES
def interrupted(_: Plan, answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    return f"interrupted: {_unanswered(answered, asked, replicates, asked_replicates)}"


@NOTES
def time_limit(_: Plan, answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    return f"stopped when the time was up: {_unanswered(answered, asked, replicates, asked_replicates)}"


def _unanswered(answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    said = []
    if answered < asked:
        said.append(f"{thousands(answered)} of {thousands(asked)} studies are answered")
    if replicates is not None:
        said.append(
            f"only {thousands(replicates)} of {thousands(asked_replicates)} replicates were simulated, so intervals are wider"
        )
    return "; ".join(said) or "the rows are answered from what was simulated by then"


@NOTES
def until(_: Plan, until: float, half_width: float, replicates: int) -> str:
    kept = "simulated until" if half_width <= until else "it was to be simulated until"
    reached = "" if half_width <= until else f", and came to ±{significant(half_width)}"
    return (
        f"{kept} power was known to ±{significant(until)}{reached} ({thousands(replicates)} replicates): these 95 % intervals hold at "
        "whatever moment one stops, and are wider than those of a number of replicates that was fixed before"
    )


@NOTES
def same_items(_: Plan, population: str, otherwise: list[str]) -> str:
    return f"both systems are assumed to answer the same items ({population}); if each answers its own, name {' or '.join(otherwise)}"


@NOTES
def runs_explain_items(_: Plan, runs: int) -> str:
    return (
        f"with these numbers items differ no more than chance between runs explains, so {amount(runs, 'run')} of few "
        "items look as good as many items. A small log cannot confirm that: take this number of items as a minimum, "
        "and prefer more items with fewer runs"
    )


@NOTES
def more_seeds(_: Plan, seeds: int, ceiling: float, power: float, enough: int | None) -> str:
    way = f"{amount(enough, 'seed')} of each system could" if enough is not None else "no number of seeds does"
    return (
        f"with {amount(seeds, 'seed')} of a system this effect is found {percent(ceiling, 2)} of the time at most, however many the items: more seeds "
        f"help, more items alone cannot; for {percent(power)}, {way}"
    )


@NOTES
def prices_assumed(_: Plan, rating: float, item: float, rater: float, budget: float | None) -> str:  # noqa: ARG001  (for those who read values)
    counted = "ratings are counted, and raters and items cost nothing"
    paid = (
        counted if budget is None else f"the budget is one of ratings ({budget:g}), and raters and items cost nothing"
    )
    return (
        f"no prices are given: {paid}. If each rater has to be found and trained, give prices: "
        f"{option('cost_rater')}, and {option('cost_item')}, {option('cost_rating')}"
    )


@NOTES
def searched_about(_: Plan, per_item: int) -> str:  # noqa: ARG001  (for those who read values)
    return (
        "designs with only some raters per item are searched by approximate power, mostly within 0.02; the power "
        "shown is simulated, and other designs may do as well"
    )


@NOTES
def comparisons_share_alpha(
    _: Plan,
    comparisons: int,
    alpha: float,
    each: float,
    sidak: float,
    alone: float | None,  # noqa: ARG001  (the sentence says it)
) -> str:
    return (
        f"{comparisons} comparisons at {alpha:g} together: each is tested at {each:.4g} (Bonferroni; Šidák's {sidak:.4g} "
        "would do for independent ones)"
    )


@NOTES
def all_pairs_share_alpha(  # noqa: PLR0913, PLR0917  (the values of the note)
    _: Plan,
    systems: int,
    pairs: int,
    alpha: float,
    each: float,
    bonferroni: float,
    alone: float | None,  # noqa: ARG001  (the sentence says it)
) -> str:
    return (
        f"{thousands(systems)} systems have {thousands(pairs)} pairs: each is tested at {each:.4g}, the level of the largest of all of "
        f"them (max-T, as in `rank`) at {alpha:g} together, if all pairs of systems are equally correlated; Bonferroni's would be "
        f"{bonferroni:.4g}"
    )


@NOTES
def depends_on_scores(_: Plan, items: int, choices: dict[str, float]) -> str:
    named = ", ".join(f"{test} ({percent(round(share, 3))})" for test, share in choices.items())
    return (
        f"which test `compare` runs on {thousands(items)} such items depends on their scores: {named}; the power "
        "includes that choice"
    )


@NOTES
def agreement_costs(  # noqa: PLR0913, PLR0917  (the values of the note)
    answer: Plan, alone: str, agrees: str, test: str, items: int, power: float, cost: float
) -> str:
    return (
        f"on {thousands(items)} such {answer.rows[0].counts} the {alone} test alone would have power {power:.3f}; requiring the {agrees} to agree "
        f"where `compare` does costs {cost:.3f} ({option('test', test)} plans without)"
    )


@NOTES
def compare_chooses(answer: Plan, items: int, chosen: str, planned: str) -> str:
    return f"on {thousands(items)} such {answer.rows[0].counts} `compare` would choose {chosen} by itself; name {planned} there, or leave it out here"


@NOTES
def formula_nearly_exact(_: Plan, widest: float) -> str:
    return (
        "power assumes a normal mean, which so many differences nearly have: the interval on power, up to "
        f"{significant(widest)} wide, covers the error"
    )


@NOTES
def saw_tooth(answer: Plan, items: int, stable_from: int) -> str:
    return f"power rises in a saw-tooth: {thousands(items)} {answer.rows[0].counts} reach it first, and from {thousands(stable_from)} on it stays"


@NOTES
def power_simulated(_: Plan, replicates: int, widest: float, ends: int | None = None) -> str:
    band = f"; the ends of what evidence leaves open are from {thousands(ends)}" if ends else ""
    return f"power is simulated ({thousands(replicates)} replicates): its 95 % interval is up to {significant(widest)} wide{band}"


@NOTES
def averages_raters(_: Plan, test: str, size: float, alpha: float) -> str:
    return (
        f"{test} averages over raters and ignores all others: of systems that other raters would call equal it finds "
        f"{percent(round(size, 3))} different, at a level of {percent(alpha)}. Leave {option('test')} out for a test of raters and items"
    )


@NOTES
def order_written(_: Plan, file: str, items: int, seed: int) -> str:
    return (
        f"{file} has all {amount(items, 'item')} in a random order (seed {seed}): run them in it, so that the first ones are a fair sample of all. "
        f"With {option('anytime')} pass it to {verb('compare')}: {option('item_order', file)}"
    )


@NOTES
def looks_save(_: Plan, looks: int, share: float, most: float) -> str:
    return (
        f"with {looks} looks the same power takes {percent(round(share, 2))} fewer items on average, and at most "
        f"{percent(round(most, 3))} more: {option('looks', str(looks))}"
    )
