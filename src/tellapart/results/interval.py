"""An interval in an answer."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class IntervalResult:
    """Bounds at a level; `target` says what they are about, which is not always the difference of means."""

    low: float
    high: float
    level: float
    method: str
    """The spelling of the interval, as it can be typed."""
    target: str = "mean difference"
    label: str = ""
    """Its name in words, where it has one."""

    @property
    def bounded(self) -> bool:
        """Whether it leaves out anything at all."""
        return math.isfinite(self.low) or math.isfinite(self.high)

    @property
    def shown_method(self) -> str:
        return self.label or self.method
