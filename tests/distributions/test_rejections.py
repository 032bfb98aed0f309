"""Power and what rejections are worth, by hand."""

import numpy as np

from tellapart.numerics.null_laws.tails import Rejections

SOME = Rejections(*(np.array([x]) for x in (0.1, 0.3, 0.2, 0.9)))
NONE = Rejections(*(np.zeros(1) for _ in range(4)))


def test_power_is_both_directions() -> None:
    """Probabilities of both sides add up, and never beyond 1."""
    assert SOME.power.tolist() == [0.4]
    assert Rejections(*(np.array([x]) for x in (0.6, 0.6, 0.0, 0.0))).power.tolist() == [1.0]


def test_the_wrong_sign() -> None:
    """The share of rejections against the effect: a half without one, and 1 where no rejection is left to share."""
    shares = [float(SOME.type_s(np.array([effect]))[0]) for effect in (2.0, -2.0, 0.0)]
    np.testing.assert_allclose(shares, [0.25, 0.75, 0.5])
    assert NONE.type_s(np.array([1.0])).tolist() == [1.0]


def test_exaggeration() -> None:
    """The mean size of rejected estimates over that of the effect: infinite without effect or rejection."""
    sizes = [float(SOME.type_m(np.array([effect]))[0]) for effect in (0.5, -0.5, 0.0)]
    np.testing.assert_allclose(sizes, [1.1 / (0.5 * 0.4), 1.1 / (0.5 * 0.4), np.inf])
    assert NONE.type_m(np.array([1.0])).tolist() == [np.inf]
    assert SOME.type_m(np.array([5e-324])).tolist() == [np.inf]
