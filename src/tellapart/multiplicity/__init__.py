"""Families of pairs: corrections, joint resampling, rank sets, tiers and letters. Importing this room registers the corrections."""

from tellapart.multiplicity import max_t, pvalue_corrections  # noqa: F401  (registration)
from tellapart.multiplicity.correction import CORRECTIONS, Correction, Guarantee
from tellapart.multiplicity.evidence import Evidence, weigh

__all__ = ["CORRECTIONS", "Correction", "Evidence", "Guarantee", "weigh"]
