from dataclasses import dataclass

from tellapart.arrays import FloatArray
from tellapart.multiplicity.corrections.correction import CORRECTIONS, Correction
from tellapart.multiplicity.joint_pvalues import JointPvalues


@CORRECTIONS.add("min_p")
@dataclass(frozen=True)
class MinP(Correction):
    """Each pair's own p-value against the smallest that chance gives anywhere in the family, flipping all pairs jointly.

    A pair's adjusted p-value is the share of flips, the observed board among them, in which the smallest p-value of the family
    is at most the pair's own; stepping down from the smallest. For clusters, which are few and uneven: statistics of pairs
    that hang on different clusters have unlike laws, and max-T then sees only the widest; p-values are alike. A pair's
    p-value is the exact one over all patterns of signs where there are at most 16 clusters and the smallest such p-value,
    times the pairs, is at most alpha / 5; else it is that of the cluster t test. True when the differences of systems with
    equal means are jointly symmetric by cluster. Westfall & Young (1993).
    """

    label = "min-P"

    @property
    def judges_pvalues(self) -> bool:
        return True

    @property
    def multiplies_pvalues(self) -> bool:
        return False

    def adjust(self, joint: JointPvalues) -> FloatArray:
        # A family of one is judged by its own law alone.
        return joint.raw if len(joint.raw) == 1 else joint.step_down
