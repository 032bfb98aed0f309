"""Base of the multiple-testing corrections, which adjust the p-values of a family of pairs."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from tellapart.boards.joint_pvalues import Pvalues, Resampling
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.spelling import Registry, Spelled

CORRECTIONS: "Registry[Correction]" = Registry("correction")

Guarantee = Literal["family-wise", "false discovery rate", "none"]
"""The error that alpha bounds: the probability of any false claim, the expected share of false claims, or nothing joint."""
VoteCorrection = Literal["max_t", "holm", "bonferroni", "none"]
"""Corrections that leaderboards of votes take."""


@dataclass(frozen=True)
class Correction(Spelled):
    """Base of every correction: from the p-values of a family of pairs to p-values adjusted for its size.

    A pair is claimed when its adjusted p-value is at most alpha. Adjusted is never below raw, keeps the order of the raw
    p-values, does not depend on the order of the pairs, and leaves a family of one pair as it is.
    """

    registry = CORRECTIONS
    label: ClassVar[str]
    guarantee: ClassVar[Guarantee] = "family-wise"

    @property
    def resampled_by(self) -> Resampling:
        """The resampling of the statistics that it judges."""
        return "both"

    @property
    def multiplies_pvalues(self) -> bool:
        """Whether it multiplies p-values of single pairs, and so needs resamples enough for a very small one."""
        return True

    @abstractmethod
    def adjust(self, joint: Pvalues) -> FloatArray:
        """Adjusted p-values, `(pair,)`."""


@dataclass(frozen=True)
class PvalueCorrection(Correction):
    """Base of the corrections that look at a list of raw p-values and nothing else."""

    def adjust(self, joint: Pvalues) -> FloatArray:
        return self.adjust_list(joint.raw)

    def adjust_list(self, pvalues: FloatArray) -> FloatArray:
        """Adjusted p-values, `(*batch, family)`, in the order given."""
        values = np.asarray(pvalues, dtype=np.float64)
        order = np.argsort(values, axis=-1, kind="stable")
        adjusted = np.empty_like(values)
        np.put_along_axis(adjusted, order, self.ascending(np.take_along_axis(values, order, axis=-1)), axis=-1)
        return np.minimum(adjusted, 1.0)

    @abstractmethod
    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        """The adjusted values of p-values sorted from the smallest up, before they are held below 1."""


def running_minimum(ascending: FloatArray) -> FloatArray:
    """The smallest value from each place up: stepping up, a claim carries all pairs with smaller p-values."""
    return np.asarray(np.minimum.accumulate(ascending[..., ::-1], axis=-1)[..., ::-1])
