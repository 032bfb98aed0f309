"""Multiple-testing corrections, one per file; a new file here adds one."""

from tellapart.boards.corrections.correction import CORRECTIONS, Correction, Guarantee, PvalueCorrection

CORRECTIONS.lies_in(__name__, __path__)

__all__ = ["CORRECTIONS", "Correction", "Guarantee", "PvalueCorrection"]
