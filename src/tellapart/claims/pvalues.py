"""The p-values that a claim leaves possible, from the least to the greatest."""

from dataclasses import dataclass

Range = tuple[float, float]


@dataclass(frozen=True)
class PValues:
    """The p-values of every result that fits: at the reported values, with rounding, and at the supposed overlap."""

    low: float
    high: float
    low_rounded: float
    high_rounded: float
    expected: float

    @classmethod
    def nested(cls, reported: Range, rounded: Range, expected: float) -> "PValues":
        """The expected one within the range at the reported values, and that within what rounding allows.

        Numbers taken as exact may fit no table that prints as they do; then the nearest that does stands for them.
        """
        low, high = (min(max(p, rounded[0]), rounded[1]) for p in reported)
        return cls(low, high, *rounded, min(max(expected, low), high))
