"""Evidence on how items contribute to a difference of a corpus metric such as BLEU: share of zeros, and scale."""

import math
from abc import abstractmethod
from dataclasses import dataclass, field

from tellapart.foundation.errors import SpellingError
from tellapart.foundation.spelling import spell
from tellapart.populations.evidence.evidence import EVIDENCE, Band, Evidence

_FOLLOWS = (
    "the scale is about 0.7 (0.5 to 0.9) of the BLEU of two systems alike, and up to 1.3 of it where they are as unlike as rule-based "
    "and neural ones"
)


@dataclass(frozen=True)
class Contributions(Evidence):
    """Base of evidence on contributions to a corpus metric: the share that is 0, and the scale of the others, as `delta_laplace` has them."""

    kind = "contributions"
    accuracies = 0.0, 1.0

    @property
    @abstractmethod
    def among(self) -> str:
        """Among which systems that is usual."""

    @property
    @abstractmethod
    def zero_share(self) -> Band:
        """The share of items that contribute nothing to the difference."""

    @property
    @abstractmethod
    def scale(self) -> Band:
        """The scale of the others' contributions, in points of the metric."""

    @property
    def coefficients(self) -> dict[str, float]:
        return {"zero_share": self.zero_share.expected, "scale": self.scale.expected}


@EVIDENCE.add("card2020_bleu")
@dataclass(frozen=True)
class Card2020Bleu(Contributions):
    """A swap of one sentence often leaves the difference of two BLEUs as it is, and else moves it by a Laplace amount.

    Assumes systems that translate as well as those of the paper, with a BLEU near 40. Card et al. (2020), table 3.
    """

    about = "share of zeros and scale of sentences' contributions to a difference of BLEU, at a BLEU of about 40"
    seen_on = "4 pairs of WMT systems"
    source = "Card et al. (2020), table 3: four pairs of WMT systems, their mean"
    band = "four pairs"
    uncertainty = "the least and the most of four pairs"
    examples = ("card2020_bleu",)
    among = "translation systems with a BLEU near 40"
    caution = f"{_FOLLOWS}; fitted by likelihood, which makes the sd about 5 % too small"
    zero_share = Band(0.13, 0.09, 0.19)
    scale = Band(25.8, 22.5, 29.4)


@EVIDENCE.add("wmt17_ende")
@dataclass(frozen=True)
class Wmt17Ende(Contributions):
    """Sentences' contributions to differences of BLEU among the better systems of one shared task.

    Assumes systems as alike as neural ones of one year, with a BLEU near 26; fitted by the second moment. Bojar et al. (2017).
    """

    about = "share of zeros and scale of sentences' contributions to a difference of BLEU, at a BLEU of about 26"
    seen_on = "45 pairs of WMT17 English–German"
    source = "WMT17 English–German, newstest2017: the ten systems with a BLEU of 26 to 28, 45 pairs, fitted by the second moment"
    band = "80 % of pairs"
    uncertainty = "80 % of the pairs: the 10 % and 90 % quantiles"
    examples = ("wmt17_ende",)
    among = "translation systems with a BLEU near 26"
    caution = _FOLLOWS
    zero_share = Band(0.17, 0.12, 0.19)
    scale = Band(18.5, 17.8, 19.9)


@EVIDENCE.add("fitted_contributions")
@dataclass(frozen=True, kw_only=True)
class FittedContributions(Contributions):
    """Contributions of items of your own past systems to differences of a corpus metric.

    Each is low:expected:high. Assumes that the next systems and items are like those.
    """

    zero_shares: tuple[float, float, float] = field(
        metadata={"help": "shares of items that contribute nothing, low:expected:high"}
    )
    scales: tuple[float, float, float] = field(
        metadata={"help": "scales of the others' contributions, low:expected:high"}
    )

    source = "fitted to outputs of your own"
    published = False
    about = "share of zeros and scale of items' contributions to a difference of a corpus metric"
    seen_on = "your own past systems"
    band = "80 % of pairs"
    uncertainty = "80 % of the pairs: the 10 % and 90 % quantiles"
    among = "your own past systems"
    examples = ("fitted_contributions(zero_shares=0.1:0.15:0.2, scales=17:18.5:20)",)

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, most in (("zero_shares", 1.0), ("scales", math.inf)):
            low, expected, high = getattr(self, name)
            if not 0.0 <= low <= expected <= high < most or (name == "scales" and low <= 0.0):
                raise SpellingError(
                    f"{self.name}: {name}={spell(getattr(self, name))} should be low:expected:high, within what is possible"
                )

    @property
    def zero_share(self) -> Band:
        low, expected, high = self.zero_shares
        return Band(expected, low, high)

    @property
    def scale(self) -> Band:
        low, expected, high = self.scales
        return Band(expected, low, high)
