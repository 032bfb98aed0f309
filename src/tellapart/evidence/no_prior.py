from dataclasses import dataclass

from tellapart.evidence.evidence import EVIDENCE, Band
from tellapart.evidence.overlap import Overlap, possible_discordance


@EVIDENCE.add("no_prior")
@dataclass(frozen=True)
class NoPrior(Overlap):
    """Nothing is known: halfway between the least and the most that two accuracies leave possible.

    True whatever the systems are; the band is everything possible. Lachenbruch (1992).
    """

    measured = False
    accuracies = 0.0, 1.0
    about = "discordance from the two accuracies alone"
    seen_on = "nothing: all that is possible"
    source = "Lachenbruch (1992): |Δ| ≤ discordance ≤ min(a + b, 2 − a − b), and its middle"
    band = "all that is possible"
    uncertainty = "everything that is possible"
    examples = ("no_prior",)
    among = ""

    @property
    def coefficients(self) -> dict[str, float]:
        return {"weight of the largest": 0.5}

    def past(self, a: float, b: float) -> Band:
        least, most = possible_discordance(a, b)
        return Band(0.5 * (least + most), least, most)
