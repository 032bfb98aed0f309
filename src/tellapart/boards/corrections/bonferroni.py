from dataclasses import dataclass

import numpy as np

from tellapart.boards.corrections.correction import CORRECTIONS, PvalueCorrection
from tellapart.foundation.arrays import FloatArray


@CORRECTIONS.add("bonferroni")
@dataclass(frozen=True)
class Bonferroni(PvalueCorrection):
    """Each p-value times the number of pairs: no false claim in the family, under any dependence.

    With m pairs, p ≤ alpha / m happens by chance somewhere with probability at most m · alpha / m. Pairs of systems on the
    same items hang together, so the bound is far from reached and real gaps are missed. The wrong choice wherever `holm` can be
    had, which finds at least as much at no cost. Dunn (1961).
    """

    label = "Bonferroni"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.asarray(sorted_pvalues * sorted_pvalues.shape[-1])
