from dataclasses import dataclass, field
from typing import Literal

from tellapart.evidence.evidence import EVIDENCE, Evidence

_DEVIATIONS = {
    "low": (0.01, 0.04, 0.01, 0.13, 0.16),
    "high": (0.01, 0.11, 0.04, 0.14, 0.26),
}


@EVIDENCE.add("ratings")
@dataclass(frozen=True)
class Ratings(Evidence):
    """How much ratings on a 0–1 scale vary between raters, between items and at random.

    Standard deviations of a mixed model with random intercepts and slopes. Systems are coded −1 and +1, so a slope is half
    the variation of a difference between systems. Card et al. (2020), table 16.
    """

    setting: Literal["low", "high"] = field(metadata={"help": "little or much variation"})

    kind = "ratings"
    accuracies = 0.0, 1.0
    about = "standard deviations of human ratings scaled to 0–1"
    source = "Card et al. (2020), table 16: settings representative of six rating datasets"
    band = "two settings"
    uncertainty = "two settings, to be tried both"
    examples = ("ratings(setting=low)", "ratings(setting=high)")
    caution = "slopes are for systems coded −1 and +1: double them for the difference between two systems"

    @property
    def coefficients(self) -> dict[str, float]:
        names = ("rater intercept", "rater slope", "item intercept", "item slope", "residual")
        return dict(zip(names, _DEVIATIONS[self.setting], strict=True))
