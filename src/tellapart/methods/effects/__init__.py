"""One standardised effect size per file, registered beside its definition: a new file here is all that a new one takes."""

from tellapart.methods.effects.effect import EFFECTS, Effect

EFFECTS.lies_in(__name__, __path__)

__all__ = ["EFFECTS", "Effect"]
