"""Boards drawn from more than two systems have the means, spreads, correlations and clusters that were asked for."""

import numpy as np
import pytest

from tellapart.foundation.seeds import stream
from tellapart.populations.many_systems import ManySystems
from tellapart.populations.population import Design

MANY = 40_000


def test_means_spreads_and_correlations() -> None:
    """Each system about its own mean with its own spread; any two correlate alike."""
    asked = ManySystems((0.0, 0.5, 2.0), (1.0, 0.3, 2.0), correlation=0.4)
    found = asked.draw(Design(MANY), stream(1))
    assert found.shape == (asked.systems, MANY) == (3, MANY)
    assert found.mean(axis=1) == pytest.approx(asked.means, abs=0.04)
    assert found.std(axis=1) == pytest.approx(asked.spreads, rel=0.02, abs=0.0)
    assert np.asarray(np.corrcoef(found))[np.triu_indices(3, 1)] == pytest.approx([0.4] * 3, abs=0.02)
    assert asked.clusters(10) is None


def test_spreads_are_one_unless_said() -> None:
    """Scores in standard deviations."""
    assert ManySystems((0.0, 0.0)).draw(MANY, stream(2)).std(axis=1) == pytest.approx([1.0, 1.0], rel=0.02, abs=0.0)


def test_right_or_wrong() -> None:
    """Shares of right answers, which are alike where the items are."""
    found = ManySystems((0.7, 0.9, 0.7), correlation=0.8, binary=True).draw(MANY, stream(3))
    assert set(np.unique(found)) == {0.0, 1.0}
    assert found.mean(axis=1) == pytest.approx([0.7, 0.9, 0.7], abs=0.01)
    assert np.asarray(np.corrcoef(found))[0, 2] > 0.5


def test_clusters() -> None:
    """What a system has of its own is partly its cluster's; what all systems share is the item's."""
    asked = ManySystems((0.0, 0.0), correlation=0.5, cluster_size=5, resemblance=0.3)
    codes = asked.clusters(12)
    assert codes is not None
    assert codes.tolist() == [0] * 5 + [1] * 5 + [2] * 2
    differences = np.subtract(*asked.draw(MANY, stream(4))).reshape(-1, 5)
    first, second = differences[:, 0], differences[:, 3]
    assert np.corrcoef(first, second)[0, 1] == pytest.approx(0.3, abs=0.03)
    assert differences.std() == pytest.approx(1.0, rel=0.03, abs=0.0)
    assert asked.draw(12, stream(5)).shape == (2, 12)
