"""Comparison by votes: counted if independent, else modelled by raters and items like ratings."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import VotesResult
from tellapart.answers.parts import IntervalResult, Note
from tellapart.data.provenance import Remark
from tellapart.data.rater_pairs import VotePair
from tellapart.data.scores import Scores
from tellapart.data.summaries import Proportion
from tellapart.data.votes import Votes
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import TooFew, UsageError
from tellapart.foundation.formatting import amount
from tellapart.foundation.seeds import stream
from tellapart.foundation.surfaces import option
from tellapart.methods.intervals import INTERVALS
from tellapart.numerics.null_laws.tails import fair_pvalue
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.raters_and_votes.analysis import averaged_away, shares_of_votes
from tellapart.verbs.compare.raters_and_votes.answer import answer_by_raters
from tellapart.verbs.compare.raters_and_votes.notes import sign_votes
from tellapart.verbs.compare.raters_and_votes.orders import counted_by_order, order_notes, told_by_order

MEASURE = "share of votes"
IN_BOTH_ORDERS = f"{MEASURE}, both orders alike"
OF_DECIDED = ("cohen_g", "odds_ratio", "rank_biserial")
"""Effect sizes that go by wins and losses alone, however a tie is written as a score."""


def comparison_of_votes(
    given: Votes,
    names: tuple[str, str],
    question: CompareQuestion,
    of_scores: Callable[[Scores, CompareQuestion], Comparison],
) -> Comparison:
    """Votes that share no item and no rater are counted; others vary with their items and raters."""
    pair = given.pair(*names)
    _refuse_few(pair, names)
    if pair.raters is not None and len(pair.raters) == 1:
        answer = comparison_of_votes(replace(given, raters=(), rater=None), names, question, of_scores)
        return _of_one_rater(answer, pair.raters[0])
    _refuse_one_item(pair)
    if question.ties == "drop":
        _refuse_margin(question)
    kept = pair if question.ties == "half" else decided(pair)
    judged, kept_out = told_by_order(kept, question)
    adjusted = judged.b_first is not None
    counted = replace(count_votes(pair, question), order_adjusted=adjusted)
    if pair.shared and question.raters_as == "fixed":
        by_these = _in_both_orders_by_these if adjusted else _by_these_raters
        answer = by_these(judged, counted, names, question, of_scores)
    elif pair.shared:
        answer = answer_by_raters(judged, names, question, IN_BOTH_ORDERS if adjusted else MEASURE, counted)
        answer = replace(answer, notes=(*_unnamed(kept), *answer.notes))
    elif adjusted:
        answer = counted_by_order(judged, names, question, IN_BOTH_ORDERS, counted)
    else:
        answer = _counted(pair, counted, names, question, of_scores)
    return replace(answer, notes=(*order_notes(kept, counted, answer, kept_out), *answer.notes))


def _unnamed(pair: VotePair) -> Iterator[Note]:
    """Roles without a column, whose names are taken to differ between votes."""
    votes = int(pair.values.shape[-1])
    if pair.raters is None:
        yield Note("each_vote_own_rater", {"votes": votes})
    if pair.items is None:
        yield Note("each_vote_own_item", {"votes": votes})


def _of_one_rater(answer: Comparison, rater: str) -> Comparison:
    """Votes that share items vary with these; of other raters one of them says nothing."""
    notes = tuple(note for note in answer.notes if note.code not in {"each_vote_own_rater", "few_raters"})
    told = replace(answer, notes=(Note("one_rater", {"rater": rater}), *notes))
    if answer.ratings is None:
        return told
    chosen = {"many_raters", "few_raters_or_items"}
    reasons = tuple(
        Note("items_of_one_rater", {"items": answer.items}) if note.code in chosen else note for note in answer.reasons
    )
    return replace(told, reasons=reasons, ratings=replace(answer.ratings, raters=1))


def _refuse_few(pair: VotePair, names: tuple[str, str]) -> None:
    votes = int(pair.values.shape[-1])
    if votes < 2:
        found = "no vote is" if votes == 0 else "one vote is"
        raise TooFew(
            f"{found} between {names[0]!r} and {names[1]!r}; at least two are needed. Check the names of the systems"
        )


def _refuse_one_item(pair: VotePair) -> None:
    if pair.items is not None and len(pair.items) == 1:
        raise TooFew(
            f"all votes are on one item, {pair.items[0]!r}; at least two are needed to generalise. Check the column of "
            f"items, or pass {option('cluster', 'none' if pair.raters is None else 'rater')} to speak of this one alone"
        )


def _refuse_margin(question: CompareQuestion) -> None:
    if question.margin is not None or question.effect is not None:
        asked = "margin" if question.margin is not None else "effect"
        raise UsageError(
            f"{option(asked)} is a difference in shares of all votes; leave {option('ties', 'drop')} out, which counts decided votes only"
        )


def decided(pair: VotePair) -> VotePair:
    """Without ties."""
    kept = pair.values != 0.0
    if int(kept.sum()) < 2:
        raise TooFew(f"fewer than two votes have a winner; leave {option('ties', 'drop')} out")
    first = None if pair.b_first is None else pair.b_first[kept]
    rater, raters = _met(pair.rater[kept], pair.raters)
    item, items = _met(pair.item[kept], pair.items)
    return VotePair(pair.values[kept], rater, item, raters, items, first)


def _met(codes: IntArray, names: tuple[str, ...] | None) -> tuple[IntArray, tuple[str, ...] | None]:
    met, inverse = np.unique(codes, return_inverse=True)
    return inverse, None if names is None else tuple(names[code] for code in met.tolist())


def count_votes(pair: VotePair, question: CompareQuestion) -> VotesResult:
    """How votes fell, and what the order in which systems were shown did."""
    wins, losses, ties = (int((pair.values == value).sum()) for value in (1.0, -1.0, 0.0))
    first_wins, first_pvalue, b_first = _orders(pair)
    both = wins * losses
    return VotesResult(
        wins_a=losses,
        wins_b=wins,
        ties=ties,
        ties_rule=question.ties,
        first_wins=first_wins,
        first_pvalue=first_pvalue,
        b_first=b_first,
        log_odds=math.log(wins / losses) if both else None,
        nu=ties / math.sqrt(both) if both else None,
        raw_share_b=(wins + ties / 2.0) / (wins + losses + ties) if question.ties == "half" else wins / (wins + losses),
        order_adjusted=False,
    )


def _orders(pair: VotePair) -> tuple[int | None, float | None, int | None]:
    """Decided votes for the system shown first, the exact p-value of that, and votes that showed B first."""
    if pair.b_first is None or bool(np.isnan(pair.b_first).all()):
        return None, None, None
    known = (pair.values != 0.0) & ~np.isnan(pair.b_first)
    wins, votes = int(((pair.values > 0.0) == (pair.b_first == 1.0))[known].sum()), int(known.sum())
    pvalue = float(fair_pvalue(np.asarray(wins), np.asarray(votes), "two-sided"))
    return wins, pvalue, int((pair.b_first == 1.0).sum())


def _counted(
    pair: VotePair,
    counted: VotesResult,
    names: tuple[str, str],
    question: CompareQuestion,
    of_scores: Callable[[Scores, CompareQuestion], Comparison],
) -> Comparison:
    """As scores of which a win is right for one system only and a tie for both: McNemar's test and Tango's interval as they are."""
    a, b = (np.asarray(side * pair.values >= 0.0, dtype=np.float64) for side in (-1.0, 1.0))
    answer = of_scores(
        Scores.from_arrays(dict(zip(names, (a, b), strict=True))), replace(question, a=names[0], b=names[1])
    )
    first, second = shares_of_votes(names, answer.effect, answer.interval)
    found = replace(
        answer,
        a=first,
        b=second,
        measure=MEASURE,
        correlation=None,
        sd_difference=None,
        counts=None,
        effects={name: size for name, size in answer.effects.items() if name in OF_DECIDED},
        reasons=(Note("votes_counted"), *(one for one in answer.reasons if one.code != "right_or_wrong")),
        votes=counted,
    )
    found = found if question.ties == "half" else _without_ties(found, names)
    return replace(found, signature=sign_votes(found, pair, question))


def _by_these_raters(
    pair: VotePair,
    counted: VotesResult,
    names: tuple[str, str],
    question: CompareQuestion,
    of_scores: Callable[[Scores, CompareQuestion], Comparison],
) -> Comparison:
    """Shares of the votes on each item, and then as for scores: an answer about these raters only."""
    sums, votes = np.bincount(pair.item, weights=pair.values), np.bincount(pair.item)
    of_b = (1.0 + sums / votes) / 2.0
    raters = int(pair.rater.max()) + 1
    fixed = Remark("raters_fixed", {"raters": raters})
    scores = Scores.from_arrays(
        dict(zip(names, (1.0 - of_b, of_b), strict=True)), measure=f"{MEASURE} by these {amount(raters, 'rater')}"
    )
    answer = of_scores(replace(scores, remarks=(fixed,)), replace(question, a=names[0], b=names[1]))
    return replace(answer, votes=counted, ratings=averaged_away(pair), signature=sign_votes(answer, pair, question))


def _in_both_orders_by_these(
    pair: VotePair,
    counted: VotesResult,
    names: tuple[str, str],
    question: CompareQuestion,
    of_scores: Callable[[Scores, CompareQuestion], Comparison],  # noqa: ARG001  (scores have no order)
) -> Comparison:
    """Items as the sample, and votes on them that differ by more than raters: an answer about these raters only."""
    raters = int(pair.rater.max()) + 1
    measure = f"{IN_BOTH_ORDERS}, by these {amount(raters, 'rater')}"
    own = replace(pair, rater=np.arange(len(pair.rater)), raters=None)
    if not own.shared:
        answer = counted_by_order(own, names, question, measure, counted)
    else:
        answer = answer_by_raters(own, names, question, measure, counted)
        answer = replace(answer, reasons=(Note("items_in_both_orders", {"items": answer.items}),))
    of_votes = tuple(note for note in answer.notes if note.code != "few_raters")
    notes = (Note("raters_fixed", {"raters": raters}), *of_votes)
    return replace(answer, ratings=averaged_away(pair), notes=notes)


def _without_ties(answer: Comparison, names: tuple[str, str]) -> Comparison:
    """Wins less losses among decided votes, with Wilson's interval of their share stretched to that; the p-value goes by them anyway."""
    counted = answer.votes
    assert counted is not None, "votes were counted"
    decided_votes = counted.wins_a + counted.wins_b
    wilson, level = INTERVALS.parse("wilson"), 1.0 - answer.alpha
    share = Proportion(np.asarray(counted.wins_b), np.asarray(decided_votes))
    low, high = (2.0 * float(x) - 1.0 for x in wilson.interval(share, level, stream(0)))
    effect, bounds = (
        (counted.wins_b - counted.wins_a) / decided_votes,
        IntervalResult(low, high, level, str(wilson), label=wilson.label),
    )
    first, second = shares_of_votes(names, effect, bounds)
    # What the votes detect is known of the effect that counts ties.
    return replace(
        answer,
        a=first,
        b=second,
        effect=effect,
        interval=bounds,
        standard_error=None,
        discordance=None,
        detectable=None,
        needed=None,
    )
