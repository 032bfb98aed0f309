"""Families of pairs: joint p-values, their corrections, and the standings that follow. Importing this room registers the corrections."""

from tellapart.multiplicity.corrections import CORRECTIONS, Correction

__all__ = ["CORRECTIONS", "Correction"]
