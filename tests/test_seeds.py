"""Random streams: the same numbers for the same piece of work, others for any other."""

import numpy as np
import pytest

from tellapart.foundation.seeds import stream


def test_same_place_same_numbers() -> None:
    """A stream is its seed and its index, whatever was drawn before."""
    stream(7, 3).random(100)
    assert np.array_equal(stream(7, 3).random(5), stream(7, 3).random(5))


@pytest.mark.parametrize(("one", "other"), [((7,), (8,)), ((7, 3), (7, 4)), ((7,), (7, 0)), ((7, 1, 2), (7, 2, 1))])
def test_other_place_other_numbers(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    """Another seed, another index, more of an index or another order: independent numbers."""
    drawn = [stream(*place).random(2000) for place in (one, other)]
    assert not np.isin(drawn[0], drawn[1]).any()
    assert abs(np.corrcoef(drawn[0], drawn[1])[0, 1]) < 5.0 / np.sqrt(2000)


def test_numbers_are_those_of_philox() -> None:
    """Frozen: results that were published with a seed can be had again."""
    assert stream(0).random(2).tolist() == [0.014067035665647709, 0.2577672456246177]
    assert stream(1, 2).integers(1000, size=3).tolist() == [264, 121, 324]
