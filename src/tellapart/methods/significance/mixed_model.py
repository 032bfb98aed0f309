from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from tellapart.data.summaries.rater_samples import (
    DEGREES_IN_WORDS,
    ByRaters,
    Degrees,
    Estimation,
    refuse_unfit,
)
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import sided

if TYPE_CHECKING:
    from tellapart.numerics.mixed_models.model_fit import MixedModelFit


@TESTS.add("mixed_model")
@dataclass(frozen=True)
class MixedModel(Procedure):
    """Would other raters, on other items, still rate B above A?

    A rater's difference on an item is effect + rater + item + residual, each spread normally; where raters did not rate both
    systems, a rating is effect + levels and effects of raters and items + residual. Variances by REML, or `fit=ml`. The ratio
    of effect and error is held against Student's t: `kenward_roger` corrects error and degrees of freedom, and keeps its level from
    some six raters and items on; `cochran` takes (rater share + rest)·t(raters − 1) + item share·t(items − 1) as critical value, and
    keeps it with fewer; `satterthwaite` corrects the degrees of freedom alone; `normal` nothing. The wrong choice for these raters
    only (average them) and with one rater per item (`rater_t`). Kenward & Roger (1997); Cochran & Cox (1950); Baayen, Davidson & Bates (2008).
    """

    df: Degrees = field(default="kenward_roger", metadata=ALWAYS)
    fit: Estimation = field(default="reml")

    needs = ByRaters
    advice = "rater_sign_flip"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_unfit(self.name, self.df, self.fit)

    @property
    def label(self) -> str:
        return f"mixed model, {DEGREES_IN_WORDS[self.df]}"

    @property
    def interval(self) -> str:
        return str(self.replace(alternative="two-sided"))

    def apply(self, sample: ByRaters, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        from tellapart.numerics.mixed_models import model_fit as fitted  # noqa: PLC0415  (plain scores have no need of the room)

        found = self.fitted(sample)
        statistic = t_ratio(found.effect, fitted.error_of(found, self.df))
        lower, upper = fitted.tails(found, self.df)
        pvalue = sided(lower, upper, self.alternative)
        return Outcome(pvalue, statistic, np.sign(found.effect), np.zeros_like(pvalue), self._method)

    def fitted(self, sample: ByRaters) -> "MixedModelFit":
        """Effect, error and variances of the sample."""
        from tellapart.numerics.mixed_models.fit_samples import fit_sample  # noqa: PLC0415  (as above)

        return fit_sample(sample, self.fit)

    @property
    def _method(self) -> str:
        return f"{self.fit.upper()} and {_LAWS[self.df]}"


_LAWS = {
    "kenward_roger": "Kenward and Roger's t distribution",
    "cochran": "Cochran's weighted t distribution",
    "satterthwaite": "Satterthwaite's t distribution",
    "normal": "the normal distribution",
}
