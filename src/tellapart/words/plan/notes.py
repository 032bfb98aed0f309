"""The notes of a plan, in words."""

from typing import Any

from tellapart.doors import option
from tellapart.results.plan import Plan
from tellapart.wording import percent, significant, thousands
from tellapart.words.reading import READING
from tellapart.words.sayings import Sayings
from tellapart.words.workers import STOPPED

NOTES: Sayings[Plan] = Sayings(READING, STOPPED)

TOO_LARGE = (
    "an estimate that is too large more often than not when it looks promising; plan for the smallest effect that matters "
    "instead"
)


@NOTES
def interrupted(_: Plan, answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    return f"interrupted: {_left_out(answered, asked, replicates, asked_replicates)}"


@NOTES
def time_limit(_: Plan, answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    return f"stopped when the time was up: {_left_out(answered, asked, replicates, asked_replicates)}"


def _left_out(answered: int, asked: int, replicates: int | None, asked_replicates: int) -> str:
    said = []
    if answered < asked:
        said.append(f"{thousands(answered)} of {thousands(asked)} studies are answered")
    if replicates is not None:
        said.append(
            f"only {thousands(replicates)} of {thousands(asked_replicates)} replicates were simulated, and intervals are wider for it"
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
    return f"both systems are taken to answer the same items ({population}); if each answers its own, name {' or '.join(otherwise)}"


@NOTES
def prices_assumed(_: Plan, rating: float, item: float, rater: float, budget: float | None) -> str:  # noqa: ARG001  (for those who read values)
    counted = "ratings are counted, and raters and items cost nothing"
    paid = (
        counted
        if budget is None
        else f"the budget is one of ratings ({budget:g}), and raters and items cost nothing"
    )
    return (
        f"no prices are given: {paid}. Where each rater has to be found and trained, say what that costs: {option('cost_rater')}, and "
        f"{option('cost_item')}, {option('cost_rating')}"
    )


@NOTES
def searched_about(_: Plan, per_item: int) -> str:  # noqa: ARG001  (for those who read values)
    return (
        "designs in which an item has some of the raters are looked for by an approximation of their power, mostly within 0.02; that of the one shown "
        "is simulated, and others may do as well"
    )


@NOTES
def comparisons_share_alpha(_: Plan, comparisons: int, alpha: float, each: float, sidak: float) -> str:
    return (
        f"{comparisons} comparisons at {alpha:g} together: each is tested at {each:.4g} (Bonferroni; Šidák's {sidak:.4g} "
        "would do for independent ones)"
    )


@NOTES
def all_pairs_share_alpha(
    _: Plan, systems: int, pairs: int, alpha: float, each: float, bonferroni: float
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
        f"which test `compare` runs on {thousands(items)} such items depends on their scores: {named}; the power is that of the "
        "choice and the chosen test together"
    )


@NOTES
def compare_chooses(answer: Plan, items: int, chosen: str, planned: str) -> str:
    return f"on {thousands(items)} such {answer.rows[0].counts} `compare` would choose {chosen} by itself; name {planned} there, or leave it out here"


@NOTES
def formula_nearly_exact(_: Plan, widest: float) -> str:
    return (
        "power is that of a normal mean, and a mean of so many such differences is nearly one: how far it can be off is the "
        f"interval on power, up to {significant(widest)} wide"
    )


@NOTES
def saw_tooth(answer: Plan, items: int, stable_from: int) -> str:
    return f"power goes up in a saw-tooth: {thousands(items)} {answer.rows[0].counts} reach it first, from {thousands(stable_from)} on it stays"


@NOTES
def power_simulated(_: Plan, replicates: int, widest: float, ends: int | None = None) -> str:
    band = f"; the ends of what evidence leaves open are from {thousands(ends)}" if ends else ""
    return f"power is simulated ({thousands(replicates)} replicates): its 95 % interval is up to {significant(widest)} wide{band}"


@NOTES
def pilots_own_effect(_: Plan, effect: float) -> str:
    return f"planned for the pilot's own effect ({effect:+.4g}), {TOO_LARGE}"


@NOTES
def assured(_: Plan, items: int, unassured: int, power: float, assurance: float) -> str:
    return (
        f"{thousands(items)} items instead of {thousands(unassured)}: so many that the power is at least "
        f"{percent(power)} with probability {assurance:g}, although the spread is only estimated"
    )


@NOTES
def pilot_correlation(_: Plan, correlation: float, low: float, high: float) -> str:
    return f"the pilot's correlation is r = {correlation:.2f} (95 % interval {low:.2f} to {high:.2f}, Fisher's z)"


@NOTES
def spread_from_pilot(_: Plan, items: int) -> str:
    return f"the spread comes from a pilot of {thousands(items)} items; the interval on power carries that uncertainty"


@NOTES
def small_pilot(_: Plan, below: int) -> str:
    return f"a pilot below {below} items says little about tails: treat the plan as a first guess"


@NOTES
def far_beyond_pilot(_: Plan, times: int) -> str:
    return f"the plan is more than {times} times the pilot: rare items that the pilot never met will turn up"


@NOTES
def overlap_from_evidence(  # noqa: PLR0913, PLR0917  (a band has as many numbers)
    answer: Plan, evidence: str, among: str, expected: float, low: float, high: float, band: str
) -> str:
    said = (
        f"{evidence} says"
        if among
        else "nothing was seen at this accuracy, and the middle of what is possible is"
    )
    return (
        f"no discordance was given: {said} {significant(expected, 3)} ({band} between "
        f"{significant(low)} and {significant(high)}). {_over_the_band(answer)}"
    )


@NOTES
def spread_from_evidence(answer: Plan, supposed: list[dict[str, Any]]) -> str:
    absent = " and no ".join(one["name"] for one in supposed)
    sources = dict.fromkeys(one["evidence"] for one in supposed)
    said = (_said_by(source, [one for one in supposed if one["evidence"] == source]) for source in sources)
    return f"no {absent} was given: {'; '.join(said)}. {_over_the_band(answer)}"


def _said_by(source: str, supposed: list[dict[str, Any]]) -> str:
    """What one piece of evidence says, and among whom."""
    amounts = " and ".join(map(_amount, supposed))
    return f"{source} says {amounts} among {supposed[0]['among']} ({supposed[0]['band']})"


_AMOUNTS = {
    "sd": "an sd of",
    "correlation": "a correlation of",
    "mean": "a mean of",
    "zero_share": "a share of zeros of",
    "scale": "a scale of",
}


def _amount(one: dict[str, Any]) -> str:
    expected, low, high = (significant(one[name], 3) for name in ("expected", "low", "high"))
    scale = f" for {one['scale']}" if one["scale"] and one["name"] == "sd" else ""
    return f"{_AMOUNTS[one['name']]} {expected}{scale} ({low} to {high})"


@NOTES
def effect_from_evidence(  # noqa: PLR0913, PLR0917  (a band has as many numbers)
    _: Plan, evidence: str, accuracy: float, expected: float, low: float, high: float, band: str
) -> str:
    return (
        f"no effect was given: {evidence} expects a gain of {significant(expected, 3)} over an accuracy of {accuracy:g} ({band} between "
        f"{_signed(low)} and {_signed(high)}); smaller ones take more items"
    )


def _signed(value: float) -> str:
    return significant(value).replace("-", "−")


@NOTES
def other_boards_differ(_: Plan, others: list[dict[str, Any]]) -> str:
    said = "; ".join(
        f"{one['evidence']} {significant(one['expected'])} [{significant(one['low'])}, {significant(one['high'])}] (seen from "
        f"{one['seen_from']:g} to {one['seen_to']:g})"
        for one in others
    )
    return f"other boards differ at such accuracies: {said}. Take the one whose systems are like yours: {option('evidence')}"


def _over_the_band(answer: Plan) -> str:
    row = answer.rows[0]
    if answer.solved_for == "power":
        low, high = (percent(round(x, 3)) for x in (row.power_low, row.power_high))
        return f"Over that band the power is {low} to {high}"
    if row.solved_low is None or row.solved_high is None:
        return "At the end of that band nothing can be solved"
    if answer.solved_for == "items":
        return f"Over that band it takes {thousands(round(row.solved_low))} to {thousands(round(row.solved_high))} items"
    return (
        f"Over that band the effect is {significant(row.solved_low, 3)} to {significant(row.solved_high, 3)}"
    )


@NOTES
def evidence_source(_: Plan, evidence: str, source: str, uncertainty: str, caution: str) -> str:
    return f"{evidence}: {source}; {uncertainty}" + (f"; {caution}" if caution else "")


@NOTES
def outside_evidence(_: Plan, evidence: str, accuracy: float, low: float, high: float) -> str:
    return f"accuracy {accuracy:g} lies outside what {evidence} was seen at ({low:g} to {high:g})"


@NOTES
def ratings_from_evidence(answer: Plan, evidence: str, spreads: dict[str, dict[str, float]]) -> str:
    said = ", ".join(
        f"{name} {one['expected']:g} ({one['low']:g} to {one['high']:g})" for name, one in spreads.items()
    )
    return f"no spreads were given: {evidence} says {said}, for ratings between 0 and 1. {_over_the_band(answer)}"


@NOTES
def spreads_of_pilot_ratings(_: Plan, raters: int, items: int, spreads: dict[str, float]) -> str:
    said = ", ".join(f"{name} {significant(sd, 3)}" for name, sd in spreads.items())
    none = [name for name, sd in spreads.items() if sd == 0.0]
    unseen = f"; of {' and '.join(none)} it saw nothing, which says little" if none else ""
    return (
        f"the spreads were fitted to a pilot of {raters} raters and {thousands(items)} items ({said}){unseen}. The plan takes them for true, "
        "and a pilot of few raters can be far off"
    )


@NOTES
def averages_raters(_: Plan, test: str, size: float, alpha: float) -> str:
    return (
        f"{test} averages over raters, as if no others were meant: of systems that other raters would call equal it finds {percent(round(size, 3))} "
        f"different, at a level of {percent(alpha)}. Leave {option('test')} out for a test of raters and items"
    )
