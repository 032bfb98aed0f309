"""What the order in which two systems were shown did to votes."""

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.components.grid import RatingGrid
from tellapart.components.single import fit_grid
from tellapart.decision import rejects
from tellapart.metrics.mean import Mean
from tellapart.results.comparison import Comparison
from tellapart.results.note import Note
from tellapart.results.people import VotesResult
from tellapart.summaries.crossed import Crossed
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
        modelled = answer.ratings is not None and answer.ratings.mode != "fixed"
        balanced = _modelled(pair, pair.b_first) if modelled else _by_order(pair.values, pair.b_first)
        found.append(Note("orders_uneven", {"b_first": b_first, "votes": votes, "effect": balanced}))
    return tuple(found)


def _by_order(values: FloatArray, b_first: FloatArray) -> float:
    """The mean of both orders' own average: what the effect would be had each been shown as often as the other."""
    return float(0.5 * (values[b_first == 1.0].mean() + values[b_first == 0.0].mean()))


def _modelled(pair: VotePair, b_first: FloatArray) -> float:
    """The effect of the model of raters and items with the order as a fixed effect, half-way between both orders."""
    votes, orders = (
        Crossed.of(VotePair(x, pair.rater, pair.item, None, None), Mean()).values
        for x in (pair.values, np.nan_to_num(b_first - 0.5))
    )
    present = (~np.isnan(votes)).astype(np.float64)[np.newaxis]
    values, code = np.nan_to_num(votes)[np.newaxis], np.nan_to_num(orders)[np.newaxis]
    grid = RatingGrid(values, present, np.stack([present, code]), np.zeros(1), contrast=0)
    return float(fit_grid(grid, "reml", ("rater", "item")).effect)
