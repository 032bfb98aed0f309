"""The p-values that a claim leaves possible, from the least to the greatest."""

from dataclasses import dataclass

Range = tuple[float, float]


@dataclass(frozen=True)
class PValues:
    """The p-values of every result that fits: at the reported values, with rounding, and at the supposed overlap.

    `usual_low` is the smallest at any overlap in the band that was supposed, rounding included.
    """

    low: float
    high: float
    low_rounded: float
    high_rounded: float
    expected: float
    usual_low: float

    @classmethod
    def nested(cls, reported: Range, rounded: Range, expected: float, usual_low: float) -> "PValues":
        """The expected one within the range at the reported values, and that within what rounding allows.

        Numbers taken as exact may fit no table that prints as they do; then the nearest that does stands for them.
        """
        low, high = (min(max(p, rounded[0]), rounded[1]) for p in reported)
        supposed = min(max(expected, low), high)
        return cls(low, high, *rounded, supposed, min(max(usual_low, rounded[0]), supposed))
