"""Sentences of the notes on where the assumptions of a plan come from: a pilot, or published evidence."""

from typing import Any

from tellapart.answers.plan import Plan
from tellapart.answers.plan.rater_texts import and_list
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import minus, percent, significant, thousands
from tellapart.foundation.surfaces import option

SOURCES: NoteTexts[Plan] = NoteTexts()

TOO_LARGE = (
    "an estimate that is usually too large when it looks promising; plan for the smallest effect that matters instead"
)


@SOURCES
def pilots_own_effect(_: Plan, effect: float) -> str:
    return f"planned for the pilot's own effect ({effect:+.4g}), {TOO_LARGE}"


@SOURCES
def assured(_: Plan, items: int, unassured: int, power: float, assurance: float) -> str:
    return (
        f"{thousands(items)} items instead of {thousands(unassured)}: so many that the power is at least "
        f"{percent(power)} with probability {assurance:g}, although the spread is only estimated"
    )


@SOURCES
def pilot_correlation(_: Plan, correlation: float, low: float, high: float) -> str:
    return f"the pilot's correlation is r = {correlation:.2f} (95 % interval {low:.2f} to {high:.2f}, Fisher's z)"


@SOURCES
def spread_from_pilot(_: Plan, items: int) -> str:
    return f"the spread comes from a pilot of {thousands(items)} items; the interval on power carries that uncertainty"


@SOURCES
def small_pilot(_: Plan, below: int) -> str:
    return f"a pilot below {below} items says little about tails: treat the plan as a first guess"


@SOURCES
def far_beyond_pilot(_: Plan, times: int) -> str:
    return f"the plan is more than {times} times the pilot: rare items that the pilot never met will turn up"


@SOURCES
def overlap_from_evidence(  # noqa: PLR0913, PLR0917  (a band has as many numbers)
    answer: Plan,
    evidence: str,
    among: str,
    measured: bool,
    expected: float,
    low: float,
    high: float,
    band: str,
    boards: list[str],
) -> str:
    said = (
        f"{evidence} says"
        if measured and among
        else "nothing was seen at this accuracy, and the middle of what is possible is"
    )
    return (
        f"no discordance was given: {said} {significant(expected, 3)} ({band} between "
        f"{significant(low)} and {significant(high)}). {_over_the_band(answer, and_list(boards))}"
    )


@SOURCES
def spread_from_evidence(answer: Plan, supposed: list[dict[str, Any]]) -> str:
    absent = " and no ".join(one["name"] for one in supposed)
    sources = dict.fromkeys(one["evidence"] for one in supposed)
    said = (_said_by(source, [one for one in supposed if one["evidence"] == source]) for source in sources)
    return f"no {absent} was given: {'; '.join(said)}. {_over_the_band(answer)}"


def _said_by(source: str, supposed: list[dict[str, Any]]) -> str:
    """The statement of one piece of evidence, and the systems it was seen on."""
    amounts = " and ".join(map(_evidence_amount, supposed))
    return f"{source} says {amounts} among {supposed[0]['among']} ({supposed[0]['band']})"


_AMOUNTS = {
    "sd": "an sd of",
    "correlation": "a correlation of",
    "mean": "a mean of",
    "zero_share": "a share of zeros of",
    "scale": "a scale of",
}


def _evidence_amount(one: dict[str, Any]) -> str:
    expected, low, high = (significant(one[name], 3) for name in ("expected", "low", "high"))
    scale = f" for {one['scale']}" if one["scale"] and one["name"] == "sd" else ""
    return f"{_AMOUNTS[one['name']]} {expected}{scale} ({low} to {high})"


@SOURCES
def effect_from_evidence(  # noqa: PLR0913, PLR0917  (a band has as many numbers)
    _: Plan, evidence: str, accuracy: float, expected: float, low: float, high: float, band: str
) -> str:
    return (
        f"no effect was given: {evidence} expects a gain of {significant(expected, 3)} over an accuracy of {accuracy:g} ({band} between "
        f"{_signed_number(low)} and {_signed_number(high)}); smaller ones take more items"
    )


def _signed_number(value: float) -> str:
    return minus(significant(value))


@SOURCES
def other_boards_differ(_: Plan, others: list[dict[str, Any]]) -> str:
    said = "; ".join(
        f"{one['evidence']} {significant(one['expected'])} [{significant(one['low'])}, {significant(one['high'])}] (seen from "
        f"{one['seen_from']:g} to {one['seen_to']:g})"
        for one in others
    )
    return f"other boards at such accuracies: {said}. Name the one whose systems are most like yours with {option('evidence')}"


def _over_the_band(answer: Plan, boards: str = "") -> str:
    row = answer.rows[0]
    over = f"Over {boards}" if boards else "Over that band"
    if answer.solved_for == "power":
        low, high = (percent(round(x, 3)) for x in (row.power_low, row.power_high))
        return f"{over} the power is {low} to {high}"
    if row.solved_low is None:
        return "These systems cannot have such an effect over all of that band"
    if row.solved_high is None:
        what = f"No number of {row.counts}" if answer.solved_for == "items" else "No effect"
        return f"{what} has the wanted power at its pessimistic end"
    if answer.solved_for == "items":
        return f"{over} it takes {thousands(round(row.solved_low))} to {thousands(round(row.solved_high))} {row.counts}"
    return f"{over} the effect is {significant(row.solved_low, 3)} to {significant(row.solved_high, 3)}"


@SOURCES
def evidence_source(_: Plan, evidence: str, source: str, uncertainty: str, caution: str) -> str:
    return f"{evidence}: {source}; {uncertainty}" + (f"; {caution}" if caution else "")


@SOURCES
def outside_evidence(_: Plan, evidence: str, accuracy: float, low: float, high: float) -> str:
    return f"accuracy {accuracy:g} lies outside the range that {evidence} covers ({low:g} to {high:g})"


@SOURCES
def ratings_from_evidence(
    answer: Plan,
    evidence: str,
    spreads: dict[str, dict[str, float]],
    range: tuple[float, float],  # noqa: A002  (the option)
) -> str:
    said = ", ".join(
        f"{name} {one['expected']:.3g} ({one['low']:.3g} to {one['high']:.3g})" for name, one in spreads.items()
    )
    low, high = range
    return (
        f"no spreads were given: {evidence} says {said}, for ratings from {low:g} to {high:g}. {_over_the_band(answer)}"
    )


@SOURCES
def spreads_of_pilot_ratings(_: Plan, raters: int, items: int, spreads: dict[str, float]) -> str:
    said = ", ".join(f"{name} {significant(sd, 3)}" for name, sd in spreads.items())
    none = [name for name, sd in spreads.items() if sd == 0.0]
    unseen = f"; of {' and '.join(none)} it saw nothing, which says little" if none else ""
    return (
        f"the spreads were fitted to a pilot of {raters} raters and {thousands(items)} items ({said}){unseen}. The plan takes them for true, "
        "and a pilot of few raters can be far off"
    )
