"""Resamples by weights, against resamples that copy items."""

import numpy as np
import pytest

from tellapart.arrays import FloatArray, IntArray
from tellapart.distributions import resampling
from tellapart.distributions.resampling import Replicates, drawn_counts, in_groups
from tellapart.errors import TooFew
from tellapart.metrics import METRICS
from tellapart.seeds import stream
from tellapart.summaries import Parts

RESAMPLES = 40


def replicates(sample: Parts, resamples: int = RESAMPLES) -> list[Replicates]:
    kept: list[Replicates] = []

    def keep(found: Replicates) -> tuple[FloatArray]:
        kept.append(found)
        return (found.effect,)

    in_groups(sample, resamples, stream(3), keep)
    return kept


def drawn(metric: str, items: int, clusters: IntArray | None = None, batch: tuple[int, ...] = ()) -> Parts:
    parts = {"mean": 1, "f1": 3, "mcc": 4}[metric]
    rng = np.random.default_rng(items)
    a, b = (rng.random((*batch, items, parts)) for _ in range(2))
    return Parts(a, b, METRICS.parse(metric), clusters)


def test_how_often_each_unit_is_drawn() -> None:
    """Every resample draws as many units as there are, each as often as chance has it."""
    counts = drawn_counts(7, 20_000, stream(1))
    assert counts.shape == (20_000, 7)
    assert (counts.sum(axis=1) == 7.0).all()
    np.testing.assert_allclose(counts.mean(axis=0), np.ones(7), atol=0.04)
    np.testing.assert_allclose(np.cov(counts.T), np.eye(7) - 1.0 / 7.0, atol=0.05)


def test_draws_are_the_generators() -> None:
    """The counts are those of units drawn one by one from the same stream."""
    units = stream(2).integers(0, 5, size=(6, 5))
    expected = np.stack([np.bincount(row, minlength=5) for row in units])
    np.testing.assert_array_equal(drawn_counts(5, 6, stream(2)), expected)


@pytest.mark.parametrize("metric", ["mean", "f1", "mcc"])
@pytest.mark.parametrize("clustered", [False, True])
def test_effects_and_errors_are_those_of_copied_items(metric: str, clustered: bool) -> None:
    """The effect of every resample, and its error by the influence of the items that are in it."""
    codes = np.random.default_rng(5).integers(0, 6, 30) if clustered else None
    sample = drawn(metric, 30, codes)
    (found,) = replicates(sample)
    units = np.arange(30) if codes is None else codes
    counts = drawn_counts(len(np.unique(units)), RESAMPLES, stream(3))
    for i in range(RESAMPLES):
        weight = counts[i].astype(np.int64)
        members = np.concatenate([np.tile(np.flatnonzero(units == u), weight[u]) for u in range(len(weight))])
        owner = np.concatenate(
            [np.repeat(np.arange(weight[u]), np.sum(units == u)) + 1000 * u for u in range(len(weight))]
        )
        again = Parts(sample.a[members], sample.b[members], sample.metric)
        assert float(found.effects[0, i]) == pytest.approx(float(again.effect), abs=1e-12)
        influence = again.differences.values - again.differences.effect
        sums = np.array([influence[owner == each].sum() for each in np.unique(owner)])
        drawn_units = len(counts[i])
        error = np.sqrt(np.sum(sums**2) * drawn_units / (drawn_units - 1.0)) / len(members)
        assert float(found.errors[0, i]) == pytest.approx(float(error), rel=1e-7, abs=1e-9)


def test_the_observed_sample_is_the_resample_that_draws_all_once() -> None:
    """Effect, error, and what each unit adds."""
    sample = drawn("mean", 25)
    (found,) = replicates(sample)
    differences = sample.differences.values
    assert float(found.effect[0]) == pytest.approx(differences.mean())
    assert float(found.error[0]) == pytest.approx(differences.std(ddof=1) / 5.0)
    np.testing.assert_allclose(found.influence[0], differences - differences.mean(), atol=1e-12)
    assert found.sizes.tolist() == [1.0] * 25


def test_equal_units_are_drawn_together() -> None:
    """Few levels: how often each level is met is drawn, and has the law of items drawn one by one."""
    a, b = np.zeros((400, 1)), np.repeat([[0.0], [1.0], [-1.0]], [300, 70, 30], axis=0)
    (found,) = replicates(Parts(a, b, METRICS.parse("mean")), 4_000)
    spread = b.std() / 20.0
    assert float(found.effects.mean()) == pytest.approx(0.1, abs=5.0 * spread / np.sqrt(4_000))
    assert float(found.effects.std()) == pytest.approx(spread, rel=0.06)
    np.testing.assert_allclose(found.effects * 400.0, np.rint(found.effects * 400.0), atol=1e-9)


def test_a_resample_without_spread_has_no_error() -> None:
    """All drawn items alike: exactly 0, and not what rounding left."""
    a, b = np.full((3, 1), 0.1), np.array([[0.3], [0.3], [0.7]])
    (found,) = replicates(Parts(a, b, METRICS.parse("mean")), 200)
    flat = (np.abs(found.effects - 0.2) < 1e-9) | (np.abs(found.effects - 0.6) < 1e-9)
    assert flat.any()
    assert np.array_equal(found.errors == 0.0, flat)


def test_groups_cover_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Entries that do not fit together are worked on in groups, each a fair bootstrap, and come back in shape."""
    sample = drawn("mean", 20, batch=(2, 3))
    assert len(replicates(sample)) == 1
    monkeypatch.setattr(resampling, "HELD", 1)
    kept = replicates(sample)
    assert len(kept) == 6
    (effects,) = in_groups(sample, RESAMPLES, stream(0), lambda found: (found.effect,))
    np.testing.assert_allclose(effects, sample.effect, rtol=1e-12)


def test_draws_may_be_held_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few weights at a time, the same resamples."""
    sample = drawn("mean", 20)
    (together,) = replicates(sample)
    monkeypatch.setattr(resampling, "DRAWN", 100)
    (pieces,) = replicates(sample)
    np.testing.assert_allclose(pieces.effects, together.effects, rtol=1e-13)


@pytest.mark.parametrize("clustered", [False, True])
def test_one_unit_cannot_be_drawn_from(clustered: bool) -> None:
    """A single item or cluster is refused by its name."""
    items = 3 if clustered else 1
    with pytest.raises(TooFew, match="only one cluster" if clustered else "only one item"):
        replicates(drawn("mean", items, np.zeros(items, dtype=np.int64) if clustered else None))
