"""How far raters agree: one coefficient per file, registered beside its definition; a new file here is all that a new one takes."""

from tellapart.methods.reliability.coefficient import COEFFICIENTS, Coefficient, UnitRatings

COEFFICIENTS.lies_in(__name__, __path__)

__all__ = ["COEFFICIENTS", "Coefficient", "UnitRatings"]
