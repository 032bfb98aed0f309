from dataclasses import dataclass, field
from typing import Literal

from tellapart.arrays import FloatArray
from tellapart.multiplicity.corrections.correction import CORRECTIONS, Correction
from tellapart.multiplicity.joint_pvalues import JointPvalues, Resampling


@CORRECTIONS.add("max_t")
@dataclass(frozen=True)
class MaxT(Correction):
    """Each pair against the largest statistic that chance gives anywhere in the family, resampling all pairs jointly.

    A pair's adjusted p-value is the share of resamples, the observed board among them, in which the largest |t| of the family
    reaches the pair's own. Family-wise, with the dependence between pairs used instead of paid for. Sign flips: true when
    the differences of systems with equal means are jointly symmetric, and close to it unless they lean strongly to one
    side. Bootstrap: no symmetry needed, close from some hundred items on, and blind to pairs that differ on fewer than ten
    items. Cautious: the larger p-value of both, which holds where either does; `rank` takes it by itself where differences
    lean. Stepping down never loses a pair that a single step finds. The wrong choice for few and uneven clusters (`min_p`).
    Westfall & Young (1993); Romano & Wolf (2005).
    """

    resampling: Resampling = field(
        default="flips",
        metadata={
            "help": "one random sign per item for all pairs, items drawn again, or the larger p-value of both"
        },
    )
    steps: Literal["down", "single"] = field(
        default="down",
        metadata={"help": "drop pairs already told apart, or compare all with the whole family"},
    )

    label = "max-T"

    @property
    def resampled_by(self) -> Resampling:
        return self.resampling

    @property
    def multiplies_pvalues(self) -> bool:
        return False

    def adjust(self, joint: JointPvalues) -> FloatArray:
        return joint.step_down if self.steps == "down" else joint.single_step
