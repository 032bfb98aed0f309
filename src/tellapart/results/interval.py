"""An interval in an answer."""

from dataclasses import dataclass


@dataclass(frozen=True)
class IntervalResult:
    """Bounds at a level; `target` says what they are about, which is not always the difference of means."""

    low: float
    high: float
    level: float
    method: str
    target: str = "mean difference"
