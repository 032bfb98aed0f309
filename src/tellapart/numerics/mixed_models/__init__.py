"""Mixed models with crossed raters and items: variance components of raters, items and the residual.

`fit_samples` chooses the model for a sample: `balanced` fits complete paired differences `(*batch, rater, item)` in closed form,
`unbalanced` those with missing cells by REML, and `single_ratings` ratings that are not paired. `model_fit` holds estimates, standard
errors and reference distributions. All is batch-first, and knows no test and no alpha.
"""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.numerics.mixed_models.fit_samples import fit_sample

__all__ = ["fit_sample"]

__getattr__ = lazy_names(__name__)
