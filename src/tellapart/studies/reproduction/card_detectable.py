"""Smallest detectable effects by the four definitions of Card et al. (2020), tables 2 and 9.

Two-sample: each system on its own items. No prior: the share of items on which systems differ is at its least, its
largest or, in the middle, the baseline's share of errors. Regression: that share follows from accuracy and gap, by the
printed four-digit coefficients, and McNemar's mid-p test is enumerated: what their package computes under "exact".
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tellapart.foundation.arrays import FloatArray
from tellapart.methods.significance import TESTS
from tellapart.numerics.null_laws.proportions import connett_power, miettinen_power, two_proportion_power
from tellapart.numerics.roots import increasing_root
from tellapart.planning.power import power_of
from tellapart.planning.study import Study
from tellapart.populations.evidence import GlueOverlap, NoPrior, Overlap
from tellapart.populations.paired_binary import PairedBinary
from tellapart.studies.reproduction.card_figures import ENUMERATED

# Gains over an earlier best system, in points: their mean with its error.


@dataclass(frozen=True)
class Gains:
    mean: float
    error: float
    count: float

    @classmethod
    def of(cls, differences: Sequence[float]) -> "Gains":
        values = np.asarray(differences)
        error = values.std(ddof=1) / np.sqrt(len(values))
        return cls(float(values.mean()), float(error), float(len(values)))


POWER, ALPHA = 0.8, 0.05
MID_P = TESTS.parse("mcnemar(variant=mid_p)")

PowerAt = Callable[[int, float, float], float]
"""Power by number of items, baseline accuracy and gap."""


def discordance(overlap: Overlap, accuracy: float, gap: float) -> float:
    """The share of items on which two systems differ, as past pairs predict it."""
    return overlap.past(accuracy, accuracy + gap).expected


def two_sample(items: int, accuracy: float, gap: float) -> float:
    return float(two_proportion_power(items, accuracy, accuracy + gap, ALPHA))


def no_prior(end: str) -> PowerAt:
    """The share at its least (`low`), its most (`high`) or halfway between (`expected`)."""

    def power(items: int, accuracy: float, gap: float) -> float:
        share = getattr(NoPrior().past(accuracy, accuracy + gap), end)
        return float(miettinen_power(items, share, gap, ALPHA))

    return power


NO_PRIOR = {"least": no_prior("low"), "middle": no_prior("expected"), "most": no_prior("high")}


def regression(overlap: Overlap) -> PowerAt:
    """McNemar's mid-p test at the predicted share, every table enumerated."""

    def power(items: int, accuracy: float, gap: float) -> float:
        scores = PairedBinary(effect=gap, discordance=discordance(overlap, accuracy, gap))
        return power_of(Study(scores, MID_P, items, ALPHA), ENUMERATED).power

    return power


def regression_normal(items: int, accuracy: float, gap: float) -> float:
    """Connett's approximation at the share predicted for GLUE: what the authors' claims were judged by."""
    return float(connett_power(items, discordance(GlueOverlap(), accuracy, gap), gap, ALPHA))


def detectable(power: PowerAt, items: int, accuracy: float) -> float:
    """The gap that is found with 80 % power."""

    def gap(gaps: FloatArray) -> FloatArray:
        return np.asarray(np.vectorize(lambda x: power(items, accuracy, float(x)) - POWER)(gaps))

    # No power at no gap, and at the end all that a baseline leaves: roots lie between.
    start = np.asarray(1e-9)
    return float(increasing_root(gap, start, np.asarray(0.5 * (1.0 - accuracy))))
