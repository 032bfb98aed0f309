from dataclasses import dataclass

import numpy as np

from tellapart.boards.corrections.correction import CORRECTIONS, PvalueCorrection
from tellapart.foundation.arrays import FloatArray


@CORRECTIONS.add("hommel")
@dataclass(frozen=True)
class Hommel(PvalueCorrection):
    """Closed testing with Simes: a little sharper than Hochberg, under the same positive dependence.

    A pair is claimed when Simes' test, min k-th smallest p · size / k, rejects every set of pairs that it is in. Where the
    p-values are not positively dependent Simes may reject too often, and so may this: the wrong choice there (`holm`).
    Hommel (1988).
    """

    label = "Hommel"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        p, m = sorted_pvalues, sorted_pvalues.shape[-1]
        adjusted = p.copy()
        for size in range(m, 1, -1):
            # A set of `size` hypotheses: Simes on its upper ones bounds them all.
            split = m - size + 1
            simes = np.min(size * p[..., split:] / np.arange(2, size + 1), axis=-1, keepdims=True)
            lower = np.minimum(size * p[..., :split], simes)
            adjusted[..., :split] = np.maximum(adjusted[..., :split], lower)
            adjusted[..., split:] = np.maximum(adjusted[..., split:], lower[..., -1:])
        return np.asarray(adjusted)
