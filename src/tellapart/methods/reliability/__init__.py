"""Coefficients of agreement between raters, one per file; a new file here adds one."""

from tellapart.methods.reliability.coefficient import COEFFICIENTS, Coefficient, UnitRatings

COEFFICIENTS.lies_in(__name__, __path__)

__all__ = ["COEFFICIENTS", "Coefficient", "UnitRatings"]
