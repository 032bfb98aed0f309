from typing import Any

import numpy as np
import pytest

from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.populations import POPULATIONS
from tellapart.populations.beta import Beta
from tellapart.populations.clustered import Clustered
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary

INNER = Gaussian(sd=0.1, sd_b=0.15, correlation=0.5)


def test_icc_of_the_differences() -> None:
    """For normal scores the intraclass correlation of the differences is the one asked for; margins are unchanged."""
    population = Clustered(population=INNER, size=5, icc=0.3, effect=0.02)
    pair = population.draw(500, 200, stream(1))
    a, b = pair.a[..., 0, 0], pair.b[..., 0, 0]
    d = (b - a).reshape(-1, 5)
    between, within = 5.0 * d.mean(axis=1).var(ddof=1), d.var(axis=1, ddof=1).mean()
    assert (between - within) / (between + 4.0 * within) == pytest.approx(0.3, abs=0.01)
    assert (a.std(), b.std()) == pytest.approx((0.1, 0.15), rel=0.01, abs=0.0)
    assert np.corrcoef(a.ravel(), b.ravel())[0, 1] == pytest.approx(0.5, abs=0.01)
    assert population.design_effect == pytest.approx(2.2)
    assert pair.clusters is not None
    assert (np.bincount(pair.clusters) == 5).all()


def test_last_cluster_may_be_smaller() -> None:
    """Items that do not fill a last cluster are still in one."""
    pair = Clustered(population=INNER, size=4, icc=0.3, effect=0.0).draw(10, 2, stream(1))
    assert pair.clusters is not None
    assert np.bincount(pair.clusters).tolist() == [4, 4, 2]


def test_clusters_of_binary_scores_keep_the_table() -> None:
    """Right-or-wrong scores in clusters keep their four probabilities, and rise and fall together."""
    inner = PairedBinary(accuracy=0.7, discordance=0.3, effect=0.1)
    pair = Clustered(population=inner, size=2, icc=0.6).draw(1000, 200, stream(2))
    a, b = pair.a[..., 0, 0], pair.b[..., 0, 0]
    cells = [(a * b).mean(), ((1 - a) * b).mean(), (a * (1 - b)).mean(), ((1 - a) * (1 - b)).mean()]
    assert cells == pytest.approx(inner.probabilities(), abs=0.01)
    d = (b - a).reshape(-1, 2)
    assert 0.2 < np.corrcoef(d[:, 0], d[:, 1])[0, 1] < 0.6


def test_effect_is_said_once() -> None:
    """An effect inside is the wrapper's own; two different ones are refused."""
    outside = Clustered(population=INNER, size=4, icc=0.1, effect=0.02)
    assert outside == Clustered(population=INNER.with_effect(0.02), size=4, icc=0.1)
    assert outside.population.effect is None
    with pytest.raises(UsageError, match="give it once"):
        Clustered(population=INNER.with_effect(0.01), size=4, icc=0.1, effect=0.02)


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        (
            "clustered(population=gaussian(sd=1, correlation=0), size=0, icc=0.1)",
            "size=0 should be between 1 and 10,000",
        ),
        (
            "clustered(population=gaussian(sd=1, correlation=0), size=3, icc=-0.1)",
            "icc=-0.1 should be between",
        ),
        ("clustered(population=gaussian(sd=1, correlation=0), size=3, icc=30)", "30 % is 0.3"),
        ("clustered(population=proportions(accuracy=0.5), size=3, icc=0.1)", "paired scores"),
        (
            "clustered(population=clustered(population=gaussian(sd=1, correlation=0), size=3, icc=0.1), size=2, icc=0.1)",
            "no clusters yet",
        ),
        ("clustered(population=beta(mean=0.5, sd=0.1, correlation=0), size=2, icc=0.1, effect=0.6)", "beta: effect"),
    ],
)
def test_refusals(spelling: str, message: str) -> None:
    """What cannot be wrapped is refused, and the wrapped population's own refusals come through."""
    with pytest.raises(UsageError, match=message):
        POPULATIONS.parse(spelling)


def test_wrappers_take_spellings() -> None:
    """The wrapped population may be given as its spelling, in Python as on the command line."""
    inner: Any = "beta(mean=0.5, sd=0.1, correlation=0)"
    expected = Beta(mean=0.5, sd=0.1, correlation=0)
    assert expected == Clustered(population=inner, size=2, icc=0.1).population
