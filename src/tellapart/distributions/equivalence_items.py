"""How many items two one-sided t tests need to show that equal systems differ by less than a margin."""

import numpy as np
from scipy import special

from tellapart.arrays import FloatArray
from tellapart.distributions.noncentral_t import equivalence_power, items_df, t_critical
from tellapart.distributions.roots import increasing_root

FEWEST = 2.0
"""Items below which nothing is seen to vary."""


def equivalence_items(margin: float, sd: float, power: float, alpha: float, share: float = 1.0) -> float:
    """The smallest whole number, where `sd` is that of the differences; each item adds `share` to the degrees of freedom.

    Exact for normal differences. Schuirmann (1987).
    """

    def reached(items: FloatArray) -> FloatArray:
        return equivalence_power(0.0, margin / sd * np.sqrt(items), items_df(items, share), alpha)

    def short(root: FloatArray) -> FloatArray:
        return np.asarray(reached(root * root) - power)

    # Power is nearly straight in the root of the number of items; both sides must reject, each with half of what may be missed.
    quantiles = special.ndtri(0.5 + power / 2.0) + t_critical(np.inf, alpha, "greater")
    guess = np.sqrt((quantiles * sd / margin) ** 2 + 2.0 * FEWEST)
    root = float(increasing_root(short, np.asarray(np.sqrt(FEWEST)), np.asarray(guess)))
    whole = max(float(np.ceil(root * root)) - 1.0, FEWEST)
    for _ in range(2):  # the root may err in its last digit, power at whole numbers does not
        whole += float(reached(np.asarray(whole)) < power)
    return whole
