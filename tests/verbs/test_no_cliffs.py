"""No size and no law of scores makes `compare` or `gate`, as they are by default, take seconds."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tellapart

SIZES = (4, 5, 8, 12, 16, 20, 25, 30, 35, 40, 45, 50, 55, 60, 80, 100, 150, 200, 300, 400, 9_999)
MOST = 2.0
"""Seconds of the processor."""
Draw = Callable[[np.random.Generator, int], Any]
LAWS: dict[str, Draw] = {
    "normal": lambda rng, n: rng.normal(size=(2, n)),
    "right or wrong": lambda rng, n: (rng.random((2, n)) < 0.6).astype(float),
    "lognormal": lambda rng, n: rng.lognormal(size=(2, n)),
    "heavy tails": lambda rng, n: rng.standard_t(2, size=(2, n)),
    "five grades": lambda rng, n: rng.integers(1, 6, size=(2, n)).astype(float),
    "mostly zero": lambda rng, n: rng.exponential(size=(2, n)) * (rng.random((2, n)) < 0.1) + 1e-3 * (np.arange(n) == 0),
}  # fmt: skip


@pytest.mark.parametrize("law", LAWS)
def test_two_seconds_are_enough(law: str, tmp_path: Path) -> None:
    slow = []
    for items in SIZES:
        sides = []
        for name, scores in zip("ab", LAWS[law](np.random.default_rng(items), items), strict=True):
            sides.append(str(tmp_path / f"{name}.csv"))
            rows = "".join(f"q{n},{score!r}\n" for n, score in enumerate(scores.tolist()))
            (tmp_path / f"{name}.csv").write_text(f"item,score\n{rows}")
        for verb, answer in (
            ("compare", tellapart.compare),
            ("gate", lambda files: tellapart.gate(*files, margin=0.1)),
        ):
            began = time.process_time()
            answer(sides)
            spent = time.process_time() - began
            slow += [(verb, items, spent)] if spent > MOST else []
    assert slow == []
