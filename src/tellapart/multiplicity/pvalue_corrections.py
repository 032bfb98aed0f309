"""Corrections of a list of p-values, `(*batch, family)`: each knows the p-values and nothing else."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.multiplicity.correction import CORRECTIONS, Correction
from tellapart.multiplicity.evidence import Evidence


@dataclass(frozen=True)
class PvalueCorrection(Correction):
    """Base of the corrections that need only the p-values."""

    def judge(self, evidence: Evidence) -> FloatArray:
        return self.adjust(evidence.pvalues)

    def adjust(self, pvalues: FloatArray) -> FloatArray:
        """Adjusted p-values in the order given, at least as large as the given ones and at most 1."""
        values = np.asarray(pvalues, dtype=np.float64)
        order = np.argsort(values, axis=-1, kind="stable")
        adjusted = np.empty_like(values)
        np.put_along_axis(
            adjusted, order, self.ascending(np.take_along_axis(values, order, axis=-1)), axis=-1
        )
        return np.minimum(adjusted, 1.0)

    @abstractmethod
    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        """The adjusted values of p-values sorted from the smallest up, before they are held below 1."""


@CORRECTIONS.add("bonferroni")
@dataclass(frozen=True)
class Bonferroni(PvalueCorrection):
    """Each p-value times the number of pairs: no false claim in the family, under any dependence. Dunn (1961)."""

    label = "Bonferroni"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.asarray(sorted_pvalues * sorted_pvalues.shape[-1])


@CORRECTIONS.add("holm")
@dataclass(frozen=True)
class Holm(PvalueCorrection):
    """Bonferroni among the pairs still open, from the smallest p-value up: valid under any dependence. Holm (1979)."""

    label = "Holm"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        still_open = np.arange(sorted_pvalues.shape[-1], 0, -1)
        return np.asarray(np.maximum.accumulate(still_open * sorted_pvalues, axis=-1))


@CORRECTIONS.add("hochberg")
@dataclass(frozen=True)
class Hochberg(PvalueCorrection):
    """Holm's factors from the largest p-value down: valid for independent or positively dependent tests only.

    All pairs of systems are not known to be positively dependent. Hochberg (1988).
    """

    label = "Hochberg"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return _running_minimum(np.arange(sorted_pvalues.shape[-1], 0, -1) * sorted_pvalues)


@CORRECTIONS.add("hommel")
@dataclass(frozen=True)
class Hommel(PvalueCorrection):
    """Closed testing with Simes: a little sharper than Hochberg, under the same positive dependence. Hommel (1988)."""

    label = "Hommel"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        p, m = sorted_pvalues, sorted_pvalues.shape[-1]
        adjusted = np.maximum(p, np.min(m * p / np.arange(1, m + 1), axis=-1, keepdims=True))
        for size in range(m - 1, 1, -1):
            # A set of `size` hypotheses: Simes on its upper ones bounds them all.
            split = m - size + 1
            simes = np.min(size * p[..., split:] / np.arange(2, size + 1), axis=-1, keepdims=True)
            lower = np.minimum(size * p[..., :split], simes)
            adjusted[..., :split] = np.maximum(adjusted[..., :split], lower)
            adjusted[..., split:] = np.maximum(adjusted[..., split:], lower[..., -1:])
        return np.asarray(adjusted)


@CORRECTIONS.add("bh")
@dataclass(frozen=True)
class BenjaminiHochberg(PvalueCorrection):
    """At most alpha of the claimed pairs are false on average: a screen, for independent or positively dependent tests.

    Benjamini & Hochberg (1995).
    """

    label = "Benjamini–Hochberg"
    guarantee = "false discovery rate"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        m = sorted_pvalues.shape[-1]
        return _running_minimum(m / np.arange(1, m + 1) * sorted_pvalues)


@CORRECTIONS.add("by")
@dataclass(frozen=True)
class BenjaminiYekutieli(PvalueCorrection):
    """Benjamini–Hochberg under any dependence, at the price of a factor 1 + 1/2 + … + 1/m. Benjamini & Yekutieli (2001)."""

    label = "Benjamini–Yekutieli"
    guarantee = "false discovery rate"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        m = sorted_pvalues.shape[-1]
        penalty = np.sum(1.0 / np.arange(1, m + 1))
        return _running_minimum(penalty * m / np.arange(1, m + 1) * sorted_pvalues)


@CORRECTIONS.add("none")
@dataclass(frozen=True)
class Uncorrected(PvalueCorrection):
    """Every pair judged alone: with m pairs of equal systems some alpha·m false claims are expected."""

    label = "no correction"
    guarantee = "none"

    @property
    def counts_alone(self) -> bool:
        return False

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return sorted_pvalues


def _running_minimum(ascending: FloatArray) -> FloatArray:
    """The smallest value from each place up."""
    return np.asarray(np.minimum.accumulate(ascending[..., ::-1], axis=-1)[..., ::-1])
