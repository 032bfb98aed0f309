"""How far raters agree: one coefficient per file, registered beside its definition; a new file here is all that a new one takes."""

from tellapart.reliability.coefficient import COEFFICIENTS, Coefficient, UnitRatings
from tellapart.spelling import import_files

import_files(__name__, __path__)

__all__ = ["COEFFICIENTS", "Coefficient", "UnitRatings"]
