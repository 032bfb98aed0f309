"""What GLUE systems taught: how far they overlap, and by how much papers beat their baselines."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from tellapart.evidence.evidence import EVIDENCE, Band
from tellapart.evidence.gain import Gain
from tellapart.evidence.overlap import AgreementLine, LinearOverlap

GlueTask = Literal["mnli-m", "mnli-mm", "mrpc", "qnli", "qqp", "rte", "sst-2", "wnli"]


@EVIDENCE.add("glue_overlap")
@dataclass(frozen=True)
class GlueOverlap(LinearOverlap):
    """Strong classifiers on the same task agree the more, the better the worse of them is.

    Assumes systems like those at the top of a leaderboard, which share training data and architecture. Card et al. (2020), table 5.
    """

    # The document prints no range, only that it is biased towards high accuracies.
    accuracies = 0.80, 0.98
    about = "agreement of two systems from the worse accuracy and the gap"
    seen_on = "270 pairs on GLUE"
    source = "Card et al. (2020), table 5: 270 pairs of 10 GLUE systems, R² 0.966"
    band = "80 % of pairs"
    uncertainty = "80 % of pairs lie within 0.015 (residual sd 0.0118, from the printed likelihood)"
    examples = ("glue_overlap",)
    among = "systems on GLUE"
    caution = (
        "fitted to overlap of predictions, which for more than two classes is below agreement in being right"
    )

    line = AgreementLine(0.4142, 0.5819, -0.4662, residual_sd=0.01176)


@EVIDENCE.add("glue_gain")
@dataclass(frozen=True)
class GlueGain(Gain):
    """By how much a paper claims to beat the best accuracy so far on a GLUE task.

    Assumes that gains go on shrinking along a straight line; near the top it predicts none. Card et al. (2020), table 7.
    """

    task: GlueTask = field(metadata={"help": "the GLUE task"})

    accuracies = 0.61, 0.99
    about = "gain in points over the best accuracy so far on a GLUE task"
    seen_on = "61 claims on GLUE"
    source = "Card et al. (2020), table 7: 61 claims in 14 papers, R² 0.690"
    band = "80 % of claims"
    uncertainty = "80 % of claims lie within 1.7 points (residual sd 1.309 points)"
    examples = ("glue_gain(task=mrpc)", "glue_gain(task=sst-2)")

    intercept = 24.342
    slope = -0.264
    offsets: ClassVar[dict[GlueTask, float]] = {
        "mnli-m": 0.0, "mnli-mm": 0.150, "mrpc": 0.023, "qnli": 2.139, "qqp": -0.195, "rte": 1.018, "sst-2": 1.536,
        "wnli": -0.520,
    }  # fmt: skip
    residual_sd = 1.309

    @property
    def coefficients(self) -> dict[str, float]:
        offset = self.offsets[self.task]
        return {"intercept": self.intercept, "baseline": self.slope, "task": offset}

    def past(self, baseline: float) -> Band:
        points = self.intercept + self.slope * 100.0 * baseline + self.offsets[self.task]
        return Band.around(points / 100.0, self.residual_sd / 100.0)
