from dataclasses import dataclass
from typing import ClassVar

from tellapart.boards.corrections.correction import CORRECTIONS, Guarantee, PvalueCorrection
from tellapart.foundation.arrays import FloatArray


@CORRECTIONS.add("none")
@dataclass(frozen=True)
class Uncorrected(PvalueCorrection):
    """Every pair judged alone: with m pairs of equal systems some alpha · m false claims are expected.

    For one pair that was named before the scores were seen, and for comparison with papers that corrected for nothing: each
    p-value stays what it is. The wrong choice for a board that is searched for gaps, of which chance alone makes some.
    Miller (1981).
    """

    label = "no correction"
    guarantee: ClassVar[Guarantee] = "none"

    @property
    def multiplies_pvalues(self) -> bool:
        return False

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return sorted_pvalues
