from dataclasses import dataclass, field

from tellapart.data.summaries.rater_samples import (
    DEGREES_IN_WORDS,
    ByRaters,
    Degrees,
    Estimation,
    refuse_unfit,
)
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.intervals.interval import INTERVALS, Bounds, Interval


@INTERVALS.add("mixed_model")
@dataclass(frozen=True)
class MixedModel(Interval):
    """The effects that the test of the same name does not reject: effect ± critical value times error.

    The model, its error and its law are those of the test `mixed_model`: true for normal raters, items and residuals, and for other
    raters and items than these. The wrong choice for these raters only (average them), and with one rater per item (`rater_t`).
    Kenward & Roger (1997); Cochran & Cox (1950).
    """

    df: Degrees = field(default="kenward_roger", metadata=ALWAYS)
    fit: Estimation = field(default="reml")

    needs = ByRaters

    @property
    def label(self) -> str:
        return f"mixed model, {DEGREES_IN_WORDS[self.df]}"

    def __post_init__(self) -> None:
        super().__post_init__()
        refuse_unfit(self.name, self.df, self.fit)

    def interval(self, sample: ByRaters, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        from tellapart.numerics.mixed_models import model_fit as fitted  # noqa: PLC0415  (plain scores have no need of the room)
        from tellapart.numerics.mixed_models.fit_samples import fit_sample  # noqa: PLC0415  (as above)

        found = fit_sample(sample, self.fit)
        half_width = fitted.critical_value(found, level, self.df) * fitted.error_of(found, self.df)
        return found.effect - half_width, found.effect + half_width
