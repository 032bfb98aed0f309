"""Populations that paired scores are drawn from, one per file, each registered beside its definition."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names
from tellapart.populations.population import POPULATIONS, Population

if TYPE_CHECKING:
    from tellapart.populations.evidence.choice import RATING_BAND_ENDS
    from tellapart.populations.from_evidence import FromEvidence, Incomplete, band_ends, source_options
    from tellapart.populations.pilot import Pilot
    from tellapart.populations.pilot_ratings import PilotRatings
    from tellapart.populations.ratings import RatedSystems

# Later: forms of other populations, which are imported where they are asked for.
POPULATIONS.lies_in(
    __name__,
    __path__,
    first=("beta", "clustered", "gaussian", "paired_binary", "pilot", "proportions"),
    later=("from_evidence", "evidence", "pilot_ratings"),
)

__all__ = [
    "POPULATIONS",
    "RATING_BAND_ENDS",
    "FromEvidence",
    "Incomplete",
    "Pilot",
    "PilotRatings",
    "Population",
    "RatedSystems",
    "band_ends",
    "source_options",
]

__getattr__ = lazy_names(__name__)
