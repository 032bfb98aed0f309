from dataclasses import dataclass, field
from typing import Literal

from tellapart.boards.corrections.correction import CORRECTIONS, Correction
from tellapart.boards.joint_pvalues import Pvalues, Resampling
from tellapart.foundation.arrays import FloatArray


@CORRECTIONS.add("max_t")
@dataclass(frozen=True)
class MaxT(Correction):
    """Each pair against the largest statistic that chance gives anywhere in the family, resampling all pairs jointly.

    A pair's adjusted p-value is the share of resamples, the observed board among them, in which the largest |t| of the family
    reaches the pair's own. Family-wise, with the dependence between pairs used instead of paid for. Random signs, one per item or per
    cluster: true when the differences of systems with equal means are jointly symmetric, and close to it unless they are skewed. Where those of a
    pair visibly are, the studentised bootstrap of items or clusters must agree: the larger p-value. Either alone if named.
    Stepping down never loses a pair that a single step finds. The wrong choice where pairs share no items, as over several datasets,
    so that no resample holds them all: `holm`. Westfall & Young (1993); Romano & Wolf (2005).
    """

    resampling: Resampling = field(
        default="both",
        metadata={
            "help": "random signs and, where differences are visibly skewed, items drawn again: the larger p-value; or one of them alone"
        },
    )
    steps: Literal["down", "single"] = field(
        default="down", metadata={"help": "drop pairs already told apart, or compare all with the whole family"}
    )

    label = "max-T"

    @property
    def resampled_by(self) -> Resampling:
        return self.resampling

    @property
    def multiplies_pvalues(self) -> bool:
        return False

    def adjust(self, joint: Pvalues) -> FloatArray:
        return joint.step_down if self.steps == "down" else joint.single_step
