"""Answers that are the same but for how their sums were rounded."""

from typing import Any

import pytest


def alike(one: Any, other: Any, rel: float) -> None:
    """Equal, and numbers to within so much of themselves."""
    if isinstance(one, dict):
        assert one.keys() == other.keys()
        for key in one:
            alike(one[key], other[key], rel)
    elif isinstance(one, list):
        assert len(one) == len(other)
        for first, second in zip(one, other, strict=True):
            alike(first, second, rel)
    elif isinstance(one, float):
        assert one == pytest.approx(other, rel=rel, abs=1e-12)
    else:
        assert one == other
