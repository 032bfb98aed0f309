"""Repeats that carry no number are counted as they come."""

from collections import Counter
from collections.abc import Hashable


class Occurrences:
    """How many times a key was met."""

    def __init__(self) -> None:
        self._met: Counter[Hashable] = Counter()

    def of(self, *key: Hashable) -> str:
        """Which time this is, from 1."""
        self._met[key] += 1
        return str(self._met[key])
