"""Boards of many systems: joint p-values of all pairs, `corrections`, rank sets, tiers and meta-analysis over datasets."""

from tellapart.boards.corrections import CORRECTIONS, Correction

__all__ = ["CORRECTIONS", "Correction"]
