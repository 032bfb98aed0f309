from dataclasses import dataclass

import numpy as np

from tellapart.boards.corrections.correction import CORRECTIONS, PvalueCorrection, running_minimum
from tellapart.foundation.arrays import FloatArray


@CORRECTIONS.add("hochberg")
@dataclass(frozen=True)
class Hochberg(PvalueCorrection):
    """Holm's factors from the largest p-value down: valid for independent or positively dependent tests only.

    The largest p-value is left as it is, the next multiplied by 2, and so on; the first one found at most alpha carries all
    smaller ones with it. It rests on Simes' inequality, which positive dependence keeps. All pairs of systems are not
    known to be positively dependent: a − b and b − c share b with opposite signs. The wrong choice where the promise must
    hold whatever the dependence (`holm`). Hochberg (1988).
    """

    label = "Hochberg"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return running_minimum(np.arange(sorted_pvalues.shape[-1], 0, -1) * sorted_pvalues)
