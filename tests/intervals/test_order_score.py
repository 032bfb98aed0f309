"""The interval of votes in both orders holds what its test does not reject."""

import numpy as np
import pytest

from tellapart.data.summaries.rater_samples import VotesByOrder
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS


@pytest.mark.parametrize("counts", [([12, 110], [3, 8], [28, 50]), ([1, 9], [0, 0], [3, 2])])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_bounds(counts: tuple[list[int], ...], level: float) -> None:
    votes = VotesByOrder(*(np.array(one, dtype=float) for one in counts))
    bounds = INTERVALS.parse("order_score").interval(votes, level, stream(0))
    for bound in map(float, bounds):
        found = TESTS.parse("order_score").against(votes, bound, stream(0))
        assert float(found.pvalue) == pytest.approx(1.0 - level, abs=1e-9)


def test_it_covers_as_promised() -> None:
    """Of votes that lean to the first one, with ties and an effect; B first on four of five."""
    rng = np.random.default_rng(1)
    b_first, a_first = (
        rng.multinomial(votes, shares, size=4000) for votes, shares in ((80, (0.7, 0.2, 0.1)), (20, (0.3, 0.2, 0.5)))
    )
    votes = VotesByOrder(*(np.stack([a_first[:, i], b_first[:, i]], axis=-1).astype(float) for i in range(3)))
    low, high = INTERVALS.parse("order_score").interval(votes, 0.95, stream(0))
    assert 0.94 <= np.mean((low <= 0.2) & (high >= 0.2)) <= 0.97
