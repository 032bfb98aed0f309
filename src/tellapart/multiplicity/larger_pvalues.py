"""The larger p-value of two ways to resample a family, for the pairs that both decide about."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from tellapart.arrays import BoolArray, FloatArray
from tellapart.multiplicity.joint_pvalues import JointPvalues


class Way(NamedTuple):
    """A family's p-values by one way to resample it, and which pairs this way decides about, `(pair,)`."""

    resampled_by: Literal["flips", "bootstrap"]
    pvalues: JointPvalues
    decides: BoolArray


@dataclass(frozen=True, eq=False)
class LargerPvalues:
    """P-values of a family of pairs, `(pair,)` each, each the largest of the ways that decide about the pair: a claim is false only where all of them err."""

    ways: tuple[Way, ...]

    @property
    def raw(self) -> FloatArray:
        return self.largest(lambda way: way.pvalues.raw)

    @property
    def step_down(self) -> FloatArray:
        return self.largest(lambda way: way.pvalues.step_down)

    @property
    def single_step(self) -> FloatArray:
        return self.largest(lambda way: way.pvalues.single_step)

    def largest(self, of: Callable[[Way], FloatArray]) -> FloatArray:
        """The largest of something of each way, `(pair,)`, for every pair of those that decide about it."""
        return np.asarray(np.max([np.where(way.decides, of(way), 0.0) for way in self.ways], axis=0))

    @property
    def first(self) -> JointPvalues:
        """The way that decides about every pair."""
        return self.ways[0].pvalues

    @property
    def resamples(self) -> int:
        """The fewest of any way."""
        return min(way.pvalues.resamples for way in self.ways)

    @property
    def exact(self) -> bool:
        """Whether the resamples of all ways are all there are, so that no p-value has Monte Carlo error."""
        return all(way.pvalues.exhaustive for way in self.ways)
