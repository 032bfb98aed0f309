"""The model of raters and items, fitted to whatever a sample holds: pairs of ratings, votes, or single ratings."""

from tellapart.components.differences import fit_differences
from tellapart.components.fitted import Fitted, Method
from tellapart.errors import Unsuitable
from tellapart.summaries.by_raters import ByRaters
from tellapart.summaries.crossed import Crossed


def fit_sample(sample: ByRaters, method: Method = "reml") -> Fitted:
    """The fit of a sample, computed once for each method."""
    if method not in sample.fits:
        sample.fits[method] = _fit(sample, method)
    found: Fitted = sample.fits[method]
    return found


def _fit(sample: ByRaters, method: Method) -> Fitted:
    if isinstance(sample, Crossed):
        return fit_differences(sample.values, method)
    raise Unsuitable(
        "some raters did not rate both systems on an item, and single ratings are not fitted yet; keep the ratings that are in pairs"
    )
