from dataclasses import dataclass, field
from typing import Literal

from tellapart.arrays import FloatArray
from tellapart.multiplicity.corrections.correction import CORRECTIONS, Correction
from tellapart.multiplicity.joint_pvalues import JointPvalues, Resampling


@CORRECTIONS.add("min_p")
@dataclass(frozen=True)
class MinP(Correction):
    """Each pair's own p-value against the smallest that chance gives anywhere in the family, flipping all pairs jointly.

    A pair's adjusted p-value is the share of flips, the observed board among them, in which the smallest p-value of the family
    is at most the pair's own; stepping down from the smallest. For clusters, which are few and uneven: statistics of pairs
    that hang on different clusters have unlike laws, and max-T then sees only the widest; p-values are alike. A pair's
    p-value is the exact one over all patterns of signs where there are at most 16 clusters and the smallest such p-value,
    times the pairs, is at most alpha / 5; else it is that of the cluster t test. True when the differences of systems with
    equal means are jointly symmetric by cluster. Cautious: an adjusted p-value is the larger one of these and of max-T over clusters drawn
    again, which needs no symmetry; `rank` takes it by itself from ten clusters to fifty, as `compare` does, and beyond where
    differences lean. Without resampling=cautious the wrong choice where they do; without clusters it comes to what `max_t` does.
    Westfall & Young (1993); Romano & Wolf (2005).
    """

    resampling: Literal["flips", "cautious"] = field(
        default="flips",
        metadata={
            "help": "one random sign per cluster for all pairs, or the larger adjusted p-value of these and of clusters drawn again"
        },
    )

    label = "min-P"

    @property
    def resampled_by(self) -> Resampling:
        return self.resampling

    @property
    def judges_pvalues(self) -> bool:
        return True

    @property
    def multiplies_pvalues(self) -> bool:
        return False

    def adjust(self, joint: JointPvalues) -> FloatArray:
        # A family of one is judged by its own law alone.
        return joint.raw if len(joint.raw) == 1 else joint.step_down
