"""Kinds of scores on which defaults are tried: differences with a known mean, drawn as often as wanted."""

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray, IntArray
from tellapart.seeds import Generator

Draw = Callable[[tuple[int, int], float, Generator], FloatArray]
"""Differences `(replicate, item)` whose true mean is the effect, which is in standard deviations of a difference."""

DETECTED = 2.8
"""Standard errors that a z test at 0.05 finds with 80 % power: the effect at which power is measured."""


@dataclass(frozen=True, eq=False)
class Scenario:
    """So many items with differences of one kind; `sizes` are those of its clusters.

    `test` and `interval` are left to be chosen unless something that is no default is to be shown. `known` says why what
    is promised is not kept here.
    """

    group: str
    kind: str
    items: int
    draw: Draw
    replicates: int
    sizes: tuple[int, ...] = ()
    design_effect: float = 1.0
    test: str | None = None
    interval: str | None = None
    known: str = ""

    @property
    def name(self) -> str:
        return f"{self.kind}, {self.items} items"

    @property
    def effect(self) -> float:
        """What a z test would find four times in five."""
        return DETECTED * float(np.sqrt(self.design_effect / self.items))

    @property
    def clusters(self) -> IntArray | None:
        return np.repeat(np.arange(len(self.sizes)), self.sizes) if self.sizes else None

    @property
    def number(self) -> int:
        """What its random streams are numbered by: its own name, so that other scenarios may come and go."""
        return zlib.crc32(f"{self.group}/{self.name}".encode())
