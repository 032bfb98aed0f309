"""One file per standardised effect size; importing this room registers them all."""

from tellapart.effects import (  # noqa: F401  (registration)
    cohen_dav,
    cohen_dz,
    cohen_g,
    hedges_g,
    odds_ratio,
    probability_of_superiority,
    rank_biserial,
)
from tellapart.effects.effect import EFFECTS, Effect

__all__ = ["EFFECTS", "Effect"]
