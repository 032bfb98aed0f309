"""Notes on the limits of a comparison by raters or votes, as codes and values, and its signature."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import RatingsResult
from tellapart.answers.parts import Note
from tellapart.choosing.pairs import FEW_LEVELS
from tellapart.data.rater_pairs import RatedPair, VotePair
from tellapart.foundation.decision import EstablishedClaims, rejects
from tellapart.foundation.seeds import fingerprint
from tellapart.methods.significance.mixed_model import MixedModel
from tellapart.methods.significance.rater_sign_flip import RaterSignFlip
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.notes import disagreement, margin_notes
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.raters_and_votes.analysis import RaterAnalysis
from tellapart.verbs.compare.raters_and_votes.methods import in_both_orders, one_rater_per_item
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.signature import sign

# One line with everything needed to rerun a comparison by people.


def sign_people(analysis: Analysis, question: CompareQuestion) -> str:
    """Options that the answer depends on, and a hash of what was judged."""
    pair: Any = analysis.pair
    return sign(
        "compare",
        people_fingerprint(pair),
        test=analysis.test,
        interval=analysis.interval,
        alpha=analysis.alpha,
        margin=question.margin,
        lower_is_better=question.lower_is_better or None,
        ties=question.ties if isinstance(pair, VotePair) else None,
        order=_order(question),
    )


def sign_votes(answer: Comparison, pair: VotePair, question: CompareQuestion) -> str:
    """The signature of votes that were counted, or averaged within items."""
    return sign(
        "compare",
        people_fingerprint(pair),
        test=answer.test,
        interval=answer.interval.method,
        alpha=answer.alpha,
        margin=question.margin,
        effect=question.effect,
        lower_is_better=question.lower_is_better or None,
        ties=question.ties,
        order=_order(question),
    )


def _order(question: CompareQuestion) -> str | None:
    """Only where it was asked to be ignored; what it was is part of the votes."""
    return question.order if question.order == "ignore" else None


def people_fingerprint(pair: RatedPair | VotePair) -> str:
    """A short hash: equal for equal ratings or votes, whatever file they came from."""
    side = pair.of_b if isinstance(pair, RatedPair) else pair.b_first
    arrays = [np.ascontiguousarray(x) for x in (pair.values, side, pair.rater, pair.item) if x is not None]
    pieces = [piece for x in arrays for piece in (repr(x.shape).encode(), x.tobytes())]
    names = ["\x00".join(named or ()).encode(errors="surrogatepass") for named in (pair.raters, pair.items)]
    return fingerprint([*pieces, *names])


MOST_OF_IT = 0.5
"""The share of the uncertainty from which on it is worth saying where it comes from."""

FEW_RATERS = 15
"""Raters below which about one in ten equal systems or more is called different at 5 % if a few raters are far off to one side, simulated.

Of exponential differences .08 to .11, of lognormal ones .09 to .16. Most of these claims are made where those few happen to be missing, so
that nothing in the ratings shows it: the note goes by the number of raters alone.
"""

_LEVELS = {"rater_effect_sd": "raters", "item_effect_sd": "items"}
"""Spreads that decide about the answer, and what they are spreads between."""


def notes_on_raters(
    analysis: RaterAnalysis, shown: EstablishedClaims, spread: RatingsResult, question: CompareQuestion
) -> tuple[Note, ...]:
    """All that there is to note."""
    return (
        *_ratings(analysis, spread),
        *_opposite(analysis, spread.plain_difference),
        *_levels(spread),
        *_shares(spread),
        *_boundary(spread),
        *_method(analysis),
        *disagreement(analysis, shown),
        *margin_notes(analysis, shown, question),
        *_more(question),
        Note("pvalue_method", {"method": analysis.outcome.method, "error": float(analysis.outcome.error)}),
    )


def _more(question: CompareQuestion) -> Iterator[Note]:
    """Which plan answers how many raters and items an effect takes, where it was asked."""
    if question.effect is not None:
        yield Note("raters_by_plan", {"effect": abs(question.effect), "power": POWER})


def notes_on_fixed(pair: RatedPair) -> tuple[Note, ...]:
    """Of raters who were averaged: whether they rated more than once, and both systems alike."""
    return (*_repeats(pair), *uneven_raters(pair))


def _ratings(analysis: RaterAnalysis, spread: RatingsResult) -> Iterator[Note]:
    pair = analysis.pair
    if not isinstance(pair, RatedPair):
        if pair.repeats:
            yield Note("repeated_votes_averaged", {"votes": pair.repeats})
        return
    yield from _repeats(pair)
    if spread.mode == "single":
        unpaired = spread.ratings - 2 * spread.pairs
        yield Note("unpaired_ratings_used", {"unpaired": unpaired, "ratings": spread.ratings})
        yield from uneven_raters(pair)
    if spread.dropped_terms and not one_rater_per_item(analysis.judged):
        yield Note("terms_dropped", {"terms": list(spread.dropped_terms)})


def _repeats(pair: RatedPair) -> Iterator[Note]:
    if pair.repeats:
        yield Note("repeats_averaged", {"ratings": pair.repeats})


def uneven_raters(pair: RatedPair) -> Iterator[Note]:
    """How many of the items that both systems were rated on have a rater who rated both of them."""
    items = len(pair.items)
    of_a, of_b = (np.bincount(pair.item[which], minlength=items) > 0 for which in (~pair.of_b, pair.of_b))
    same = np.bincount(pair.item[pair.complete], minlength=items) > 0
    shared = int((of_a & of_b).sum())
    if not bool(pair.complete.all()):
        yield Note(
            "raters_uneven",
            {"same_rater": int(same.sum()), "items": shared, "share": float(same.sum()) / max(shared, 1)},
        )


def _opposite(analysis: RaterAnalysis, plain: float) -> Iterator[Note]:
    """Who rated what can turn a difference round; what the order did has a note of its own."""
    if analysis.effect * plain < 0.0 and not in_both_orders(analysis.judged):
        yield Note("plain_difference_opposes", {"plain_difference": plain})


def _levels(spread: RatingsResult) -> Iterator[Note]:
    if spread.raters < FEW_RATERS:
        yield Note("few_raters", {"raters": spread.raters, "below": FEW_RATERS})


def _shares(spread: RatingsResult) -> Iterator[Note]:
    for levels in ("raters", "items"):
        if spread.shares[levels] >= MOST_OF_IT:
            yield Note("uncertainty_share", {"of": levels, "share": spread.shares[levels]})


def _boundary(spread: RatingsResult) -> Iterator[Note]:
    counts = {"raters": spread.raters, "items": spread.items}
    for sd in spread.singular:
        if sd in _LEVELS:
            yield Note("no_spread_seen", {"sd": sd, "between": _LEVELS[sd], "levels": counts[_LEVELS[sd]]})


def _method(analysis: RaterAnalysis) -> Iterator[Note]:
    """A test that was named for other questions, or that takes spreads for known."""
    test = analysis.inner
    if isinstance(test, MixedModel):
        if test.df != "cochran" and analysis.judged.raters < FEW_LEVELS:
            yield Note("needs_more_raters", {"raters": analysis.judged.raters, "below": FEW_LEVELS})
        if test.df == "normal":
            yield Note("spreads_taken_for_known", {"raters": analysis.judged.raters})
        return
    if not one_rater_per_item(analysis.judged):
        yield Note("on_these_items", {"test": test.name})
    if isinstance(test, RaterSignFlip):
        least = test.least_pvalue(analysis.judged.raters)
        if not rejects(least, analysis.alpha):
            yield Note("too_few_raters_to_flip", {"raters": analysis.judged.raters, "least_pvalue": least})
