"""One file per population; importing this room registers them all."""

from tellapart.populations.beta import Beta
from tellapart.populations.clustered import Clustered
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot import Pilot
from tellapart.populations.population import POPULATIONS, Population
from tellapart.populations.proportions import Proportions
from tellapart.populations.repeated import Repeated

__all__ = [
    "POPULATIONS",
    "Beta",
    "Clustered",
    "Gaussian",
    "PairedBinary",
    "Pilot",
    "Population",
    "Proportions",
    "Repeated",
]
