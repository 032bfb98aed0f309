"""Resamples by weights, against resamples that copy items."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tellapart.data.summaries import Parts
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import TooFew
from tellapart.foundation.parallel_map import parallel_map
from tellapart.foundation.seeds import Generator, stream
from tellapart.metrics import METRICS
from tellapart.numerics.resampling import draws, resampled_sums
from tellapart.numerics.resampling.draws import Replicates, _drawn_units, distinct_rows, drawn_counts, map_replicates
from tellapart.numerics.resampling.resampled_sums import SumTable, _mean_and_error

RESAMPLES = 40


def replicates(sample: Parts, resamples: int = RESAMPLES) -> list[Replicates]:
    kept: list[Replicates] = []

    def keep(found: Replicates) -> tuple[FloatArray]:
        kept.append(found)
        return (found.effect,)

    map_replicates(sample, resamples, stream(3), keep)
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


def test_equal_units_are_drawn_together() -> None:
    """Few levels: how often each level is met is drawn, and has the law of items drawn one by one."""
    a, b = np.zeros((400, 1)), np.repeat([[0.0], [1.0], [-1.0]], [300, 70, 30], axis=0)
    (found,) = replicates(Parts(a, b, METRICS.parse("mean")), 4_000)
    spread = b.std() / 20.0
    assert float(found.effects.mean()) == pytest.approx(0.1, abs=5.0 * spread / np.sqrt(4_000))
    assert float(found.effects.std()) == pytest.approx(spread, rel=0.06, abs=0.0)
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
    monkeypatch.setattr(draws, "HELD", 1)
    kept = replicates(sample)
    assert len(kept) == 6
    (effects,) = map_replicates(sample, RESAMPLES, stream(0), lambda found: (found.effect,))
    np.testing.assert_allclose(effects, sample.effect, rtol=1e-12)


def test_draws_may_be_held_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few weights at a time, the same resamples."""
    sample = drawn("mean", 20)
    (together,) = replicates(sample)
    monkeypatch.setattr(draws, "DRAWN", 100)
    (pieces,) = replicates(sample)
    np.testing.assert_allclose(pieces.effects, together.effects, rtol=1e-13)


@pytest.mark.parametrize("clustered", [False, True])
def test_one_unit_cannot_be_drawn_from(clustered: bool) -> None:
    """A single item or cluster is refused by its name."""
    items = 3 if clustered else 1
    with pytest.raises(TooFew, match="only one cluster" if clustered else "only one item"):
        replicates(drawn("mean", items, np.zeros(items, dtype=np.int64) if clustered else None))


@pytest.mark.parametrize("metric", ["mean", "f1"])
def test_any_number_at_once(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draws one by one, in threes or all together are the same draws."""
    sample = drawn(metric, 12, batch=(2,))
    (together,) = replicates(sample)
    for step in (1, 3):
        monkeypatch.setattr(draws, "_draws_at_once", lambda *_, step=step: step)
        (pieces,) = replicates(sample)
        np.testing.assert_allclose(pieces.effects, together.effects, rtol=1e-12)
        np.testing.assert_allclose(pieces.errors, together.errors, rtol=1e-9)


@pytest.mark.parametrize("alike", [True, False])
def test_alike_or_not_has_one_law(alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Units that are met several times, drawn as one or one by one: mean and spread of effects and errors are the same."""
    monkeypatch.setattr(draws, "many_alike", lambda *_: alike)
    b = np.repeat([[0.0], [1.0], [-1.0], [0.5]], [3, 2, 2, 1], axis=0)
    (found,) = replicates(Parts(np.zeros((8, 1)), b, METRICS.parse("mean")), 6_000)
    assert float(found.effects.mean()) == pytest.approx(b.mean(), abs=5.0 * b.std() / np.sqrt(8 * 6_000))
    assert float(found.effects.var()) == pytest.approx(b.var() / 8.0, rel=0.1, abs=0.0)
    assert float(np.mean(found.errors**2)) == pytest.approx(b.var() / 8.0, rel=0.1, abs=0.0)


def test_distinct_rows() -> None:
    """Where each is first met and how often, whatever the columns."""
    rows = np.array([[1.0, 2.0], [1.0, 3.0], [0.0, 3.0], [1.0, 2.0], [0.0, 2.0], [1.0, 3.0], [1.0, 2.0]])
    first, counts = distinct_rows(rows)
    found = {tuple(rows[i]): int(n) for i, n in zip(first, counts, strict=True)}
    assert found == {(1.0, 2.0): 3, (1.0, 3.0): 2, (0.0, 3.0): 1, (0.0, 2.0): 1}
    assert sorted(first.tolist()) == [0, 1, 2, 4]
    many = np.random.default_rng(0).integers(0, 3, (60, 4)).astype(float)
    assert len(distinct_rows(many)[0]) == len(np.unique(many, axis=0))


def test_two_units_are_enough() -> None:
    """Two items, or two clusters, can be drawn from."""
    for codes in (None, np.array([0, 1])):
        (found,) = replicates(drawn("mean", 2, codes))
        assert found.effects.shape == (1, RESAMPLES)


def test_single_items_of_a_mean_are_plain() -> None:
    """Not clusters of any size, and no metric of parts: only then are sums and squares all there is to it."""

    def plain(sample: Parts) -> object:
        return _drawn_units(np.concatenate([sample.a, sample.b], axis=-1)[np.newaxis], sample).plain

    assert plain(drawn("mean", 6)) is True
    assert plain(drawn("mean", 6, np.array([0, 0, 1, 1, 2, 2]))) is False
    assert plain(drawn("mean", 6, np.array([0, 0, 1, 2, 3, 4]))) is False
    assert plain(drawn("f1", 6)) is False


def test_a_part_that_no_drawn_item_has_is_zero() -> None:
    """Not what rounding left of it, in whatever unit; one part in a thousand of an item is one."""
    for unit in (1e-6, 1.0, 1e6):
        sample = drawn("f1", 6)
        scaled = Parts(unit * sample.a, unit * sample.b, sample.metric)
        units = _drawn_units(np.concatenate([scaled.a, scaled.b], axis=-1)[np.newaxis], scaled)
        largest = max(float(np.abs(x).max()) for x in (scaled.a, scaled.b))
        for off, kept in ((1e-14, 0.0), (-1e-14, 0.0), (1e-3, 1.0)):
            moved = units.moved_by(off * largest - units.means)
            np.testing.assert_allclose(moved, kept * off * largest, rtol=1e-9)
    linear = drawn("mean", 6)
    units = _drawn_units(linear.differences.values[np.newaxis, :, np.newaxis], linear)
    assert (units.moved_by(1e-15 - units.means) > 0.0).all()


def test_the_scale_is_the_largest_score_of_either() -> None:
    """Of A or of B, whatever its sign."""
    a, b = np.full((4, 1), 0.25), np.array([[0.5], [0.25], [-3.0], [1.0]])
    for one, other in ((a, b), (b, a)):
        sample = Parts(one, other, METRICS.parse("mean"))
        assert _drawn_units((other - one)[np.newaxis], sample).scale == 3.0


def test_rounding_is_no_spread_in_any_unit() -> None:
    """Squares that cancel to a millionth of a millionth of their parts are none; a thousandth of it is spread."""
    sample = drawn("mean", 4)
    units = _drawn_units(sample.differences.values[np.newaxis, :, np.newaxis], sample)
    for size in (1e-8, 1.0, 1e8):
        # Two sums, of deviations and of their squares: Σd = 4m, Σd² = 4m² (1 + share).
        for share, spread in ((1e-14, False), (1e-3, True)):
            sums, squares = np.array([[4.0 * size]]), np.array([[4.0 * size**2 * (1.0 + share)]])
            _, error = _mean_and_error(sums, squares, units)
            assert bool(error[0, 0] > 0.0) is spread


@pytest.mark.parametrize("metric", ["mean", "f1"])
def test_batches_are_drawn_together(metric: str) -> None:
    """Entries of one group share their draws, and each is what it is alone."""
    sample = drawn(metric, 15, batch=(3,))
    (found,) = replicates(sample)
    for i in range(3):
        (alone,) = replicates(Parts(sample.a[i], sample.b[i], sample.metric))
        np.testing.assert_allclose(found.effects[i], alone.effects[0], rtol=1e-9)
        np.testing.assert_allclose(found.errors[i], alone.errors[0], rtol=1e-7)
        np.testing.assert_allclose(found.influence[i], alone.influence[0], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("alike", [False, True])
def test_pieces_of_many_resamples(alike: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each from a stream of its own: other resamples of the same law, and none twice."""
    values = stream(8).normal(size=(120, 1)) if not alike else stream(8).integers(0, 3, (120, 1)).astype(float)
    sample = Parts(np.zeros_like(values), values, METRICS.parse("mean"))
    (whole,) = replicates(sample, 8_000)
    monkeypatch.setattr(draws, "WORTH", 120 * 5 * 1_000 if not alike else 3 * 41 * 1_000)
    (cut,) = replicates(replace(sample), 8_000)  # a copy: an evaluation keeps the resamples that it has
    assert cut.effects.shape == whole.effects.shape == (1, 8_000)
    assert (cut.effects[:, :1_000] == whole.effects[:, :1_000]).all(), "the first piece draws as one alone does"
    assert not (cut.effects[:, 1_000:] == whole.effects[:, 1_000:]).all()
    for one, other in ((cut.effects, whole.effects), (cut.errors, whole.errors)):
        assert abs(one.mean() - other.mean()) < 5.0 * other.std() * np.sqrt(2.0 / 8_000)
        assert abs(one.std() / other.std() - 1.0) < 0.06
    if not alike:
        assert len(np.unique(cut.effects)) == 8_000


def test_what_is_drawn_behind_pieces_is_in_none_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "WORTH", 120 * 5 * 1_000)
    values = stream(8).normal(size=(120, 1))
    sample = Parts(np.zeros_like(values), values, METRICS.parse("mean"))
    rng = stream(3)
    kept: list[FloatArray] = []

    def keep(found: Replicates) -> tuple[FloatArray]:
        kept.append(found.effects[0])
        return (found.effect,)

    for _ in range(2):
        map_replicates(sample, 3_000, rng, keep)
    assert len(np.unique(np.concatenate(kept))) == 6_000


def test_entries_in_any_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few are worked on together, more resamples than are kept at hand included: every entry once, with its own."""
    sample = drawn("mean", 20, batch=(7,))
    (whole,) = replicates(sample)
    for near, pieces in ((1, 7), (2 * RESAMPLES, 4), (7 * RESAMPLES, 1)):
        monkeypatch.setattr(draws, "NEAR", near)
        few = replicates(sample)
        assert len(few) == pieces
        for name in ("effect", "error", "effects", "errors", "influence"):
            np.testing.assert_array_equal(np.concatenate([getattr(one, name) for one in few]), getattr(whole, name))


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_errors_of_clusters_in_any_unit(unit: float) -> None:
    """Spread is what is more than rounding beside the sums themselves, not beside one."""
    sample = drawn("mean", 30, np.repeat(np.arange(10), 3))
    (plain,), (scaled,) = (
        replicates(sample),
        replicates(Parts(unit * sample.a, unit * sample.b, sample.metric, sample.clusters)),
    )
    assert (plain.errors > 0.0).all()
    np.testing.assert_allclose(scaled.errors, unit * plain.errors, rtol=1e-6)


@pytest.mark.parametrize(("items", "kept"), [(499, False), (500, True)])
def test_memory_of_many_units_is_used_again(items: int, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many weights as are drawn at once, where resamples are counted one by one."""
    given: list[FloatArray | None] = []

    def remembering(units: int, size: int, rng: Generator, held: FloatArray | None = None) -> FloatArray:
        given.append(held)
        return drawn_counts(units, size, rng, held)

    monkeypatch.setattr(draws, "drawn_counts", remembering)
    monkeypatch.setattr(draws, "_draws_at_once", lambda _: 7)
    replicates(drawn("f1", items), 20)
    assert [None if held is None else held.shape for held in given] == [(7, items) if kept else None] * 3
    assert all(held is given[0] for held in given)


@pytest.mark.parametrize(
    ("levels", "resamples", "pieces"),
    [(None, 26_842, 1), (None, 26_844, 2), (None, 134_220, 10), (3, 1_091_200, 1), (3, 1_091_300, 2)],
)
def test_pieces_are_worth_handing_out(levels: int | None, resamples: int, pieces: int) -> None:
    """2²⁶ products: four for every unit that is drawn, forty for each of several that are alike, and one per part."""
    values = np.random.default_rng(0).normal(size=(1_000, 1))
    if levels is not None:
        values = np.arange(1_000.0)[:, np.newaxis] % levels
    sample = Parts(np.zeros_like(values), values, METRICS.parse("mean"))
    (units,) = draws._entry_groups(sample, 100)
    drawing = draws._Drawing.of(units)
    assert drawing.drawn.count == (levels or 1_000)
    assert len(drawing.pieces(resamples)) == pieces
    (two,) = draws._entry_groups(Parts(np.zeros((2, 1_000, 1)), np.stack([values, -values]), sample.metric), 100)
    assert len(draws._Drawing.of(two).pieces(resamples)) == 1


@pytest.mark.parametrize(("apart", "spread"), [(1e-13, False), (1e-7, True)])
def test_what_clusters_that_are_nearly_alike_vary_by(apart: float, spread: bool) -> None:
    """Of those drawn, by definition, down to rounding: their sums about the mean of theirs, squared, over the number of items."""
    sums, items = np.array([1.0, 1.0 + apart, 7.0]), np.array([2.0, 2.0, 2.0])
    codes = np.repeat([0, 1, 2], 2)
    b = np.repeat(sums / 2.0, 2)[:, np.newaxis]
    (units,) = draws._entry_groups(Parts(np.zeros((6, 1)), b, METRICS.parse("mean"), codes), 10)
    weights = np.array([[2.0, 1.0, 0.0]])
    _, error = SumTable.of(units).effect_and_error(weights, units)
    about = sums - items * (weights[0] @ sums) / (weights[0] @ items)
    expected = np.sqrt(weights[0] @ about**2 * 3.0 / 2.0) / (weights[0] @ items)
    assert float(error[0, 0]) == pytest.approx(float(expected) if spread else 0.0, rel=1e-3, abs=1e-30)


@pytest.mark.parametrize("metric", ["mean", "f1"])
def test_contributions_in_any_pieces(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What units add to each resample, of one resample or of three at a time."""
    sample = drawn(metric, 12, np.repeat(np.arange(4), 3), batch=(2,))
    (together,) = replicates(sample)
    for step in (1, 3):
        monkeypatch.setattr(resampled_sums, "_resampled_sums_at_once", lambda _, step=step: step)
        np.testing.assert_allclose(replicates(sample)[0].errors, together.errors, rtol=1e-12)


def test_pieces_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever makes the calls may stop early, for the first are as good a sample as all."""
    told: list[bool] = []

    def hands(function: Any, subject: Any, calls: Any, *, drawn: bool = False) -> Any:
        told.append(drawn)
        return parallel_map(function, subject, calls, drawn=drawn)

    monkeypatch.setattr(draws, "parallel_map", hands)
    monkeypatch.setattr(draws, "WORTH", 1_000)
    replicates(drawn("mean", 30))
    assert told == [True]
