"""Standardised effect sizes, one per file; a new file here adds one."""

from tellapart.methods.effects.effect import EFFECTS, Effect

EFFECTS.lies_in(__name__, __path__)

__all__ = ["EFFECTS", "Effect"]
