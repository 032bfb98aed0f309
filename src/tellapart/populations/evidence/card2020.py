"""Evidence from Card et al. (2020), GLUE and SQuAD 2.0: overlap, correlation and gains of accuracy."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from tellapart.populations.evidence.evidence import (
    EVIDENCE,
    AgreementLine,
    Band,
    Gain,
    LinearOverlap,
    Overlap,
    correlated,
)

# What GLUE systems taught: how far they overlap, and by how much papers beat their baselines.

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
    caution = "fitted to overlap of predictions, which for more than two classes is below agreement in being right"

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


_PAIRS = "10,296 pairs of 144 submissions to SQuAD 2.0 (11,873 items), published by Card et al. (2020)"


@EVIDENCE.add("squad2_pairs")
@dataclass(frozen=True)
class Squad2Pairs(Overlap):
    """Two systems differ on two thirds of the better one's errors, and on as many items more as they differ in accuracy.

    Assumes systems as different as submissions to a leaderboard; variants of one system overlap more.
    """

    accuracies = 0.59, 0.905
    about = "discordance of two systems from the better accuracy and the gap"
    seen_on = "10,296 pairs on SQuAD 2.0"
    source = f"fitted to {_PAIRS}, R² 0.96"
    band = "80 % of pairs"
    uncertainty = "80 % of pairs lie between 0.017 below and 0.015 above (residual sd 0.0140)"
    examples = ("squad2_pairs",)
    among = "submissions to SQuAD 2.0"

    # Least squares over the pairs; the band ends at the 10 % and 90 % quantiles of what they leave.
    intercept = -0.01
    gap = 0.99
    errors = 0.66
    below = -0.0169
    above = 0.0154

    @property
    def coefficients(self) -> dict[str, float]:
        return {"intercept": self.intercept, "gap": self.gap, "errors of the better": self.errors}

    def past(self, a: float, b: float) -> Band:
        share = self.intercept + self.gap * abs(b - a) + self.errors * (1.0 - max(a, b))
        return Band(share, share + self.below, share + self.above)


@EVIDENCE.add("squad2_correlation")
@dataclass(frozen=True)
class Squad2Correlation(Overlap):
    """The right-or-wrong scores of two systems correlate the less, the further apart their accuracies are.

    Between the middles of the bands of gaps in which it was seen, correlations are interpolated.
    """

    accuracies = 0.59, 0.905
    about = "correlation of two systems' right-or-wrong scores from the gap"
    seen_on = "10,296 pairs on SQuAD 2.0"
    source = f"quantiles in {_PAIRS}"
    band = "80 % of pairs"
    uncertainty = "80 % of pairs: the 10 % and 90 % quantiles"
    examples = ("squad2_correlation",)
    among = "submissions to SQuAD 2.0"

    # Bands of gaps from 0, 0.01, 0.02, 0.05 and 0.1 on, each at its middle; the last has no end.
    middles = (0.005, 0.015, 0.035, 0.075, 0.15)
    tenth = (0.54, 0.52, 0.49, 0.43, 0.29)
    median = (0.60, 0.59, 0.56, 0.48, 0.37)
    ninetieth = (0.74, 0.71, 0.65, 0.55, 0.44)

    @property
    def coefficients(self) -> dict[str, float]:
        return {f"correlation at gap {gap:g}": r for gap, r in zip(self.middles, self.median, strict=True)}

    def correlation(self, gap: float) -> Band:
        return Band(*(float(np.interp(gap, self.middles, r)) for r in (self.median, self.tenth, self.ninetieth)))

    def past(self, a: float, b: float) -> Band:
        return correlated(a, b, self.correlation(abs(b - a)))


@EVIDENCE.add("squad2_overlap")
@dataclass(frozen=True)
class Squad2Overlap(LinearOverlap):
    """A new best system agrees the more with the one before, the better that was and the less it gains.

    Assumes successive records of one leaderboard. Card et al. (2020), table 6.
    """

    accuracies = 0.59, 0.91
    about = "agreement of successive best systems from the worse accuracy and the gap"
    seen_on = "14 records on SQuAD 2.0"
    source = "Card et al. (2020), table 6: 14 successive SQuAD 2.0 records, R² 0.944"
    band = "80 % of pairs"
    uncertainty = "80 % of pairs lie within 0.026 (residual sd 0.0203, from the printed likelihood)"
    examples = ("squad2_overlap",)
    among = "successive records on SQuAD 2.0"
    caution = "14 pairs: the slope of the gap is known to about ±1.3 only"

    line = AgreementLine(0.4339, 0.5932, -1.2849, residual_sd=0.02032)


@EVIDENCE.add("squad2_gain")
@dataclass(frozen=True)
class Squad2Gain(Gain):
    """By how much a significant new record beats the one before.

    Only records that were significant were counted, so it is too hopeful for the typical attempt. Card et al. (2020), table 8.
    """

    accuracies = 0.59, 0.91
    about = "gain of a significant record over the one before"
    seen_on = "14 records on SQuAD 2.0"
    source = "Card et al. (2020), table 8: 14 significant SQuAD 2.0 records, R² 0.672"
    band = "80 % of records"
    uncertainty = "80 % of records lie within 1.3 points (residual sd 0.0100, from the printed likelihood)"
    examples = ("squad2_gain",)

    intercept = 0.1331
    slope = -0.1408
    residual_sd = 0.00998

    @property
    def coefficients(self) -> dict[str, float]:
        return {"intercept": self.intercept, "baseline": self.slope}

    def past(self, baseline: float) -> Band:
        return Band.around(self.intercept + self.slope * baseline, self.residual_sd)
