"""What more items would buy a leaderboard, at the spread seen and for a gap that is assumed, never for the gap seen."""

import numpy as np

from tellapart.arrays import IntArray
from tellapart.errors import UsageError
from tellapart.multiplicity.pair_errors import pair_errors
from tellapart.multiplicity.separation import items_to_separate, separable_gap
from tellapart.results.leaderboard import MoreItems, TierSize
from tellapart.verbs.judged import POWER
from tellapart.verbs.rank.ranked_board import RankedBoard
from tellapart.wording import significant


def more_items(ranked: RankedBoard) -> MoreItems | None:
    """Items for the top two, and for every smaller top tier; None where no number of items can separate the top two.

    With a baseline: for it and the best of the others.
    """
    critical = ranked.judged.by.critical(ranked.question.alpha)
    first, second = _contenders(ranked)
    errors = pair_errors(ranked.board, np.array([first]), np.array([second]))
    spread, items = float(errors.spread[0]), int(errors.items[0])
    separable = separable_gap(spread, items, critical, POWER)
    if separable is None:
        return None
    gap = ranked.question.gap if ranked.question.gap is not None else separable / 2.0
    needed = items_to_separate(spread, gap, critical, POWER)
    if needed is None:
        raise UsageError(
            f"gap is {gap:g}, which is nothing beside how much scores vary ({significant(spread)}): give a difference that would matter"
        )
    return MoreItems(POWER, critical, separable, gap, needed, _top_tier(ranked, gap, critical))


def _contenders(ranked: RankedBoard) -> tuple[int, int]:
    if ranked.question.baseline is None:
        return int(ranked.standings.places.order[0]), int(ranked.standings.places.order[1])
    baseline = ranked.board.systems.index(ranked.question.baseline)
    return baseline, int(next(i for i in ranked.standings.places.order if i != baseline))


def _top_tier(ranked: RankedBoard, gap: float, critical: float) -> tuple[TierSize, ...]:
    """To leave k systems beside and with the first, all others of the top tier must be told from it, in one go."""
    tier = [i for i in ranked.standings.places.order if ranked.standings.unbeaten[i]]
    if ranked.question.baseline is not None or len(tier) < 2:
        return ()
    others: IntArray = np.array(tier[1:], dtype=np.int64)
    spread = pair_errors(ranked.board, np.full_like(others, tier[0]), others).spread
    # Those that are hardest to tell from the first stay; twins of it always do.
    apart = np.sort(spread[spread > 0.0]).tolist()
    found = []
    for count in range(len(apart), 0, -1):
        each = 1.0 - (1.0 - POWER) / count
        needed = items_to_separate(apart[count - 1], gap, critical, each)
        if needed is not None:
            found.append(TierSize(len(tier) - count, needed))
    return tuple(found)
