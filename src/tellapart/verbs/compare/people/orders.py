"""What the order in which two systems were shown did to votes, and whether it can be told from the systems."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tellapart.components.of_sample import fit_sample
from tellapart.decision import rejects
from tellapart.metrics.mean import Mean
from tellapart.results.comparison import Comparison
from tellapart.results.note import Note
from tellapart.results.people import VotesResult
from tellapart.summaries.by_order import ByOrder
from tellapart.summaries.crossed import Crossed
from tellapart.verbs.compare.analysis import of_difference
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.votes import VotePair


def told_by_order(pair: VotePair, question: CompareQuestion) -> tuple[VotePair, tuple[Note, ...]]:
    """The votes with the order that they are adjusted for, or without any, and why it is left out where nobody asked for that."""
    without = replace(pair, b_first=None)
    if pair.b_first is None or question.order == "ignore":
        return without, ()
    kept_out = tuple(_inseparable(pair)) or tuple(_by_other_methods(pair, question))
    return (without if kept_out else pair), kept_out


def _inseparable(pair: VotePair) -> Iterator[Note]:
    """Nothing says how much of a difference is the order's where only one was shown, or where some votes may be of either."""
    assert pair.b_first is not None, "some votes say what was shown first"
    votes, unknown = len(pair.b_first), int(np.isnan(pair.b_first).sum())
    if unknown:
        yield Note("order_partly_known", {"unknown": unknown, "votes": votes})
    elif not pair.in_both_orders:
        yield Note("shown_in_one_order", {"first": "b" if pair.b_first.all() else "a", "votes": votes})


def _by_other_methods(pair: VotePair, question: CompareQuestion) -> Iterator[Note]:
    """A test or interval that was named and takes no order decides as it is."""
    takes_order = "mixed_model" if pair.shared else "order_score"
    named = (
        None if question.named_test is None else of_difference(question.named_test),
        question.named_interval,
    )
    others = [str(one) for one in named if one is not None and one.name != takes_order]
    if others:
        yield Note("method_takes_no_order", {"method": others[0], "effect": _of_both_orders(pair)})


def _of_both_orders(pair: VotePair) -> float:
    """The effect with both orders weighted alike."""
    if not pair.shared:
        return float(ByOrder.of(pair, Mean()).effect)
    return float(fit_sample(Crossed.of(pair, Mean())).effect)


def order_notes(
    pair: VotePair, counted: VotesResult, answer: Comparison, kept_out: tuple[Note, ...]
) -> tuple[Note, ...]:
    """How often the one shown first wins, and what the effect is adjusted for, or why it is not."""
    if counted.first_wins is None or pair.b_first is None:
        return kept_out
    shown = ~np.isnan(pair.b_first)
    decided = int((shown & (pair.values != 0.0)).sum())
    values = {"first_wins": counted.first_wins, "decided": decided, "pvalue": counted.first_pvalue}
    code = "first_shown_wins" if rejects(counted.first_pvalue or 1.0, answer.alpha) else "order_of_no_effect"
    adjusted = {
        "b_first": int((pair.b_first == 1.0).sum()),
        "votes": len(pair.b_first),
        "raw_effect": 2.0 * counted.raw_share_b - 1.0,
    }
    return Note(code, values), *([Note("order_adjusted", adjusted)] if counted.order_adjusted else kept_out)
