"""Power, number of items and detectable effect of a study: a population, a test, a design and an alpha.

`power_of(study)` asks three engines in this order and says which answered: formula, exact, Monte Carlo. Exact means that every table of
results is summed, with the test's own p-values. Monte Carlo cuts replicates into blocks whose size depends on the study alone, each with its
own numbered random stream, and adds their tallies in order: the same bits on threads, processes or a cluster.

One solver serves all engines. An axis (`solved_axes`) names what is solved for, a field of the design or the effect. Power over items can be
saw-toothed; the answer is the first number of items that reaches the target, and the number from which it stays there.

A population says which random numbers one evaluation takes (`draws`). Studies in a grid that take the same numbers share them, because equal
`draws` are equal noise by construction.
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.planning.approximations import APPROXIMATIONS, by_central_limit, nearly_normal
    from tellapart.planning.exact import exact_curve, exact_powers, separate, separate_curve
    from tellapart.planning.formula import formula as formula_power
    from tellapart.planning.looks import most_items, power_with_looks
    from tellapart.planning.monte_carlo import block_size, simulate_many
    from tellapart.planning.raters import by_seeds, closed, detected
    from tellapart.planning.simulated_root import simulate_root, simulated_units
    from tellapart.planning.solved_axes import EffectAxis
    from tellapart.planning.study import Study

__all__ = [
    "APPROXIMATIONS",
    "EffectAxis",
    "Study",
    "block_size",
    "by_central_limit",
    "by_seeds",
    "closed",
    "detected",
    "exact_curve",
    "exact_powers",
    "formula_power",
    "most_items",
    "nearly_normal",
    "power_with_looks",
    "separate",
    "separate_curve",
    "simulate_many",
    "simulate_root",
    "simulated_units",
]

__getattr__ = lazy_names(__name__)
