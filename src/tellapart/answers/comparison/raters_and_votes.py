"""Sentences and notes of a comparison from human ratings or votes."""

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import RatingsResult, sds_of_ratings
from tellapart.answers.parts import codes
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, one_line, percent, pvalue, signed_short, significant, thousands
from tellapart.foundation.surfaces import option


def these(answer: Comparison) -> str:
    """What was not enough, where nothing is shown."""
    if answer.votes is not None:
        return f"these votes{' of these raters' if in_whose_eyes(answer) else ''}"
    if answer.ratings is None:
        return "these items"
    return "these raters on these items" if answer.ratings.mode == "fixed" else "these raters and items"


def in_whose_eyes(answer: Comparison) -> str:
    """Behind a claim that is about some raters only."""
    fixed = answer.ratings is not None and answer.ratings.mode == "fixed"
    return " in the eyes of these raters" if fixed else ""


def sample_of(answer: Comparison) -> str:
    """How much was judged, by how many."""
    found, votes = answer.ratings, None if answer.votes is None else answer.votes.counted
    if votes is not None:
        return f"{amount(votes, 'vote')}{'' if found is None else _by_whom(answer, found)}"
    assert found is not None, "people rated, or voted"
    by = "" if found.mode == "fixed" else f"{amount(found.raters, 'rater')}, "
    return f"{by}{amount(found.items, 'item')}"


def _by_whom(answer: Comparison, found: RatingsResult) -> str:
    """Raters and items of votes, as far as columns say them."""
    supposed = codes(answer.notes)
    raters = "" if "each_vote_own_rater" in supposed else f" by {amount(found.raters, 'rater')}"
    items = "" if "each_vote_own_item" in supposed else f" on {amount(found.items, 'item')}"
    return f"{raters}{items}"


def detecting(answer: Comparison) -> str:
    """What detects an effect."""
    found = answer.ratings
    if found is not None and found.mode == "fixed":
        return f"{amount(answer.items, 'item')} judged by these raters"
    if answer.votes is not None or found is None:
        return sample_of(answer)
    return f"{amount(found.raters, 'rater')} and {amount(found.items, 'item')}"


def counted_as(answer: Comparison) -> str:
    """What there may be more of."""
    if in_whose_eyes(answer):
        return "items judged by these raters"
    if answer.votes is not None:
        return "votes"
    return f"items{together(answer)}"


def together(answer: Comparison) -> str:
    """Whose items they are, where each system has its own."""
    apart = any(note.code == "no_shared_items" for note in answer.notes)
    return " of both systems together" if apart else ""


def more_would_settle(answer: Comparison) -> str:
    """Which plan tells how many raters and items it would take, at the spreads seen; "" where no model has found any."""
    found = answer.ratings
    if found is None or found.mode == "fixed" or answer.verdict != "undetermined":
        return ""
    effect = significant(abs(answer.effect)) if answer.effect else "…"
    return f"to plan raters and items for a difference as large as this one: {planned(answer)} --effect {effect} --power 0.8"


def planned(answer: Comparison) -> str:
    """The command that plans ratings with the spreads seen."""
    assert answer.ratings is not None, "a model was fitted"
    sds = sds_of_ratings(answer.ratings, answer.votes)
    asked = ("rater_effect_sd", "item_effect_sd", "residual_sd")
    # What these ratings cannot tell is left for the reader to suppose.
    seen = {name: significant(sds[name], 2) if name in sds else "…" for name in asked}
    return " ".join(["tellapart plan ratings", *(f"--{name.replace('_', '-')} {sd}" for name, sd in seen.items())])


# The notes of a comparison by people, in words.

PEOPLE: NoteTexts[Comparison] = NoteTexts()

_TERMS = {
    "rater_effect": "raters' own difference between the systems",
    "item_effect": "items' own difference between the systems",
    "rater": "how high raters rate",
    "item": "how high items are rated",
    "rater_item": "what a rater thinks of an item",
    "residual": "the rest",
}


@PEOPLE
def unpaired_ratings_used(_: Comparison, unpaired: int, ratings: int) -> str:
    return (
        f"{thousands(unpaired)} of {thousands(ratings)} ratings have no partner (the same rater on the other system and the same item): single "
        "ratings were fitted, with the levels of raters and items"
    )


@PEOPLE
def raters_uneven(_: Comparison, same_rater: int, items: int, share: float) -> str:
    return (
        f"raters are unevenly spread over the systems: on {percent(share, 2)} of {amount(items, 'item')} that both were rated on "
        f"({thousands(same_rater)}) a rater rated both"
    )


@PEOPLE
def terms_dropped(_: Comparison, terms: list[str]) -> str:
    named = " and ".join(_TERMS[term] for term in terms)
    return f"left out, because these ratings cannot separate it from other spreads: {named}"


@PEOPLE
def plain_difference_opposes(answer: Comparison, plain_difference: float) -> str:
    return (
        f"the plain difference of averages is {signed_short(plain_difference)} and the effect "
        f"{signed_short(answer.effect)}: its sign comes from who rated what, which the effect allows for"
    )


@PEOPLE
def repeats_averaged(_: Comparison, ratings: int) -> str:
    were = "was" if ratings == 1 else "were"
    return f"{amount(ratings, 'repeated rating')} of a rater on the same system and item {were} averaged with the first"


@PEOPLE
def repeated_votes_averaged(_: Comparison, votes: int) -> str:
    were = "was" if votes == 1 else "were"
    return f"{amount(votes, 'repeated vote')} of a rater on the same item {were} averaged with the first"


@PEOPLE
def each_vote_own_rater(_: Comparison, votes: int) -> str:
    return (
        f"no column says who voted: each of {thousands(votes)} votes counts as a rater of its own. If some voted "
        f"more than once, name the column: {option('column', 'rater=…')}"
    )


@PEOPLE
def each_vote_own_item(_: Comparison, votes: int) -> str:
    return (
        f"no column says what was voted on: each of {thousands(votes)} votes counts as an item of its own. If items "
        f"were voted on more than once, name the column: {option('column', 'item=…')}"
    )


@PEOPLE
def few_raters(_: Comparison, raters: int, below: int) -> str:
    return (
        f"{amount(raters, 'rater')} (fewer than {below}) cannot show whether a few raters are far off to one side: "
        "if so, 10 % or more of equal systems are called different at a level of 5 %"
    )


@PEOPLE
def needs_more_raters(answer: Comparison, raters: int, below: int) -> str:
    return (
        f"with {amount(raters, 'rater')} (fewer than {below}) {answer.test} can call equal systems different more often than "
        f"{percent(answer.alpha)} of the time, which {option('test', 'mixed_model(df=cochran)')} does not"
    )


@PEOPLE
def uncertainty_share(_: Comparison, of: str, share: float) -> str:
    other = "items" if of == "raters" else "raters"
    return f"{percent(share, 2)} of the uncertainty comes from {of}: more {other} cannot reduce that"


@PEOPLE
def no_spread_seen(_: Comparison, sd: str, between: str, levels: int) -> str:  # noqa: ARG001  (for those who read values)
    little = "; with so few that says little" if levels < 20 else ""
    return f"no spread between {between} is seen in how much better B is; there are {thousands(levels)}{little}"


@PEOPLE
def raters_by_plan(answer: Comparison, effect: float, power: float) -> str:
    return (
        f"to plan raters and items for an effect of {effect:g}: {planned(answer)} --effect {effect:g} --power {power:g}"
    )


@PEOPLE
def spreads_taken_for_known(answer: Comparison, raters: int) -> str:
    return (
        f"{answer.test} takes the spreads as known: with {amount(raters, 'rater')} it calls equal systems different "
        f"more often than {percent(answer.alpha)} of the time"
    )


@PEOPLE
def on_these_items(_: Comparison, test: str) -> str:
    return f"{test} is about these items only: raters share them, and other items would move all raters together; for new items use mixed_model"


@PEOPLE
def too_few_raters_to_flip(answer: Comparison, raters: int, least_pvalue: float) -> str:
    return (
        f"flipping the signs of {amount(raters, 'rater')} gives no p-value below {least_pvalue:g}: nothing can be "
        f"significant at {percent(answer.alpha)}"
    )


@PEOPLE
def first_shown_wins(_: Comparison, first_wins: int, decided: int, pvalue: float) -> str:
    return f"{_shown_first_text(first_wins, decided)} ({_p(pvalue)}): the order matters"


@PEOPLE
def order_of_no_effect(_: Comparison, first_wins: int, decided: int, pvalue: float) -> str:
    return f"{_shown_first_text(first_wins, decided)} ({_p(pvalue)}): that the order matters is not shown"


def _shown_first_text(first_wins: int, decided: int) -> str:
    return f"the system shown first won {thousands(first_wins)} of {amount(decided, 'decided vote')}"


def _p(value: float) -> str:
    return pvalue(value)


@PEOPLE
def order_adjusted(answer: Comparison, b_first: int, votes: int, raw_effect: float) -> str:
    return (
        f"B was shown first in {thousands(b_first)} of {amount(votes, 'vote')}: effect, interval and p give both orders equal weight, so they are only as "
        f"precise as the rarer order allows; unweighted, the effect is {signed_short(raw_effect)} instead of {signed_short(answer.effect)}"
    )


@PEOPLE
def shown_in_one_order(answer: Comparison, first: str, votes: int) -> str:
    name = one_line((answer.a if first == "a" else answer.b).name)
    return (
        f"{name} was shown first in all {thousands(votes)} votes: the effect of the order cannot be separated from "
        f"the systems and is not adjusted for. {option('order', 'ignore')} says that this is meant"
    )


@PEOPLE
def order_partly_known(_: Comparison, unknown: int, votes: int) -> str:
    return (
        f"{thousands(unknown)} of {amount(votes, 'vote')} do not say which system was shown first: the effect of the order "
        f"cannot be separated from the systems and is not adjusted for. {option('order', 'ignore')} says that this is meant"
    )


@PEOPLE
def method_takes_no_order(answer: Comparison, method: str, effect: float) -> str:
    return (
        f"{method} ignores the order: with both orders weighted alike the effect is {signed_short(effect)} instead "
        f"of {signed_short(answer.effect)}. Leave the method out, or confirm with {option('order', 'ignore')}"
    )
