"""One population per file, registered beside its definition: a new file here is all that a new population takes."""

from tellapart.populations.beta import Beta
from tellapart.populations.clustered import Clustered
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.pilot import Pilot
from tellapart.populations.population import POPULATIONS, Population
from tellapart.populations.proportions import Proportions
from tellapart.populations.repeated import Repeated

# Variants of paired_binary, gaussian, ratings, delta_laplace and retrieval, which load them, and with them all evidence, for those who plan from evidence.
POPULATIONS.lies_in(
    __name__,
    __path__,
    later=(
        "from_evidence",
        "supposed",
        "supposed_gaussian",
        "supposed_ratings",
        "supposed_delta_laplace",
        "supposed_retrieval",
        "pilot_ratings",
    ),
)

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
