"""One population per file, registered beside its definition: a new file here is all that a new population takes."""

from tellapart.populations.population import POPULATIONS, Population

# Later: variants of paired_binary, gaussian, ratings, delta_laplace and retrieval, which load them, and with them all evidence, for those
# who plan from evidence.
POPULATIONS.lies_in(
    __name__,
    __path__,
    first=("beta", "clustered", "gaussian", "paired_binary", "pilot", "proportions", "repeated"),
    later=(
        "from_evidence",
        "incomplete",
        "gaussian_with_prior",
        "ratings_with_prior",
        "delta_laplace_with_prior",
        "retrieval_with_prior",
        "evidence",
        "pilot_ratings",
    ),
)

__all__ = ["POPULATIONS", "Population"]
