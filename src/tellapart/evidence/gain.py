"""By how much new systems beat the one before: what a plausible difference is, whatever a claim says."""

from abc import abstractmethod
from dataclasses import dataclass

from tellapart.evidence.evidence import EVIDENCE, Band, Evidence

DECIMALS = 12
"""Of a gain: what comes after them is noise of floating point, which a plan would carry into its signature."""


@dataclass(frozen=True)
class Gain(Evidence):
    """Base of evidence on gains in accuracy over a baseline."""

    kind = "gain"

    def gain(self, baseline: float) -> Band:
        """The gain that past results suggest over a baseline of this accuracy, at most all it gets wrong."""
        past = self.past(baseline)
        gains = Band(*(round(gain, DECIMALS) for gain in (past.expected, past.low, past.high)))
        return gains.within(-baseline, 1.0 - baseline)

    @abstractmethod
    def past(self, baseline: float) -> Band:
        """What past results suggest, possible or not."""


@EVIDENCE.add("typical_gain")
@dataclass(frozen=True)
class TypicalGain(Gain):
    """The median claim removes 7.8 % of its baseline's errors.

    Assumes that gains shrink with the errors that are left, as they did in the claims it was computed from.
    """

    accuracies = 0.61, 0.99
    about = "gain over a baseline, as a share of its errors"
    seen_on = "61 claims on GLUE"
    source = (
        "median of the 61 claimed improvements in 14 GLUE papers collected by Card et al. (2020), computed from their table; "
        "24 SQuAD 2.0 records give 5.4 %"
    )
    band = "80 % of claims"
    uncertainty = "80 % of the claims removed between 1.2 % and 27 %"
    examples = ("typical_gain",)
    caution = "published gains are selected: the typical attempt gains less"

    # Quantiles of the gain as a share of the baseline's errors, over the claims.
    median = 0.0778
    tenth = 0.0118
    ninetieth = 0.2727

    @property
    def coefficients(self) -> dict[str, float]:
        return {"median": self.median, "tenth": self.tenth, "ninetieth": self.ninetieth}

    def past(self, baseline: float) -> Band:
        errors = 1.0 - baseline
        return Band(self.median * errors, self.tenth * errors, self.ninetieth * errors)
