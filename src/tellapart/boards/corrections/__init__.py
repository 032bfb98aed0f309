"""One correction per file, registered beside its definition: a new file here is all that a new correction takes."""

from tellapart.boards.corrections.correction import CORRECTIONS, Correction, Guarantee, PvalueCorrection

CORRECTIONS.lies_in(__name__, __path__)

__all__ = ["CORRECTIONS", "Correction", "Guarantee", "PvalueCorrection"]
