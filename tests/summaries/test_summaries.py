"""What summaries make of a pair, and what they ask of it."""

import numpy as np
import pytest

from tellapart.data.pair import Pair
from tellapart.data.summaries import (
    Differences,
    Discordance,
    Independent,
    Parts,
    Proportion,
    SeparateCounts,
    Summary,
    average_runs,
    coding_of,
    contributions,
    count,
    item_contributions,
)
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import Unsuitable
from tellapart.metrics import METRICS

MEAN, F1 = METRICS.parse("mean"), METRICS.parse("f1")


def column(*values: float) -> FloatArray:
    """Scores of items run once: `(item, run, part)`."""
    return np.array(values)[:, np.newaxis, np.newaxis]


RIGHT = Pair(column(1, 1, 0, 0, 1, 0), column(1, 0, 1, 1, 1, 0))
GRADED = Pair(column(0.1, 0.5, 0.9), column(0.3, 0.5, 0.4), np.array([0, 0, 1]))
FIRST, SECOND = np.random.default_rng(1).integers(0, 4, (2, 9, 1, 3)).astype(float)
COUNTED = Pair(FIRST, SECOND)


@pytest.mark.parametrize(
    ("kind", "systems", "paired", "binary", "holds_parts"),
    [
        (Differences, 2, True, False, False),
        (Parts, 2, True, False, True),
        (Discordance, 2, True, True, False),
        (Independent, 2, False, False, False),
        (SeparateCounts, 2, False, True, False),
        (Proportion, 1, True, True, False),
    ],
)
def test_what_each_asks_for(kind: type[Summary], systems: int, paired: bool, binary: bool, holds_parts: bool) -> None:
    """What verbs, planning and the command line read off the class that a method needs."""
    assert (kind.systems, kind.paired, kind.binary, kind.holds_parts) == (
        systems,
        paired,
        binary,
        holds_parts,
    )


@pytest.mark.parametrize("kind", [Differences, Parts, Independent, Discordance, SeparateCounts, Proportion])
def test_what_suits(kind: type[Summary]) -> None:
    """Right-or-wrong summaries want right-or-wrong scores and their mean; one system's want one system's scores."""
    pairs = kind.systems == 2
    assert kind.suits(RIGHT, MEAN) == pairs
    assert kind.suits(GRADED, MEAN) == (pairs and not kind.binary)
    assert kind.suits(COUNTED, F1) == (pairs and not kind.binary)
    assert kind.suits(RIGHT.a, MEAN) != pairs
    assert not kind.suits("scores", MEAN)


@pytest.mark.parametrize("kind", [Discordance, SeparateCounts])
@pytest.mark.parametrize(("pair", "metric"), [(GRADED, MEAN), (COUNTED, F1)])
def test_what_does_not_suit_is_refused(kind: type[Summary], pair: Pair, metric: object) -> None:
    """The refusal says what is needed and what takes numbers instead."""
    wanted = r"right-or-wrong scores \(0 and 1, 0 and 100 or −1 and 1, one run per item\).*_t"
    with pytest.raises(Unsuitable, match=wanted):
        kind.of(pair, metric)  # type: ignore[arg-type]


def test_differences() -> None:
    """B − A per item, with clusters and the size of the largest score; float noise is no difference."""
    found = Differences.of(GRADED, MEAN)
    assert found.values.tolist() == pytest.approx([0.2, 0.0, -0.5])
    assert (found.items, found.scale) == (3, 0.9)
    assert float(found.effect) == pytest.approx(-0.1)
    assert found.clusters is GRADED.clusters
    noisy = Differences.of(Pair(column(0.1, 0.3, 0.6), column(0.1 + 0.2, 0.5, 0.8)), MEAN)
    assert np.unique(noisy.values).tolist() == [0.2]
    assert np.unique(noisy.snapped).tolist() == [0.2]


def test_shifted_differences() -> None:
    """Each difference moves, and so does the size that float noise is judged by, if the shift is larger than the scores."""
    moved = Differences.of(GRADED, MEAN).shifted(-3.0)
    assert moved.values.tolist() == pytest.approx([-2.8, -3.0, -3.5])
    assert (moved.scale, moved.items) == (3.0, 3)
    assert moved.clusters is GRADED.clusters
    assert Differences(np.array([1.0, 2.0])).shifted(1.0).scale is None
    assert Differences.of(GRADED, MEAN).shifted(0.1).scale == 0.9


def test_parts_of_a_metric() -> None:
    """The effect is the metric's difference; differences are those of influence and average to it."""
    found = Parts.of(COUNTED, F1)
    tp, fp, fn = COUNTED.b[:, 0].sum(axis=0)
    tp_a, fp_a, fn_a = COUNTED.a[:, 0].sum(axis=0)
    expected = 2 * tp / (2 * tp + fp + fn) - 2 * tp_a / (2 * tp_a + fp_a + fn_a)
    assert float(found.effect) == pytest.approx(expected, rel=1e-12, abs=0.0)
    assert float(found.differences.effect) == pytest.approx(expected, rel=1e-12, abs=0.0)
    assert found.items == found.differences.items == 9
    with pytest.raises(Unsuitable, match="f1 cannot test a margin"):
        found.shifted(0.1)


def test_parts_of_a_mean_can_be_moved() -> None:
    """Every score of B moves, and so does the effect."""
    found = Parts.of(GRADED, MEAN)
    assert float(found.shifted(0.25).effect) == pytest.approx(float(found.effect) + 0.25)
    assert found.shifted(0.25).clusters is GRADED.clusters
    assert found.differences.clusters is GRADED.clusters


def test_discordance() -> None:
    """Counts of the four cells, by item."""
    found = Discordance.of(RIGHT, MEAN)
    cells = (found.both, found.wins, found.losses, found.neither)
    assert [int(cell) for cell in cells] == [2, 2, 1, 1]
    assert (int(found.items), float(found.share)) == (6, 0.5)
    assert float(found.effect) == pytest.approx(1 / 6)
    with pytest.raises(Unsuitable, match=r"cannot be moved by 0\.1"):
        found.shifted(0.1)


def test_systems_on_different_items() -> None:
    """Each system has its own number of items; items of both count."""
    pair = Pair(column(1, 0, 0), column(1, 1, 0, 1, 1))
    numbers, counts = Independent.of(pair, MEAN), SeparateCounts.of(pair, MEAN)
    assert numbers.items == int(counts.items) == 8
    assert float(numbers.effect) == float(counts.effect) == pytest.approx(0.8 - 1 / 3)
    assert float(numbers.shifted(0.5).effect) == pytest.approx(1.3 - 1 / 3)
    assert (int(counts.a.successes), int(counts.a.trials)) == (1, 3)
    assert (int(counts.b.successes), int(counts.b.trials)) == (4, 5)


def test_one_system() -> None:
    """Right answers out of items, for every entry of a batch."""
    found = Proportion.of(np.stack([RIGHT.a, RIGHT.b]), MEAN)
    assert found.successes.tolist() == [3, 4]
    assert found.items.tolist() == [6, 6]
    assert found.effect.tolist() == [0.5, 4 / 6]


def test_runs_are_averaged_within_items() -> None:
    """Items are the sample: repeats are averaged, gaps left out."""
    scores = np.array([[[1.0], [0.0]], [[1.0], [np.nan]]])
    assert average_runs(scores).tolist() == [[0.5], [1.0]]
    assert contributions(scores, MEAN).tolist() == [0.5, 1.0]
    assert coding_of(Pair(scores, scores)) is None


@pytest.mark.parametrize(("wrong", "right"), [(0, 100), (-1, 1)])
def test_right_or_wrong_in_other_numbers(wrong: float, right: float) -> None:
    """Percent and signs say right and wrong too; the effect stays in their unit, and one third number spoils it."""
    a, b = column(wrong, right, wrong, wrong), column(right, right, right, wrong)
    assert coding_of(Pair(a, b)) == (wrong, right)
    counted = Discordance.of(Pair(a, b), MEAN)
    assert [int(x) for x in (counted.both, counted.wins, counted.losses, counted.neither)] == [1, 2, 0, 1]
    assert float(counted.effect) == float(SeparateCounts.of(Pair(a, b), MEAN).effect) == 0.5 * (right - wrong)
    assert coding_of(Pair(a, column(right, right, 0.5, wrong))) is None
    assert coding_of(Pair(column(0, 1, 0), column(0, 100, 0))) is None


def test_a_single_score_that_is_neither_right_nor_wrong() -> None:
    """One graded score, of either system, makes scores graded."""
    graded = column(1, 0.5, 0)
    right = column(1, 0, 0)
    assert coding_of(Pair(right, right)) == (0.0, 1.0)
    assert coding_of(Pair(right, graded)) is None
    assert coding_of(Pair(graded, right)) is None
    assert count(np.array([[True, False], [True, True]])).tolist() == [1, 2]


def test_contributions_are_metric_plus_influence() -> None:
    """Of F1: (2·tp − F1·(2·tp + fp + fn)) over the mean denominator, on top of F1."""
    parts = COUNTED.a[:, 0]
    tp, fp, fn = parts.T
    size = 2 * tp + fp + fn
    f1 = 2 * tp.sum() / size.sum()
    expected = f1 + (2 * tp - f1 * size) / size.mean()
    np.testing.assert_allclose(item_contributions(parts, F1), expected, rtol=1e-12)
