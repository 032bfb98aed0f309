"""Evidence, for as long as one watches, that an endless stream of bounded losses has ever risen above a supposed mean.

From every start on, bettors stake on the next losses being larger (`numerics.betting`). The watched evidence weighs the start number k by
1/(k(k + 1)): E = Σ E_k/(k(k + 1)) + 1/(K + 1) is no larger than 1 on average, and ever exceeds 1/alpha with probability alpha at most.
"""

from dataclasses import dataclass, field

import numpy as np

from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.numerics.betting import SHARES, STAKES

BETTORS = len(STAKES)
LARGEST_LOG = 700.0
"""Logarithms of evidence up to which it is a number."""


@dataclass(frozen=True, eq=False)
class WatchProcess:
    """What was bet so far: by bettor the sum of log factors since the beginning, and the log of the weights that starts have given it.

    A start's own capital is the quotient of two such products, so that all starts together take one pass over the items.
    """

    logs: FloatArray = field(default_factory=lambda: np.zeros(BETTORS))
    weights: FloatArray = field(default_factory=lambda: np.full(BETTORS, -np.inf))
    starts: int = 0

    def after(self, losses: FloatArray, null: float, starts: IntArray) -> tuple["WatchProcess", FloatArray, FloatArray]:
        """The process after more losses in [−1, 1], the log of the evidence after each of them, and the logs by bettor at each new start.

        `starts` are the places before which a start begins. Every sum runs from item to item, so that pieces give the bits of the whole.
        """
        mean = 0.5 * (1.0 + null)
        ratio = (0.5 * (1.0 + losses) - mean) / mean
        factors = np.log1p(np.array(STAKES)[:, np.newaxis] * ratio)
        logs = np.cumsum(np.concatenate([self.logs[:, np.newaxis], factors], axis=1), axis=1)
        number = self.starts + np.arange(1, len(starts) + 1)
        added = -logs[:, starts] - np.log(number * (number + 1.0))
        weights = np.logaddexp.accumulate(np.concatenate([self.weights[:, np.newaxis], added], axis=1), axis=1)
        by_item = np.searchsorted(starts, np.arange(len(losses)), side="right")
        capital = np.log(np.array(SHARES))[:, np.newaxis] + logs[:, 1:] + weights[:, by_item]
        rest = -np.log(self.starts + by_item + 1.0)
        evidence = np.logaddexp.reduce(np.concatenate([capital, rest[np.newaxis]]), axis=0)
        process = WatchProcess(logs[:, -1], weights[:, -1], self.starts + len(starts))
        return process, evidence, logs[:, starts].T

    def strongest_start(self, logs_at_starts: FloatArray) -> int:
        """Which start has the most weighted evidence now; `logs_at_starts` are `(start, bettor)`."""
        number = np.arange(1, len(logs_at_starts) + 1)
        capital = np.logaddexp.reduce(np.log(np.array(SHARES)) + self.logs - logs_at_starts, axis=1)
        return int(np.argmax(capital - np.log(number * (number + 1.0))))


def evidence_number(log_evidence: float) -> float:
    """Evidence itself, as far as it is a number."""
    return float(np.exp(min(log_evidence, LARGEST_LOG)))
