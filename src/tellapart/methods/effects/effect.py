"""Base of effect sizes: unitless differences of B relative to A, computed from one kind of summary."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tellapart.data.summaries import Summary
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.spelling import Registry, Spelled

EFFECTS: "Registry[Effect]" = Registry("effect size")


@dataclass(frozen=True)
class Effect(Spelled):
    """Base of every standardised effect size."""

    registry = EFFECTS
    needs: ClassVar[type[Summary]]
    """The summary of the scores that it looks at."""
    label: ClassVar[str]
    neutral: ClassVar[float] = 0.0
    """Its value where neither system is ahead: above it B is, below it A."""
    inverts: ClassVar[bool] = False
    """Whether it is a ratio, which becomes one over itself when the systems are swapped; else it is mirrored at `neutral`."""

    @abstractmethod
    def value(self, sample: Any) -> FloatArray:
        """The size for every entry of the sample's batch, `(*batch,)`; NaN where it is undefined."""


def ratio(top: FloatArray | IntArray, bottom: FloatArray | IntArray) -> FloatArray:
    """A quotient, undefined (NaN) where it is one by 0."""
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=np.asarray(bottom) > 0.0))
