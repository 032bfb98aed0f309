"""Gains over an earlier best system, in points: their mean with its error."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Gains:
    mean: float
    error: float
    count: float

    @classmethod
    def of(cls, differences: Sequence[float]) -> "Gains":
        values = np.asarray(differences)
        error = values.std(ddof=1) / np.sqrt(len(values))
        return cls(float(values.mean()), float(error), float(len(values)))
