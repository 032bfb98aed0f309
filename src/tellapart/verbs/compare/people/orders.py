"""What the order in which two systems were shown did to votes."""

import numpy as np

from tellapart.decision import rejects
from tellapart.results.comparison import Comparison
from tellapart.results.note import Note
from tellapart.results.people import VotesResult
from tellapart.verbs.compare.people.notes import effect_by_order
from tellapart.votes import VotePair


def order_notes(pair: VotePair, counted: VotesResult, answer: Comparison) -> tuple[Note, ...]:
    """That the one shown first wins too often, and what the effect is with both orders alike where they are not."""
    if counted.first_wins is None or pair.b_first is None:
        return ()
    shown = ~np.isnan(pair.b_first)
    b_first, votes = int((pair.b_first == 1.0).sum()), int(shown.sum())
    decided = int((shown & (pair.values != 0.0)).sum())
    values = {"first_wins": counted.first_wins, "decided": decided, "pvalue": counted.first_pvalue}
    code = "first_shown_wins" if rejects(counted.first_pvalue or 1.0, answer.alpha) else "order_of_no_effect"
    found = [Note(code, values)]
    if 2 * b_first != votes and 0 < b_first < votes:
        balanced = effect_by_order(pair.values, pair.b_first)
        found.append(Note("orders_uneven", {"b_first": b_first, "votes": votes, "effect": balanced}))
    return tuple(found)
