"""Sentences about an arena leaderboard from votes: headline, result sentence and notes."""

from dataclasses import replace

from tellapart.answers.arena import Arena
from tellapart.answers.leaderboard import MoreItems
from tellapart.answers.leaderboard.texts import counts_against
from tellapart.answers.plan.check_texts import checked
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, confidence, number, percent, signed, significant, thousands
from tellapart.foundation.surfaces import option

NOTES: NoteTexts[Arena] = NoteTexts()

MOST_QUOTED = 6
"""Ratings in the sentence to quote."""

TIE_RULES = {"half": "ties half", "davidson": "Davidson's ties", "drop": "without ties"}


def with_texts(answer: Arena) -> Arena:
    promised = replace(answer, guarantee=_guarantee(answer))
    return replace(
        promised,
        headline=_arena_headline(promised),
        sentence=_arena_sentence(promised),
        plan=None if answer.plan is None else checked(answer.plan),
        more_votes=None if answer.more_votes is None else _arena_more_votes(promised, answer.more_votes),
        notes=NOTES.with_texts(answer, answer.notes),
    )


def _guarantee(answer: Arena) -> str:
    if answer.controls == "none":
        return f"{confidence(answer.alpha)} for each pair alone"
    return f"{confidence(answer.alpha)} family-wise"


def _arena_headline(answer: Arena) -> str:
    found = answer.separation
    if answer.baseline is not None:
        return counts_against(answer.baseline, found)
    if answer.controls == "none":
        return f"{thousands(found.told_apart)} of {amount(found.pairs, 'pair')} of systems differ ({answer.guarantee})"
    best = [standing.name for standing in answer.systems if standing.may_be_best]
    if not found.told_apart:
        return f"undetermined: these votes do not tell the {thousands(found.systems)} systems apart"
    if len(best) == 1:
        return f"{best[0]} alone may be the best of {thousands(found.systems)}"
    return f"{thousands(len(best))} of {thousands(found.systems)} systems may be the best"


def _arena_sentence(answer: Arena) -> str:
    shown = ", ".join(f"{s.name} {_rating(answer, s.mean)}" for s in answer.systems[:MOST_QUOTED])
    more = ", …" if len(answer.systems) > MOST_QUOTED else ""
    tiers = "" if answer.baseline else f", {amount(answer.separation.tiers, 'tier')}"
    anchor = answer.model.anchor
    level = (
        f"{anchor[0]} at {_rating(answer, anchor[1])}"
        if anchor
        else "mean 1000"
        if answer.model.scale == "elo"
        else "mean 0"
    )
    return (
        f"{shown}{more} (Bradley–Terry, {TIE_RULES[answer.model.ties]}, {amount(answer.votes, 'vote')}, {level}): "
        f"{thousands(answer.separation.told_apart)} of {amount(answer.separation.pairs, 'pair')} told apart"
        f"{tiers}; {answer.guarantee}."
    )


def _rating(answer: Arena, rating: float) -> str:
    return number(rating, 0) if answer.model.scale == "elo" else number(rating, 2)


def _arena_more_votes(answer: Arena, more: MoreItems) -> MoreItems:
    whom = f"{answer.baseline} and the best of the others" if answer.baseline else "the top two"
    text = (
        f"these votes would separate {whom} if they were {significant(more.separable, 2)} {answer.unit} apart ({percent(more.power)} power); "
        f"at {significant(more.gap, 2)} {answer.unit} it takes {thousands(more.top_two)} votes, shared out as here"
    )
    return replace(more, text=text)


@NOTES
def separated(answer: Arena, blocks: int) -> str:
    groups = " > ".join(", ".join(block) for block in answer.model.separated or ())
    return (
        f"some systems won or lost every vote against the others ({amount(blocks, 'block')}: {groups}), so their strengths have no finite estimate: all "
        "are fitted with Firth's penalty and judged by the model's own standard errors, which is cautious"
    )


@NOTES
def separated_falls_back(_: Arena, clusters: bool, davidson: bool) -> str:
    left = [text for text, there in (("clusters", clusters), ("Davidson's ties", davidson)) if there]
    return f"with systems separated like this, {' and '.join(left)} cannot be used: ties count half and votes count as independent"


NOTES.plain(
    covariates_separate=(
        "together with the order of showing, ties or a control the votes have no finite fit: strengths are fitted with Firth's penalty, ties as half, votes as "
        "independent and without a control, and judged by the model's own standard errors, which is cautious"
    ),
    ratings_overlap="two ratings may have overlapping intervals and still be told apart: go by the table of pairs",
)


@NOTES
def davidson_falls_back(_: Arena, ties: int) -> str:
    return f"{'all votes are ties' if ties else 'no vote is a tie'}, so that Davidson's model has no ν to fit: ties count half"


@NOTES
def few_effective_clusters(_: Arena, effective: float, by: str) -> str:
    what = "raters and items" if by == "both" else f"{by}s"
    return f"for some pair only {number(effective, 0)} {what} count effectively: each pair is judged by its own t, with Holm's correction"


@NOTES
def one_cluster_alone(_: Arena, systems: list[str], by: str, pairs: int) -> str:
    one = {"rater": "by one rater", "item": "on one item", "both": "by one rater or on one item"}.get(by, "alike")
    who = f" ({', '.join(systems[:MOST_QUOTED])}{', …' if len(systems) > MOST_QUOTED else ''})" if systems else ""
    return f"{amount(pairs, 'pair')} met only by way of votes {one}{who}, which say nothing of others: these are not judged"


@NOTES
def order_adjusted(answer: Arena, first_wins: float) -> str:
    return (
        f"the one shown first won {percent(first_wins, 2)} of decided votes; strengths are for both orders alike "
        f"(order effect {signed(answer.model.order or 0.0, 2)} ± {number(answer.model.order_margin or 0.0, 2)})"
    )


@NOTES
def control_adjusted(answer: Arena, column: str) -> str:
    effect, margin = answer.model.control or 0.0, answer.model.control_margin or 0.0
    return (
        f"strengths are those of equal {column}: a standard deviation of it adds {signed(effect, 2)} ± {number(margin, 2)} to the log odds. "
        "That it is no quality of the systems is your claim, not a finding"
    )


@NOTES
def control_left_out(_: Arena, column: str) -> str:
    return f"with systems separated like this, strengths are not adjusted for {column}"


@NOTES
def order_not_adjusted(_: Arena, known: float) -> str:
    why = (
        "all votes are in one order" if known == 1.0 else f"only {percent(known, 2)} of votes say which was shown first"
    )
    return f"the order of showing is not adjusted for: {why}. {option('order', 'ignore')} says that this is meant"


@NOTES
def repeated_votes(_: Arena, votes: int) -> str:
    return f"{amount(votes, 'vote')} repeat a rater's earlier vote on the same pair and item; all are counted"


@NOTES
def few_votes(_: Arena, systems: list[str]) -> str:
    return f"fewer than two votes: {', '.join(systems)}; the ranks of these can be almost anything"


@NOTES
def poor_fit(_: Arena, pvalue: float, a: str, b: str) -> str:
    return (
        f"one line of strengths does not fit all pairs (p = {significant(pvalue, 2)}): the order depends on who met whom; {a} and {b} differ most "
        "from what the others say"
    )
