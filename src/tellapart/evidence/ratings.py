from dataclasses import dataclass, field
from typing import Literal

from tellapart.evidence.evidence import EVIDENCE, Evidence

Setting = Literal["low", "high", "pplm"]

_NAMES = ("rater_sd", "rater_effect_sd", "item_sd", "item_effect_sd", "residual_sd")
# Slopes of table 16 doubled: its systems are −1 and +1. Levels of PPLM were not fitted.
_DEVIATIONS: dict[Setting, tuple[float | None, ...]] = {
    "low": (0.01, 0.08, 0.01, 0.26, 0.16),
    "high": (0.01, 0.22, 0.04, 0.28, 0.26),
    "pplm": (None, 0.01, None, 0.19, 0.14),
}


@EVIDENCE.add("ratings")
@dataclass(frozen=True)
class RatingSpreads(Evidence):
    """How much ratings on a 0–1 scale vary between raters, between items and at random.

    Standard deviations on the scale of differences B − A: over raters of their own difference, over items of theirs, and of one
    rating around both. Assumes raters and tasks like those it was seen on.
    """

    setting: Setting = field(
        metadata={"help": "little or much variation as published, or as measured on PPLM"}
    )

    kind = "ratings"
    accuracies = 0.0, 1.0
    about = "standard deviations of human ratings scaled to 0–1, on the scale of differences between systems"
    seen_on = "three settings of human ratings"
    source = (
        "Card et al. (2020), table 16 (low and high, slopes doubled to differences), and public ratings of Dathathri et al. (2020) "
        "(pplm: REML of paired differences of fluency)"
    )
    caution = (
        "tables 14 and 15 behind low and high print standard deviations per system and not slopes, so both overstate raters: on PPLM "
        "fluency the sd of a rater's difference is 0 to .013, not .08"
    )
    band = "three settings"
    uncertainty = "three settings, to be tried all: as measured on PPLM, and low and high as published"
    examples = ("ratings(setting=low)", "ratings(setting=high)", "ratings(setting=pplm)")

    @property
    def coefficients(self) -> dict[str, float]:
        return {
            name: sd for name, sd in zip(_NAMES, _DEVIATIONS[self.setting], strict=True) if sd is not None
        }
