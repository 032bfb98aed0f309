"""What a correction is: how the p-values of a family of pairs become p-values one may act on together."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.arrays import FloatArray
from tellapart.multiplicity.evidence import Evidence, Resampling
from tellapart.spelling import Registry, Spelled

CORRECTIONS: "Registry[Correction]" = Registry("correction")

Guarantee = Literal["family-wise", "false discovery rate", "none"]


@dataclass(frozen=True)
class Correction(Spelled):
    """Base of every correction: from what the resamples say about a family of pairs to its adjusted p-values."""

    registry = CORRECTIONS
    label: ClassVar[str]
    guarantee: ClassVar[Guarantee] = "family-wise"

    @property
    def draws(self) -> Resampling:
        """How the evidence it judges is resampled."""
        return "flips"

    @property
    def counts_alone(self) -> bool:
        """Whether it multiplies p-values of single pairs, and so needs resamples enough for a very small one."""
        return True

    @abstractmethod
    def judge(self, evidence: Evidence) -> FloatArray:
        """Adjusted p-values, `(pair,)`."""
