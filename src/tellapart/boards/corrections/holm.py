from dataclasses import dataclass

import numpy as np

from tellapart.boards.corrections.correction import CORRECTIONS, PvalueCorrection
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.decision import rejects


@CORRECTIONS.add("holm")
@dataclass(frozen=True)
class Holm(PvalueCorrection):
    """Bonferroni among the pairs still open, from the smallest p-value up: valid under any dependence.

    The smallest of m p-values is multiplied by m, the next by m − 1, and so on; a pair is claimed only if all with smaller
    p-values are. When the first false claim could be made, every true one is behind, so only the pairs that are really
    equal need to be paid for. The wrong choice for many systems on the same items: like Bonferroni it does not use how pairs
    hang together, and `max_t` does. Holm (1979).
    """

    label = "Holm"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        still_open = np.arange(sorted_pvalues.shape[-1], 0, -1)
        return np.asarray(np.maximum.accumulate(still_open * sorted_pvalues, axis=-1))

    def step_levels(self, pvalues: FloatArray, alpha: float) -> FloatArray:
        """The level that each p-value was held against: alpha over the number still open, and from the first that is not claimed on the same."""
        order = np.argsort(pvalues, kind="stable")
        levels = alpha / np.arange(len(pvalues), 0, -1)
        kept = np.flatnonzero(~rejects(self.ascending(pvalues[order]), alpha))
        if len(kept):
            levels[kept[0] :] = levels[kept[0]]
        found = np.empty_like(levels)
        found[order] = levels
        return found
