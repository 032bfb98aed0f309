"""What the sheet of a comparison says of those who judged."""

from tellapart.render.grid import Cell, Column, Grid
from tellapart.results.comparison import Comparison
from tellapart.results.note import codes
from tellapart.results.people import RatingsResult, VotesResult
from tellapart.wording import amount, one_line, percent, pvalue, signed_short, significant, thousands

_SPREADS = {
    "rater_effect_sd": "B − A between raters",
    "item_effect_sd": "B − A between items",
    "residual_sd": "one rating",
    "rater_sd": "levels of raters",
    "item_sd": "levels of items",
    "rater_item_sd": "levels of a rater on an item",
}


def votes_grid(answer: Comparison) -> tuple[Grid, ...]:
    """How many votes each system won."""
    found = answer.votes
    if found is None:
        return ()
    columns = (
        Column("votes", "name"),
        Column(f"{one_line(answer.a.name)} won", "number"),
        Column("tied", "number"),
        Column(f"{one_line(answer.b.name)} won", "number"),
    )
    counts = tuple(Cell(thousands(n), (n,)) for n in (found.wins_a, found.ties, found.wins_b))
    return (Grid(columns, ((Cell(""), *counts),), "votes by who won"),)


def people_facts(answer: Comparison) -> list[tuple[str, str]]:
    """Who judged how much, and how they spread."""
    ratings, votes = answer.ratings, answer.votes
    unnamed = "each_vote_own_rater" in codes(answer.notes)
    return [
        ("raters", "" if ratings is None else _raters(ratings, votes, unnamed=unnamed)),
        ("spread (sd)", "" if ratings is None else _spreads(ratings, votes)),
        ("uncertainty", "" if ratings is None else _shares(ratings)),
        ("plain average", "" if ratings is None or votes is not None else _plain(ratings)),
        ("Davidson", "" if votes is None else _davidson(votes)),
        ("shown first", "" if votes is None else _first(votes)),
        ("share as voted", "" if votes is None else _raw_share(answer, votes)),
    ]


def _raters(found: RatingsResult, votes: VotesResult | None, *, unnamed: bool) -> str:
    if votes is not None:
        return "one for each vote, as nobody says who voted" if unnamed else thousands(found.raters)
    pairs = f", {amount(found.pairs, 'pair')}" if found.pairs else ", no pairs"
    return f"{thousands(found.raters)}, with {amount(found.ratings, 'rating')}{pairs}"


def _spreads(found: RatingsResult, votes: VotesResult | None) -> str:
    named = {**_SPREADS, "residual_sd": "one vote"} if votes is not None else _SPREADS
    return ", ".join(f"{named[name]} {significant(sd, 2)}" for name, sd in found.sds.items())


def _shares(found: RatingsResult) -> str:
    return ", ".join(f"{percent(share, 2)} {name}" for name, share in found.shares.items())


def _plain(found: RatingsResult) -> str:
    return f"B − A {signed_short(found.plain_difference)} without regard to who rated what"


def _davidson(found: VotesResult) -> str:
    if found.log_odds is None or found.nu is None:
        return ""
    return f"log odds {signed_short(found.log_odds)}, ties ν = {significant(found.nu, 3)}"


def _first(found: VotesResult) -> str:
    if found.first_wins is None or found.first_pvalue is None:
        return ""
    return f"won {thousands(found.first_wins)} decided votes, {pvalue(found.first_pvalue)}"


def _raw_share(answer: Comparison, found: VotesResult) -> str:
    """Of B, where the effect is another because it weighs both orders alike."""
    if not found.order_adjusted:
        return ""
    return f"{one_line(answer.b.name)} {percent(found.raw_share_b, 2)}, with orders weighted as often as they occur"
