"""How a comparison speaks of those who judged."""

from tellapart.doors import option, verb
from tellapart.results.comparison import Comparison
from tellapart.results.note import codes
from tellapart.results.people import RatingsResult, sds_of_ratings
from tellapart.wording import amount, significant


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
    return f"how many raters and items it would take tells {planned(answer)} {option('effect', '…')} {option('power', '0.8')}"


def planned(answer: Comparison) -> str:
    """The plan of ratings with the spreads seen."""
    assert answer.ratings is not None, "a model was fitted"
    sds = sds_of_ratings(answer.ratings, answer.votes)
    asked = ("rater_effect_sd", "item_effect_sd", "residual_sd")
    # What these ratings cannot tell is left for the reader to suppose.
    spreads = " ".join(option(name, significant(sds[name], 2) if name in sds else "…") for name in asked)
    return f"{verb('plan')} ratings {spreads}"
