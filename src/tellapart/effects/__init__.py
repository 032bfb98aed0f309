"""One standardised effect size per file, registered beside its definition: a new file here is all that a new one takes."""

from tellapart.effects.effect import EFFECTS, Effect
from tellapart.spelling import import_files

import_files(__name__, __path__)

__all__ = ["EFFECTS", "Effect"]
