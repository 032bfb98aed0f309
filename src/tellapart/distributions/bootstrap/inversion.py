"""The bounds of a bootstrap interval, and the tails at which the same interval begins to leave a null out."""

import copy
from collections.abc import Callable

import numpy as np

from tellapart.distributions.bootstrap.bca import bca_bounds, bca_tails
from tellapart.distributions.bootstrap.limits import AT_FIRST, AUTOMATIC, MOST_DRAWN, NEAR, NEAR_ALPHA, Kind
from tellapart.distributions.bootstrap.percentile import percentile_bounds, percentile_tails
from tellapart.distributions.bootstrap.ranks import Two, is_tied
from tellapart.distributions.bootstrap.studentised import studentised_bounds, studentised_tails
from tellapart.distributions.resampling import Replicates, in_groups
from tellapart.seeds import Generator
from tellapart.summaries import Parts


def enough_resamples(kind: Kind, sample: Parts, named: int, rng: Generator) -> int:
    """As many as were named; else more of one evaluation whose p-value against zero may be near alpha.

    The same number for its test, its interval and its margins, so that these are one decision. Simulated evaluations have the fewer.
    """
    if named != AUTOMATIC:
        return named
    if sample.a.ndim > 2:
        return AT_FIRST
    lower, upper, drawn = in_groups(
        sample,
        AT_FIRST,
        copy.deepcopy(rng),
        lambda found: (
            *bootstrap_tails(kind, found, 0.0),
            np.full_like(found.effect, found.effects.shape[-1]),
        ),
    )
    pvalue = 2.0 * float(np.minimum(lower, upper))
    # Where the work was stopped at the first look there is no second: those that were drawn are answered from.
    if drawn < AT_FIRST or not NEAR[0] <= pvalue <= NEAR[1]:
        return AT_FIRST
    return min(NEAR_ALPHA, max(AT_FIRST, MOST_DRAWN // sample.units))


def bootstrap_bounds(kind: Kind, found: Replicates, level: float) -> Two:
    """Lower and upper bound of the effect, each `(entry,)`; a bound that is zero up to rounding is zero."""
    low, high = _BOUNDS[kind](found, (1.0 - level) / 2.0)
    return np.where(is_tied(low, found), 0.0, low), np.where(is_tied(high, found), 0.0, high)


def bootstrap_tails(kind: Kind, found: Replicates, null: float) -> Two:
    """One-sided p-values against "below `null`" and "above `null`": where a bound of the interval passes it.

    Undefined (NaN) when there is no spread and the effect is not `null`: nothing can be measured against nothing.
    """
    lower, upper = _TAILS[kind](found, null)
    undefined = (found.error == 0.0) & ~is_tied(found.effect - null, found)
    return np.where(undefined, np.nan, lower), np.where(undefined, np.nan, upper)


_BOUNDS: dict[Kind, Callable[[Replicates, float], Two]] = {
    "percentile": percentile_bounds,
    "bca": bca_bounds,
    "studentised": studentised_bounds,
}
_TAILS: dict[Kind, Callable[[Replicates, float], Two]] = {
    "percentile": percentile_tails,
    "bca": bca_tails,
    "studentised": studentised_tails,
}
