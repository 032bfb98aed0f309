"""How a leaderboard is to be judged."""

from dataclasses import dataclass
from numbers import Integral

from tellapart.errors import UsageError
from tellapart.multiplicity import Correction

FEWEST_RESAMPLES, MOST_RESAMPLES = 99, 10_000_000
"""As few and as many as may be asked for: more would take hours, and say no more."""


@dataclass(frozen=True)
class RankQuestion:
    """How a leaderboard is judged."""

    alpha: float
    correction: Correction
    baseline: str | None
    lower_is_better: bool
    resamples: int | None
    seed: int
    gap: float | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha < 0.5:
            raise UsageError(f"alpha is {self.alpha:g}; it should lie between 0 and 0.5, usually 0.05")
        if self.resamples is not None and not (
            isinstance(self.resamples, Integral) and FEWEST_RESAMPLES <= self.resamples <= MOST_RESAMPLES
        ):
            raise UsageError(
                f"resamples is {self.resamples}; it should be a whole number of at least {FEWEST_RESAMPLES} and at most "
                f"{MOST_RESAMPLES}, usually 10000"
            )
        if not (isinstance(self.seed, Integral) and self.seed >= 0):
            raise UsageError(f"seed is {self.seed}; it should be 0 or more, without a fraction")
        if self.gap is not None and not 0.0 < self.gap < float("inf"):
            raise UsageError(
                f"gap is {self.gap:g}; it should be a number above 0, in the units of the scores"
            )
