"""Mixed-model test and interval of the effect, generalising to other raters and items."""

from dataclasses import dataclass, field

import numpy as np

from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS, Bounds
from tellapart.methods.significance.inversion import InversionInterval, InvertibleTest
from tellapart.methods.significance.procedure import TESTS, Outcome
from tellapart.numerics import mixed_models
from tellapart.numerics.mixed_models.model_fit import Degrees, Method, MixedModelFit
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import sided

LABELS: dict[Degrees, str] = {
    "kenward_roger": "Kenward–Roger",
    "cochran": "Cochran's t",
    "satterthwaite": "Satterthwaite",
    "normal": "normal law",
}
LAWS: dict[Degrees, str] = {
    "kenward_roger": "Kenward and Roger's t distribution",
    "cochran": "Cochran's weighted t distribution",
    "satterthwaite": "Satterthwaite's t distribution",
    "normal": "the normal distribution",
}


@TESTS.add("mixed_model")
@dataclass(frozen=True)
class MixedModel(InvertibleTest):
    """Would other raters, on other items, still rate B above A?

    A rater's difference on an item is effect + rater + item + residual, each spread normally; where raters did not rate both
    systems, a rating is effect + levels and effects of raters and items + residual. Variances by REML, or `fit=ml`. The ratio
    of effect and error is held against Student's t: `kenward_roger` corrects error and degrees of freedom, and keeps its level from
    some six raters and items on; `cochran` takes (rater share + rest)·t(raters − 1) + item share·t(items − 1) as critical value, and
    keeps it with fewer; `satterthwaite` corrects the degrees of freedom alone; `normal` nothing. The wrong choice for these raters
    only (average them) and with one rater per item (`rater_t`). Kenward & Roger (1997); Cochran & Cox (1950); Baayen, Davidson & Bates (2008).
    """

    df: Degrees = field(default="kenward_roger", metadata=ALWAYS)
    fit: Method = field(default="reml")

    needs = ByRaters
    advice = "rater_sign_flip"

    def __post_init__(self) -> None:
        super().__post_init__()
        _refuse_ml_with_kenward_roger(self)

    @property
    def label(self) -> str:
        return f"mixed model, {LABELS[self.df]}"

    def apply(self, sample: ByRaters, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        fit = self.fitted(sample)
        statistic = t_ratio(fit.effect, fit.standard_error(self.df))
        pvalue = sided(*fit.tails(self.df), self.alternative)
        method = f"{self.fit.upper()} and {LAWS[self.df]}"
        return Outcome(pvalue, statistic, np.sign(fit.effect), np.zeros_like(pvalue), method)

    def bounds(self, sample: ByRaters, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        fit = self.fitted(sample)
        half_width = fit.critical_value(level, self.df) * fit.standard_error(self.df)
        return fit.effect - half_width, fit.effect + half_width

    def fitted(self, sample: ByRaters) -> MixedModelFit:
        """Effect, error and variances of the sample."""
        return mixed_models.fit_sample(sample, self.fit)


@INTERVALS.add("mixed_model")
@dataclass(frozen=True)
class MixedModelInterval(InversionInterval, inverts=MixedModel):
    """The effects that the test of the same name does not reject: effect ± critical value times error.

    The model, its error and its law are those of the test `mixed_model`: true for normal raters, items and residuals, and for other
    raters and items than these. The wrong choice for these raters only (average them), and with one rater per item (`rater_t`).
    Kenward & Roger (1997); Cochran & Cox (1950).
    """

    df: Degrees = field(default="kenward_roger", metadata=ALWAYS)
    fit: Method = field(default="reml")

    def __post_init__(self) -> None:
        super().__post_init__()
        _refuse_ml_with_kenward_roger(self)


def _refuse_ml_with_kenward_roger(method: MixedModel | MixedModelInterval) -> None:
    """Refuse `fit=ml` with Kenward and Roger's correction, which is derived for REML."""
    if method.df == "kenward_roger" and method.fit == "ml":
        raise SpellingError(
            f"{method.name}: df=kenward_roger works with REML only, and fit=ml was given; leave fit out, or name "
            "df=satterthwaite or df=normal"
        )
