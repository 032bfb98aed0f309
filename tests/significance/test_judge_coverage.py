"""How often the interval of a judge with human labels holds the truth, on laws of its own; the table of docs/judges.md is of these laws."""

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.judge_regression import FEW_DIFFER, regression
from tellapart.numerics.null_laws.tails import t_quantile

REPLICATES, JUDGED = 1_000, 10
"""Simulated evaluations, and judged items per label."""

Drawn = tuple[FloatArray, FloatArray]


def right_or_wrong(rng: Generator, items: int, differ: float, effect: float, right: float, kinder: float) -> Drawn:
    """People's and the judge's differences; the judge calls some of B's wrong answers right."""
    shares = [(differ - effect) / 2.0, 1.0 - differ, (differ + effect) / 2.0]
    human = rng.choice([-1.0, 0.0, 1.0], (REPLICATES, items), p=shares)
    a = np.where(human == 0.0, rng.random(human.shape) < 0.6, human < 0.0)
    b = a + human
    seen_a, seen_b = (np.where(rng.random(human.shape) < right, one, 1.0 - one) for one in (a, b))
    return human, np.where(rng.random(human.shape) < kinder, 1.0, seen_b) - seen_a


def covers(human: FloatArray, judge: FloatArray, labels: int, truth: float, step: float | None) -> float:
    said = human[:, :labels]
    size = np.abs(said).max(axis=1) if step is None else np.full(len(said), step)
    added = np.where((said != 0.0).sum(axis=1) < FEW_DIFFER, size, 0.0)
    found = regression(said, judge[:, :labels], judge, added)
    return float((np.abs(found.effect - truth) <= t_quantile(0.975, labels - 2.0) * found.error).mean())


@pytest.mark.parametrize("labels", [20, 30, 100])
@pytest.mark.parametrize(
    ("differ", "effect", "right", "kinder"),
    [
        (0.05, 0.03, 0.95, 0.0),
        (0.2, 0.06, 0.6, 0.0),
        (0.2, 0.06, 0.99, 0.0),
        (0.2, 0.06, 0.9, 0.3),
        (0.4, 0.1, 0.85, 0.0),
    ],
)
def test_right_or_wrong_is_covered(differ: float, effect: float, right: float, kinder: float, labels: int) -> None:
    """With rare disagreement, with judges right on 60 to 99 %, and with one that is kinder to B."""
    rng = np.random.default_rng([labels, int(100 * right)])
    human, judge = right_or_wrong(rng, JUDGED * labels, differ, effect, right, kinder)
    assert covers(human, judge, labels, effect, 1.0) >= 0.93


@pytest.mark.parametrize(("labels", "least"), [(20, 0.91), (30, 0.915), (100, 0.93)])
def test_skewed_differences_are_covered(labels: int, least: float) -> None:
    rng = np.random.default_rng(labels)
    human = rng.exponential(size=(REPLICATES, JUDGED * labels)) - 1.0
    assert covers(human, human + rng.normal(size=human.shape), labels, 0.0, None) >= least


def test_rare_large_failures_are_the_known_failure() -> None:
    """Small gains, and 5 % of items that lose about 1: with 30 labels far below 95 %."""
    rng = np.random.default_rng(3)
    human = 0.02 + 0.1 * rng.normal(size=(REPLICATES, 300)) - (rng.random((REPLICATES, 300)) < 0.05)
    found = covers(human, human + 0.1 * rng.normal(size=human.shape), 30, -0.03, None)
    assert 0.83 <= found <= 0.93
