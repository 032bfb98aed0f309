"""Boards of many systems: joint p-values of all pairs, `corrections`, rank sets, tiers and meta-analysis over datasets.

`Board` is the table of item contributions, `family_of` the pairs that are tested together. `joint_flips`, `cluster_t_flips` and
`joint_bootstrap` resample all pairs at once; `joint_pvalues` counts exceedances, which a correction turns into adjusted p-values;
`standings` draws rank sets, tiers and letters from the significant pairs. Corrections are here and not in `methods`, because max-T
works on the joint resamples of a board and not on a list of p-values.
"""

from tellapart.boards.corrections import CORRECTIONS, Correction

__all__ = ["CORRECTIONS", "Correction"]
