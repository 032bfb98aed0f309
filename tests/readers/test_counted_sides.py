"""Gates on frames of what a metric is made of, or counted from."""

import numpy as np
import polars as pl
import pytest

from tellapart import gate
from tellapart.foundation.errors import UsageError


def test_frames_of_parts() -> None:
    """One frame per side was refused for not being one file per side."""
    rng = np.random.default_rng(2)
    counts = rng.integers(0, 4, size=(2, 80, 3))
    items = [f"q{i}" for i in range(80)]
    old, new = (pl.DataFrame({"item": items, "tp": c[:, 0], "fp": c[:, 1], "fn": c[:, 2]}) for c in counts)
    tp, fp, fn = counts.sum(axis=1).T
    expected = np.diff(2 * tp / (2 * tp + fp + fn))[0]
    answer = gate(old, new, metric="f1", margin=0.1)
    assert answer.effect == pytest.approx(expected)
    assert answer.comparison.metric == "f1"
    assert (answer.baseline, answer.candidate) == ("frame (baseline)", "frame (candidate)")
    named = gate(old.with_columns(system=pl.lit("x")), new.with_columns(system=pl.lit("y")), metric="f1", margin=0.1)
    assert (named.baseline, named.candidate, named.effect) == ("x", "y", answer.effect)


def test_frames_of_labels() -> None:
    """Classes are those of both sides together."""
    label = ["cat", "dog"] * 20
    old = pl.DataFrame({"item": range(40), "label": label, "prediction": ["cat", "dog"] * 18 + ["dog"] * 4})
    new = old.with_columns(prediction=pl.Series(["cat", "dog"] * 17 + ["bird"] + ["dog"] * 5))
    answer = gate(old, new, metric="f1(positive=cat)", margin=0.3)
    assert answer.effect == pytest.approx(2 * 17 / (2 * 17 + 3) - 2 * 18 / (2 * 18 + 2))


def test_two_systems_in_a_frame_are_asked_for() -> None:
    old = pl.DataFrame({"system": ["x", "y"] * 20, "item": [i // 2 for i in range(40)], "tp": 1, "fp": 1, "fn": 0})
    new = pl.DataFrame({"item": range(20), "tp": [1, 0] * 10, "fp": 1, "fn": [0, 1] * 10})
    with pytest.raises(UsageError, match="baseline holds 2 systems"):
        gate(old, new, metric="f1", margin=0.1)
    assert gate(old, new, metric="f1", margin=0.1, a="y").baseline == "y"
