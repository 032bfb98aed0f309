"""Published comparisons: the reported numbers with their rounding, and the results that are compatible with them."""

from tellapart.claims.claim import Claim

__all__ = ["Claim"]
