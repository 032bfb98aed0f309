"""How many calls make a bundle: as many as take about as long as is worth sending them. The results do not depend on it."""

from dataclasses import dataclass

GROWTH = 4
"""By how much a bundle may exceed the last one: the first calls of all may be the quick ones."""


@dataclass(eq=False)
class Pace:
    """Starts with single calls, and goes by what the last bundles took."""

    wanted: float
    """Seconds of one bundle."""
    count: int | None
    """Calls in all, where that is known."""
    handed: int = 0
    each: float | None = None
    """Seconds of one call, of late."""
    largest: int = 1

    def calls(self, hands: int) -> int:
        """How many calls the next bundle holds, that many hands being there to share what is left."""
        if self.each is None:
            return 1
        number = max(1, min(int(self.wanted / max(self.each, 1e-7)), GROWTH * self.largest))
        if self.count is not None:
            number = max(1, min(number, (self.count - self.handed) // (2 * hands)))
        self.largest = max(self.largest, number)
        return number

    def took(self, calls: int, seconds: float) -> None:
        latest = seconds / max(1, calls)
        self.each = latest if self.each is None else 0.7 * self.each + 0.3 * latest
