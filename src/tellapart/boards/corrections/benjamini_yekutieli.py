from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tellapart.boards.corrections.correction import CORRECTIONS, Guarantee, PvalueCorrection, running_minimum
from tellapart.foundation.arrays import FloatArray


@CORRECTIONS.add("by")
@dataclass(frozen=True)
class BenjaminiYekutieli(PvalueCorrection):
    """Benjamini–Hochberg under any dependence, at the price of a factor 1 + 1/2 + … + 1/m.

    The k-th smallest of m p-values is multiplied by m / k and by that factor, which is the worst that dependence can do, some 6
    for 200 pairs. A screen like Benjamini–Hochberg. The wrong choice where few pairs differ: Holm is often cheaper then, and
    promises more. Benjamini & Yekutieli (2001).
    """

    label = "Benjamini–Yekutieli"
    guarantee: ClassVar[Guarantee] = "false discovery rate"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        m = sorted_pvalues.shape[-1]
        penalty = np.sum(1.0 / np.arange(1, m + 1))
        return running_minimum(penalty * m / np.arange(1, m + 1) * sorted_pvalues)
