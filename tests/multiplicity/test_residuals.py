"""What pairs share, and what is left of their columns without the means, item by item."""

from typing import Any

import numpy as np
import pytest

from tellapart.boards import joint_bootstrap as room
from tellapart.boards.board import Board
from tellapart.boards.family import all_pairs, family_of
from tellapart.boards.joint_bootstrap import Residuals, count_shared_items
from tellapart.data.scores import Scores
from tellapart.metrics import METRICS

CODES = np.repeat(np.arange(6), (1, 2, 3, 4, 6, 8))


def gappy() -> Any:
    table = np.random.default_rng(4).normal(size=(4, 24))
    table[0, :4], table[1, 3:8], table[2, 16:] = np.nan, np.nan, np.nan
    return table


def board_of(table: Any, clusters: Any) -> Board:
    scores = {f"s{i}": row for i, row in enumerate(table)}
    return Board.of(
        Scores.from_arrays(scores, clusters=None if clusters is None else clusters.tolist()),
        METRICS.parse("mean"),
    )


@pytest.mark.parametrize("held", [1, 1 << 22])
@pytest.mark.parametrize("clusters", [None, CODES])
def test_each_pair_on_what_it_shares(clusters: Any, held: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Items, units and squares of residuals of every pair, of items or of sums by cluster, from its two rows alone."""
    monkeypatch.setattr(room, "RESIDUALS_HELD", held)
    table = gappy()
    board = board_of(table, clusters)
    family = family_of(board, *all_pairs(4))
    found, left = count_shared_items(board, family), Residuals.of(board, family)
    for pair, (i, j) in enumerate(zip(*all_pairs(4), strict=True)):
        difference = table[j] - table[i]
        has = ~np.isnan(difference)
        own = np.arange(24)[has] if clusters is None else clusters[has]
        assert (found.items[pair], found.units[pair]) == (has.sum(), len(np.unique(own)))
        assert (left.items[pair], left.units[pair]) == (has.sum(), len(np.unique(own)))
        sums = np.bincount(own, difference[has] - difference[has].mean())
        columns = left.columns[left.b[pair]] - left.columns[left.a[pair]]
        assert np.sum(columns**2) == pytest.approx(np.sum(sums**2), rel=1e-12, abs=0.0)
        sizes = np.bincount(own, minlength=found.sizes.shape[1])
        assert np.sort(found.sizes[family.a[pair]]).tolist() == np.sort(sizes).tolist()
