from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tellapart.boards.corrections.correction import CORRECTIONS, Guarantee, PvalueCorrection, running_minimum
from tellapart.foundation.arrays import FloatArray


@CORRECTIONS.add("bh")
@dataclass(frozen=True)
class BenjaminiHochberg(PvalueCorrection):
    """At most alpha of the claimed pairs are false on average: a screen, for independent or positively dependent tests.

    The k-th smallest of m p-values is multiplied by m / k. With many real gaps many claims are made, and some of them may
    be false: ranks, tiers and "may be the best" need every claim to be true together, so they do not follow. The wrong choice
    where each claim is acted on by itself (`max_t`), and for tests that depend in any other way (`by`).
    Benjamini & Hochberg (1995).
    """

    label = "Benjamini–Hochberg"
    guarantee: ClassVar[Guarantee] = "false discovery rate"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        m = sorted_pvalues.shape[-1]
        return running_minimum(m / np.arange(1, m + 1) * sorted_pvalues)
