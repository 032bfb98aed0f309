"""Evidence of a watch: by definition, in pieces, and how often it alarms."""

import numpy as np
import pytest
from tests.exhaustive import of_all
from tests.numerics.frontier import rows

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.betting import capital_above
from tellapart.numerics.watch import WatchProcess

ALARM = np.log(20.0)


def stream(chances: tuple[float, float], items: int, rng: np.random.Generator) -> FloatArray:
    """Losses 1, 0 and −1, the first and the last with these chances."""
    more, less = chances
    return np.asarray(rng.choice([1.0, 0.0, -1.0], p=[more, 1.0 - more - less, less], size=items))


def every(items: int, group: int = 100) -> IntArray:
    return np.arange(0, items, group)


def test_evidence_is_that_of_all_starts_together() -> None:
    losses = stream((0.1, 0.05), 350, np.random.default_rng(0))
    _, found, _ = WatchProcess().after(losses, 0.02, every(350))
    for item in (0, 50, 99, 100, 249, 349):
        starts = item // 100 + 1
        numbers = [0.5 * (1.0 + losses[100 * k : item + 1]) for k in range(starts)]
        capital = [np.exp(capital_above(one, np.array(0.51))[-1]) for one in numbers]
        expected = sum(x / ((k + 1) * (k + 2)) for k, x in enumerate(capital)) + 1.0 / (starts + 1)
        assert found[item] == pytest.approx(np.log(expected), abs=1e-12)


@pytest.mark.parametrize("piece", [1, 7, 35, 100, 349])
def test_pieces_give_the_bits_of_the_whole(piece: int) -> None:
    losses = np.random.default_rng(1).uniform(-1.0, 1.0, 700)
    whole, expected, at_starts = WatchProcess().after(losses, 0.01, every(700))
    process, found, logs = WatchProcess(), [], []
    for first in range(0, 700, piece):
        starts = every(700)[(every(700) >= first) & (every(700) < first + piece)] - first
        process, evidence, more = process.after(losses[first : first + piece], 0.01, starts)
        found.append(evidence)
        logs.append(more)
    assert np.array_equal(np.concatenate(found), expected)
    assert np.array_equal(np.concatenate(logs), at_starts)
    assert np.array_equal(process.weights, whole.weights)


def published(stream_name: str) -> dict[str, str]:
    return next(
        r for r in rows("watch_delay") if r["stream"].startswith(stream_name) and r["process"].startswith("restarted")
    )


def test_false_alarms() -> None:
    rng, alarms, lives = np.random.default_rng(2), 0, 200
    for _ in range(lives):
        _, evidence, _ = WatchProcess().after(stream((0.05, 0.05), 6000, rng), 0.0, every(6000))
        alarms += evidence.max() >= ALARM
    expected = float(published("no difference for ever")["false_alarms"])
    assert alarms / lives == pytest.approx(expected, abs=3.0 * np.sqrt(expected / lives))


@pytest.mark.parametrize("scores", [0.5, 0.05])
def test_false_alarms_of_scores_with_zeros(scores: float) -> None:
    """At the margin exactly, with scores in [0, 1], mostly 0."""
    rng, alarms, lives = np.random.default_rng(3), 0, 150
    for _ in range(lives):
        shown = rng.random(3000) < scores
        losses = np.where(shown, rng.uniform(-0.6, 0.6, 3000), 0.0) + 0.02
        _, evidence, _ = WatchProcess().after(losses, 0.02, every(3000, 50))
        alarms += evidence.max() >= ALARM
    assert alarms / lives <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / lives)


@pytest.mark.parametrize("group", [7, 311])
def test_false_alarms_where_systems_rarely_differ(group: int) -> None:
    """A loss of 0.01 on average, which is the margin, in groups of odd sizes, for 5,000 items."""
    rng, alarms, lives = np.random.default_rng(group), 0, of_all(60, 400)
    for _ in range(lives):
        _, evidence, _ = WatchProcess().after(stream((0.015, 0.005), 5000, rng), 0.01, every(5000, group))
        alarms += evidence.max() >= ALARM
    assert alarms / lives <= 0.05 + 3.0 * np.sqrt(0.05 * 0.95 / lives)


def test_a_late_loss_is_found() -> None:
    rng, delays = np.random.default_rng(4), []
    for _ in range(60):
        losses = np.concatenate([stream((0.05, 0.05), 2000, rng), stream((0.075, 0.025), 5000, rng)])
        _, evidence, _ = WatchProcess().after(losses, 0.02, every(7000))
        delays.append(np.flatnonzero(np.append(evidence, np.inf) >= ALARM)[0] + 1 - 2000)
    expected = float(published("no difference for 2000")["median_items_to_alarm"])
    assert np.median(delays) == pytest.approx(expected, rel=0.2, abs=0.0)
