"""The score test of votes in both orders, by hand and against two proportions."""

import numpy as np
import pytest
from scipy import stats

from tellapart.data.rater_pairs import VotePair
from tellapart.data.summaries.rater_samples import VotesByOrder
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.metrics.mean import Mean

TEST = TESTS.parse("order_score")


def lone(values: list[float], b_first: list[float]) -> VotePair:
    votes = np.arange(len(values))
    return VotePair(np.array(values), votes, votes, None, None, np.array(b_first))


def test_by_hand() -> None:
    """Of 40 votes that showed A first B won 12, of 160 that showed B first 110: shares of the first that differ by −0.0125."""
    votes = VotesByOrder(*(np.array(one, dtype=float) for one in ([12, 110], [0, 0], [28, 50])))
    pooled = (28 + 110) / 200
    error = np.sqrt(pooled * (1.0 - pooled) * (1 / 40 + 1 / 160) * 200 / 199)
    df = (1 / 40 + 1 / 160) ** 2 / ((1 / 40) ** 2 / 39 + (1 / 160) ** 2 / 159)
    found = TEST.apply(votes, stream(0))
    ratio = (110 / 160 - 28 / 40) / error
    assert float(found.statistic) == pytest.approx(ratio, abs=1e-9)
    assert float(found.pvalue) == pytest.approx(2.0 * stats.t.sf(abs(ratio), df), abs=1e-9)
    assert float(found.direction) == -1.0


def test_votes_are_counted_by_order() -> None:
    counted = VotesByOrder.of(lone([1, 0, -1, 1, 1], [0, 0, 0, 1, 1]), Mean())
    assert [part.tolist() for part in (counted.wins, counted.ties, counted.losses)] == [
        [1, 2],
        [1, 0],
        [1, 0],
    ]
    assert (counted.items, counted.raters, float(counted.effect)) == (5, 5, 0.5)


@pytest.mark.parametrize("b_first", [[1.0, 1.0, 1.0], [1.0, 0.0, np.nan]])
def test_what_it_cannot_take_is_refused(b_first: list[float]) -> None:
    """One order alone, or votes that do not say theirs."""
    with pytest.raises(Unsuitable, match="both orders"):
        VotesByOrder.of(lone([1, 0, -1], b_first), Mean())
