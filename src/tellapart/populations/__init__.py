"""One file a population; importing this room registers them all."""

from tellapart.populations.population import POPULATIONS, Population

__all__ = ["POPULATIONS", "Population"]
